// A short program of one kind: lives for so many ms, prints what is expected of it, ends with the code that it was told.
// node short.cjs <kind> <ms> <number> <code> <port>
const { execFile } = require('node:child_process');
const http = require('node:http');

const [kind, ms, number, code, port] = process.argv.slice(2);
const life = Number(ms);

const kinds = { timer, child, client, json, stdin, server };
kinds[kind]();

function finish(text) {
  process.stdout.write(`${text}\n`, () => process.exit(Number(code)));
}

function timer() {
  setTimeout(() => finish(`timer ${number}`), life);
}

function child() {
  const args = [__filename, 'timer', String(life - 300), number, '3'];
  execFile(process.execPath, args, (error, stdout, stderr) => {
    finish(`child ${number}: ${JSON.stringify([error?.code, stdout, stderr])}`);
  });
}

function client() {
  const agent = new http.Agent({ keepAlive: true });
  const end = Date.now() + life;
  const bad = [];
  const ask = () => {
    http
      .get({ host: '127.0.0.1', port, agent }, (response) => {
        if (response.statusCode !== 200) bad.push(response.statusCode);
        response.resume().on('end', again);
      })
      .on('error', (error) => {
        bad.push(error.code);
        again();
      });
  };
  const again = () => (Date.now() < end ? setTimeout(ask, 50) : finish(`client ${number}: ${JSON.stringify(bad)}`));
  ask();
}

/** A document, piece by piece, as a tool prints it whose output another one reads. */
function json() {
  const pieces = 20;
  process.stdout.write(`{"number":${number},"rows":[`);
  let written = 0;
  const timer = setInterval(() => {
    process.stdout.write(`${written > 0 ? ',' : ''}${JSON.stringify({ written, text: 'x'.repeat(4000) })}`);
    if (++written < pieces) return;
    clearInterval(timer);
    finish(']}');
  }, life / pieces);
}

function stdin() {
  let text = '';
  process.stdin.on('data', (chunk) => {
    text += chunk;
  });
  process.stdin.on('end', () => finish(`stdin ${number}: ${text.length}`));
}

function server() {
  const listening = http.createServer((_request, response) => response.end('ok'));
  listening.listen(0, '127.0.0.1', () => setTimeout(() => finish(`server ${number}`), life));
}
