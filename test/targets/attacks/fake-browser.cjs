// Looks like a browser with a debugging port, and says to whoever connects what makes no sense.
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');

const port = Number(/--remote-debugging-port=(\d+)/.exec(process.argv.join(' '))[1]);
const odd = { toString: 1, valueOf: 1 };
const server = http.createServer((_request, response) =>
  response.end(JSON.stringify({ webSocketDebuggerUrl: `ws://127.0.0.1:${port}/devtools/browser/x` })),
);

/** A text as WebSockets send it. */
function frame(message) {
  const bytes = Buffer.from(JSON.stringify(message));
  const header = Buffer.from([0x81, 126, 0, 0]);
  header.writeUInt16BE(bytes.length, 2);
  return Buffer.concat([header, bytes]);
}

server.on('upgrade', (request, socket) => {
  const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = crypto.createHash('sha1').update(key).digest('base64');
  const head = 'HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ';
  socket.on('error', () => {});
  socket.write(`${head}${accept}\r\n\r\n`);
  for (const method of ['Target.detachedFromTarget', 'Target.attachedToTarget', 'Target.targetCreated'])
    socket.write(frame({ method, params: { sessionId: odd, targetId: odd, targetInfo: odd } }));
  console.log('attached');
});
// By its threads a browser is known.
fs.writeFileSync('/proc/self/comm', 'Chrome_IOThread');
server.listen(port, '127.0.0.1', () => console.log('ready'));
