// The headers of this page forbid eval, inline scripts and HTML from strings; `violations` lists what broke the rules.
const violations = [];
const visitor = { visits: 0, nickname: 'ada', plan: { name: 'free', limit: 10 } };

document.addEventListener('securitypolicyviolation', (event) => {
  violations.push(event.effectiveDirective);
});
document.getElementById('visit').addEventListener('click', () => {
  visitor.visits += 1;
  document.getElementById('visits').textContent = visitor.visits;
});
document.getElementById('nickname').addEventListener('input', (event) => {
  visitor.nickname = event.target.value;
});
