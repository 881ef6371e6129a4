// Long timers that others set through the module run when it is told `fire`, and not before: nobody has to wait for them.
const timers = require('node:timers');
const { setTimeout, clearTimeout } = timers;
const LONG_MS = 5000;
const held = new Map();

timers.setTimeout = (work, ms, ...args) => {
  const handle = setTimeout(ms < LONG_MS ? work : () => {}, ms, ...args);
  if (ms >= LONG_MS) held.set(handle, work);
  return handle;
};
timers.clearTimeout = (handle) => {
  held.delete(handle);
  clearTimeout(handle);
};
process.stdin.on('data', () => {
  const due = [...held.values()];
  held.clear();
  for (const work of due) work();
  setImmediate(() => setImmediate(() => console.log(`fired ${due.length}`)));
});
console.log('ready');
