// A server whose variables are constants: an enumeration as TypeScript writes one, a table of codes, a list of texts.
const http = require('node:http');

const Level = {};
for (const [at, name] of ['DEBUG', 'INFO', 'WARN', 'ERROR'].entries()) {
  Level[name] = at;
  Level[at] = name;
}
const CODES = Object.freeze({ E_OPEN: 1, E_CLOSED: 2 });
const events = { START: 'start', STOP: 'stop', PAUSE: 'pause' };

const server = http.createServer((_request, response) => response.end(`${Level[0]} ${CODES.E_OPEN} ${events.START}`));
server.listen(0, '127.0.0.1', () => console.log('ready'));
