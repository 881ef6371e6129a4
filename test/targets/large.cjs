// As many objects as it is told, reached from one variable, and a counter beside them.
const rows = new Map(
  Array.from({ length: Number(process.argv[2]) }, (_, id) => [`row${id}`, { id, name: `name ${id}` }]),
);
const wall = { rows, ticks: 0 };
setInterval(() => wall.ticks++, 100);
console.log('ready');
