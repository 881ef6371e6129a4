// As in a test run: the global clocks stand still.
const { setTimeout: realTimeout } = globalThis;
const scores = { home: 1, away: 2 };
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout']) globalThis[name] = () => 1;
performance.now = () => 0;
const tick = () => {
  realTimeout(tick, 50);
  return scores.home;
};
tick();
console.log('ready');
