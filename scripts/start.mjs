// `npm start`: from a fresh clone to a running daemon with an example app.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installPackages, ROOT, step } from './install.mjs';

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(`substrate needs Node 20 or newer; this is ${process.version}.`);
  process.exit(1);
}
installPackages();
step(process.execPath, ['scripts/build.mjs']);

const binary = path.join(ROOT, 'dist/substrate.js');
const given = process.argv.slice(2);
const PARENT_LOOK_MS = 500;

// Before the daemon: it attaches at once to programs that run when it starts.
const sample = spawn(process.execPath, [path.join(ROOT, 'examples/coffee-shop.mjs')], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
await once(sample.stdout, 'data');
const daemon = spawn(process.execPath, [binary, 'serve', ...given], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { SUBSTRATE_LOG__FORMAT: 'pretty', ...process.env },
});
const stop = () => daemon.kill('SIGTERM');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
stopWithNpm();
daemon.on('exit', (code) => {
  sample.kill();
  process.exit(code ?? 0);
});

const [line] = await once(daemon.stdout, 'data');
const address = /^substrate listening on (http:\/\/\S+)\n/.exec(line)?.[1];
const key = await keyThatWorks();
welcome(key, key === null ? `${address}/` : await linkWith(key));

/** A signal to npm alone ends npm and its shell, and never arrives here. */
function stopWithNpm() {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    stop();
  }, PARENT_LOOK_MS).unref();
}

/**
 * The printed command must work at once, and at every start: it has the key of the commands, once they could read it.
 */
async function keyThatWorks() {
  const at = given.indexOf('--config');
  const config = at === -1 ? [] : given.slice(at, at + 2);
  const env = { ...process.env, SUBSTRATE_KEY: '' };
  const args = [binary, 'state', String(sample.pid), '--wait', '--json', '--timeout', '15000', '--url', address];
  await once(spawn(process.execPath, [...args, ...config], { stdio: 'ignore', env }), 'exit');
  const list = spawnSync(process.execPath, [binary, 'keys', 'list', '--json', ...config], { encoding: 'utf8' });
  try {
    const folder = path.dirname(JSON.parse(list.stdout).keys_file);
    return JSON.parse(fs.readFileSync(path.join(folder, 'cli-key.json'), 'utf8')).key;
  } catch {
    return null;
  }
}

/** It works once, since a key would stay in the history of the browser. */
async function linkWith(key) {
  const headers = { 'x-substrate-key': key, 'content-type': 'application/json' };
  const made = await fetch(`${address}/substrate/v1/dashboard/code`, { method: 'POST', headers, body: '{}' });
  return made.ok ? `${address}/#code=${(await made.json()).code}` : `${address}/`;
}

function welcome(key, link) {
  console.log(`
substrate listens on   ${address}
sample app             examples/coffee-shop.mjs, pid ${sample.pid}
API key                ${key ?? 'none could be read or made: node dist/substrate.js doctor shows why'}
                       (for you alone; make one for each program: node dist/substrate.js keygen)

Look at it in a browser (the link lets one in, within two minutes; node dist/substrate.js up prints another one):

  ${link}

Or ask from another terminal:

  curl -s -H "X-Substrate-Key: ${key ?? '$SUBSTRATE_KEY'}" ${address}/substrate/v1/state/${sample.pid}

Ctrl-C stops both.`);
}
