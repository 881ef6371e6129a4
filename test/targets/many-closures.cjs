// A server behind whose listener there are as many functions as it is told, each with a variable of its own.
const http = require('node:http');

function link(left) {
  const step = { left, name: `step ${left}` };
  const next = left > 0 ? link(left - 1) : null;
  return () => [step.name, next];
}

const first = link(Number(process.argv[2]));
http.createServer((_, response) => response.end(String(first()))).listen(0, '127.0.0.1', () => console.log('ready'));
