// Uses SIGUSR1 for itself.
let signals = 0;
process.on('SIGUSR1', () => {
  signals++;
  console.log(`signal ${signals}`);
});
setInterval(() => signals, 1000);
console.log('ready');
