const payment = { provider: 'PayFast', amount: 30.5, attempts: 0 };

document.getElementById('pay').addEventListener('submit', (event) => {
  event.preventDefault();
  payment.attempts += 1;
  document.getElementById('attempts').textContent = payment.attempts;
});
