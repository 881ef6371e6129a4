// `npm run test:clean [-- --as-user] [--keep]`: a stranger's first steps. Makes a minimal Debian in .cache/clean-room
// with only Node and npm (of this machine) and git, clones the committed files into it as `substrate`, and runs the
// README's commands there: `npm start` until the printed curl answers, `npm run check`, and `npm test`. `--as-user`: as
// a user without root, who gets the command for an administrator; that is run, and the tests run again. Needs root on a
// Debian.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { ROOT, step } from './install.mjs';

const BASE = path.join(ROOT, '.cache/clean-room-base');
const ROOM = path.join(ROOT, '.cache/clean-room');
const START_MS = 10 * 60_000;
const asUser = process.argv.includes('--as-user');
const user = asUser ? { name: 'ada', id: 1000, home: '/home/ada' } : { name: 'root', id: 0, home: '/root' };
const project = `${user.home}/substrate`;

/**
 * Not a chroot, in which nobody may create the namespaces that tests use. The shell stays, as the first process of the
 * room.
 */
const ENTER = `set -e
cd "$1"; shift
mount --make-rprivate /
mount --bind . "$PWD"; cd "$PWD"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mkdir -p .before
pivot_root . .before
umount -l /.before
cd /
set +e
"$@"
exit $?`;

if (process.getuid?.() !== 0) fail('A Debian in a folder can only be made by root.');
if (git('status', '--porcelain') !== '') console.error('What is not committed is not tested.');
makeRoom();
const results = [await timed('npm start', start), await timed('npm run check', () => run(['npm', 'run', 'check']))];
if (asUser) results.push(await timed('npm test, before anything is installed', askForPackages));
results.push(await timed('npm test', () => run(['npm', 'test'])));
console.table(results);
const isGood = results.every(({ outcome }) => outcome === 'good');
if (!process.argv.includes('--keep')) fs.rmSync(ROOM, { recursive: true, force: true });
process.exit(isGood ? 0 : 1);

function makeRoom() {
  if (!fs.existsSync(path.join(BASE, 'made'))) {
    if (spawnSync('debootstrap', ['--version']).error)
      step(process.execPath, ['scripts/system-packages.mjs', 'debootstrap']);
    const suite = /^VERSION_CODENAME=(\w+)$/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))?.[1];
    fs.rmSync(BASE, { recursive: true, force: true });
    fs.mkdirSync(BASE, { recursive: true });
    step('debootstrap', ['--variant=minbase', '--include=ca-certificates,git', suite, BASE]);
    fs.writeFileSync(path.join(BASE, 'made'), '');
  }
  fs.rmSync(ROOM, { recursive: true, force: true });
  step('cp', ['--archive', BASE, ROOM]);
  // The settings by which this machine reaches its registries.
  for (const file of ['/etc/apt', '/etc/ssl/certs/ca-certificates.crt', '/etc/resolv.conf', '/etc/hosts'])
    if (fs.existsSync(file))
      step('cp', ['--recursive', '--dereference', '--no-target-directory', file, `${ROOM}${file}`]);
  copyNode();
  if (asUser)
    inRoom(['useradd', '--create-home', '--uid', String(user.id), '--shell', '/bin/bash', user.name], {
      id: 0,
      home: '/root',
    });
  step('git', ['clone', '--quiet', '--no-hardlinks', ROOT, `${ROOM}${project}`]);
  step('chown', ['--recursive', `${user.id}:${user.id}`, `${ROOM}${project}`]);
}

/** With npm's settings for all users; its own home is empty. */
function copyNode() {
  const npm = path.resolve(fs.realpathSync(findOnPath('npm')), '../..');
  fs.copyFileSync(process.execPath, `${ROOM}/usr/local/bin/node`);
  const modules = `${ROOM}/usr/local/lib/node_modules`;
  fs.mkdirSync(modules, { recursive: true });
  step('cp', ['--recursive', npm, `${modules}/npm`]);
  for (const name of ['npm', 'npx'])
    fs.symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, `${ROOM}/usr/local/bin/${name}`);
  const settings = ['globalconfig', 'userconfig'].map((name) => readText(output('npm', 'config', 'get', name)));
  fs.mkdirSync(`${ROOM}/usr/local/etc`, { recursive: true });
  fs.writeFileSync(`${ROOM}/usr/local/etc/npmrc`, settings.join('\n'));
}

function commandInRoom(command, { id, home }) {
  const env = [`HOME=${home}`, 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', 'LANG=C.UTF-8', 'CI=true'];
  const drop = id === 0 ? [] : ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
  const inside = ['env', '--ignore-environment', ...env, ...drop, ...command];
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
  // The end of this script ends everything in the room.
  return ['setpriv', '--pdeathsig=KILL', 'unshare', ...namespaces, 'sh', '-c', ENTER, 'sh', ROOM, ...inside];
}

function inRoom(command, who) {
  const [program, ...args] = commandInRoom(command, who);
  step(program, args);
}

/** Runs it in the folder of the clone, and prints its output. */
async function run(command, { env = [], onOutput = () => {}, signal } = {}) {
  const [program, ...args] = commandInRoom(['env', '--chdir', project, ...env, ...command], user);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      process.stdout.write(chunk);
      text += chunk;
      onOutput(text);
    });
  const [code] = await once(child, 'close');
  return { outcome: code === 0 ? 'good' : `ended with ${code}`, text };
}

/** Waits until the curl that it prints answers, from here: the room has no curl, and the same network. */
async function start() {
  const stop = new AbortController();
  const port = await freePort();
  let answer = null;
  const give = setTimeout(() => stop.abort(), START_MS);
  const ended = run(['npm', 'start'], {
    env: [`SUBSTRATE_SERVER__PORT=${port}`],
    signal: stop.signal,
    onOutput(text) {
      const [, header, url] = /curl -s -H "([^"]+)" (http:\S+)\n/.exec(text) ?? [];
      if (url === undefined || answer !== null) return;
      answer = { outcome: 'it did not answer' };
      void ask(url, header).then((given) => {
        answer = given;
        stop.abort();
      });
    },
  });
  await ended;
  clearTimeout(give);
  return answer ?? { outcome: 'it printed no curl' };
}

async function ask(url, header) {
  const [name, value] = header.split(': ');
  try {
    const state = await (await fetch(url, { headers: { [name]: value } })).json();
    const keys = Object.keys(state.objects ?? {}).length;
    return { outcome: keys > 0 ? 'good' : `it answered ${JSON.stringify(state).slice(0, 200)}` };
  } catch (error) {
    return { outcome: error.message };
  }
}

/** It must stop without the packages, and print the command; that command is then run, word for word. */
async function askForPackages() {
  const { outcome, text } = await run(['npm', 'test']);
  const advised = /^ {2}(sudo apt-get .*)$/m.exec(text)?.[1];
  if (outcome === 'good' || advised === undefined) return { outcome: 'it does not say which packages are missing' };
  console.error(`\nAs an administrator: ${advised}\n`);
  inRoom(['env', 'DEBIAN_FRONTEND=noninteractive', 'sh', '-c', advised.replaceAll('sudo ', '')], {
    id: 0,
    home: '/root',
  });
  return { outcome: 'good' };
}

async function timed(what, work) {
  console.error(`\n=== ${what}, as ${user.name}, on ${os.machine()}\n`);
  const started = Date.now();
  const { outcome } = await work();
  return { what, outcome, seconds: Math.round((Date.now() - started) / 1000) };
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return (
    folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file)) ?? fail(`There is no ${name}.`)
  );
}

function git(...args) {
  return output('git', ...args);
}

function output(program, ...args) {
  return spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
