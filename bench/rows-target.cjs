// An app with a given number of leaves, and one that changes on demand. Reports the longest stall of its own event loop.
const rows = [];
const wanted = Number(process.argv[2]);
for (let id = 0; id < wanted / 10; id++) {
  rows.push({
    id,
    name: `row ${id}`,
    price: id * 1.5,
    sold: false,
    note: null,
    at: { x: id, y: -id },
    tags: ['a', 'b'],
  });
}
const control = {
  changes: 0,
  worstStallMs: 0,
  touch() {
    rows[this.changes++ % rows.length].price += 1;
  },
  takeStall() {
    const stall = this.worstStallMs;
    this.worstStallMs = 0;
    return stall;
  },
};
process.stdin.on('data', () => control.touch());
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  control.worstStallMs = Math.max(control.worstStallMs, now - last - 5);
  last = now;
}, 5);
console.log('ready', rows.length);
