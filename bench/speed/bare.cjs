// The least that an HTTP server can do: the bytes of a file, and the headers that a reader needs.
const fs = require('node:fs');
const http = require('node:http');

const body = fs.readFileSync(process.argv[2]);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length };
const server = http.createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
