// Variables that change all the time, in every kind of scope.
let ticks = 0;
let rows = [];
const box = { a: 1 };
function createMeter() {
  let level = 0;
  return { rise: () => level++, read: () => level };
}
const left = createMeter();
const right = createMeter();
setInterval(() => {
  ticks++;
  rows = [...rows.slice(-2), { ticks }];
  box.a = ticks;
  left.rise();
  right.read();
}, 5);
console.log('ready');
