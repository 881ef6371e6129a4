// Ends some milliseconds after it was told to, by a timer that is the last thing it has to do.
process.stdin.once('data', (text) => {
  process.stdin.destroy();
  setTimeout(() => {}, Number(text));
});
console.log('ready');
