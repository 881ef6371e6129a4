// Listens when it is told to, and counts every request.
const http = require('node:http');
let requests = 0;
process.stdin.on('data', () => {
  http
    .createServer((_request, response) => {
      requests++;
      response.end();
    })
    .listen(0, '127.0.0.1', () => console.log('listening'));
});
setInterval(() => requests, 60_000);
console.log('ready');
