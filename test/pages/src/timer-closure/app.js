// Only the timers hold on to this state: no listener, no global.
(() => {
  const clock = { ticks: 0, zone: 'Europe/Paris', alarms: [{ at: '07:30', on: true }] };
  const label = document.getElementById('ticks');

  setInterval(() => {
    clock.ticks += 1;
    label.textContent = clock.ticks;
  }, 100);
})();

(() => {
  const warmUp = { phase: 'running', rounds: 0, coefficients: [0.5, 0.25, 0.125] };

  function round() {
    warmUp.rounds += 1;
    if (warmUp.rounds === 5) warmUp.phase = 'steady';
    document.getElementById('warm-up').textContent = warmUp.phase;
    setTimeout(round, 250);
  }

  setTimeout(round, 250);
})();
