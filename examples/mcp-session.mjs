// Does with the tools what a model would do: from nothing to a verified action on a web page. It speaks the
// Model Context Protocol over stdin and stdout, as every client does.
//
//   node examples/mcp-session.mjs                          in a clone, after npm run build
//   node examples/mcp-session.mjs npx -y substrated mcp    with the package
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const [command = process.execPath, ...args] = process.argv.slice(2);
const server = spawn(command, args.length > 0 ? args : [file('../dist/substrate.js'), 'mcp'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});

const waiting = new Map();
readline.createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result, error } = JSON.parse(line);
  waiting.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
});

let lastId = 0;
function ask(method, params) {
  const id = ++lastId;
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  return new Promise((resolve) => waiting.set(id, resolve));
}

async function call(name, input) {
  console.log(`> ${name} ${JSON.stringify(input)}`);
  const { content } = await ask('tools/call', { name, arguments: input });
  console.log(`${content[0].text}\n`);
  return content[0].text;
}

const page = fs.readFileSync(file('to-do.html'));
const pages = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
await once(pages.listen(0, '127.0.0.1'), 'listening');

const clientInfo = { name: 'mcp-session', version: '1' };
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);

const opened = await call('open_browser', { url: `http://127.0.0.1:${pages.address().port}/` });
const app = Number(/^pid (\d+)/m.exec(opened)?.[1]);
await call('list_actions', { app });
const parameters = { task: 'buy milk' };
await call('run_action', {
  app,
  action: 'to_do_add_task',
  parameters,
  verify: 'tasks.length === 2 && text.open === 2',
});

server.stdin.end();
pages.close();
