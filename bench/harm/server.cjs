// A server with so many rows of five values each: every request reads one of them and changes it.
const http = require('node:http');

const rows = new Map();
for (let id = 0; id < Number(process.argv[2]); id++) {
  rows.set(`row-${id}`, { id, name: `row ${id}`, price: id * 1.5, sold: 0, isOpen: true });
}
let served = 0;

const server = http.createServer((_request, response) => {
  const row = rows.get(`row-${(served++ * 7919) % rows.size}`);
  row.sold += 1;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(row));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
