// Has one thing to do, then nothing: it must end by itself although a probe is attached.
const left = { ticks: 3 };
process.stdin.once('data', () => {
  process.stdin.destroy();
  left.ticks = 0;
});
console.log('ready');
