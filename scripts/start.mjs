// `npm start`: from a fresh clone to a running daemon with something to look at.
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
const run = (...args) => spawnSync(process.execPath, [binary, ...args], { encoding: 'utf8' });
const { keys, keys_file: keysFile } = JSON.parse(orExit(run('keys', 'list', '--json')));
const key = keys.some(({ enabled }) => enabled)
  ? null
  : JSON.parse(orExit(run('keygen', '--label', 'npm start', '--json'))).key;

// Before the daemon: what runs already when it starts is probed at once.
const sample = spawn(process.execPath, [path.join(ROOT, 'examples/coffee-shop.mjs')], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
await once(sample.stdout, 'data');
const daemon = spawn(process.execPath, [binary, 'serve', ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { SUBSTRATE_LOG__FORMAT: 'pretty', ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => daemon.kill('SIGTERM'));
daemon.on('exit', (code) => {
  sample.kill();
  process.exit(code ?? 0);
});

const [line] = await once(daemon.stdout, 'data');
const address = /^substrate listening on (http:\/\/\S+)\n/.exec(line)?.[1];
await waitForSample(address);
welcome(address);

/** The line that is printed must work at once; without a key of our own the app's state cannot be asked for. */
async function waitForSample(base) {
  for (let round = 0; key && round < 150; round++) {
    const response = await fetch(`${base}/substrate/v1/state/${sample.pid}`, { headers: { 'x-substrate-key': key } });
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function welcome(address) {
  const header = `X-Substrate-Key: ${key ?? '$SUBSTRATE_KEY'}`;
  console.log(`
substrate listens on   ${address}
sample app             examples/coffee-shop.mjs, pid ${sample.pid}
API key                ${key ? `${key}\n                       (shown this once; make more with: node dist/substrate.js keygen)` : `in use already, see ${keysFile}; make another with: node dist/substrate.js keygen`}

Look at it in a browser:

  ${address}/${key ? `#key=${key}` : ''}

Or ask from another terminal:${key ? '' : '\n  export SUBSTRATE_KEY=<your key>'}

  curl -s -H "${header}" ${address}/substrate/v1/state/${sample.pid}

Ctrl-C stops both.`);
}

function orExit({ status, stdout, stderr }) {
  if (status !== 0) {
    fs.writeSync(2, stderr);
    process.exit(status ?? 1);
  }
  return stdout;
}
