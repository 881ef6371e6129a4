/**
 * `npm run test:load [-- --minutes N] [--processes N] [--watchers N]`: the built daemon beside many apps, watchers and
 * readers, slow ones among them. Prints the figures; fails where something grows, is left, or is refused for another
 * reason than `overloaded`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import type { AppSummary } from '../../src/model/wire.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    processes: { type: 'string', default: '200' },
    watchers: { type: 'string', default: '1000' },
    readers: { type: 'string', default: '64' },
    slow: { type: 'string', default: '16' },
    keys: { type: 'string', default: '20000' },
  },
});
const count = (name: keyof typeof values) => Number(values[name]);
const BINARY = path.resolve('dist/substrate.js');
const TARGETS = path.resolve('test/targets');
const START_MS = 120_000;
/** What may stay of the memory that the load took. */
const MAX_GROWTH_MB = 150;

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-load-'));
const env = { PATH: process.env.PATH, HOME: home, TMPDIR: os.tmpdir() };
const children: ChildProcess[] = [];
const failures: string[] = [];
const rows: Record<string, Record<string, number | string>> = {};

try {
  await main();
} finally {
  for (const child of children) child.kill('SIGKILL');
  fs.rmSync(home, { recursive: true, force: true });
}
console.table(rows);
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);

async function main(): Promise<void> {
  const { key } = JSON.parse(execFileSync(process.execPath, [BINARY, 'keygen', '--json'], { env }).toString());
  const daemon = start([BINARY, 'serve'], {
    SUBSTRATE_SERVER__PORT: '0',
    SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
    SUBSTRATE_SCANNER__ATTACH: 'all',
    SUBSTRATE_PROBE__SETTLE_MS: '0',
  });
  const base = /http:\S+/.exec(await firstLine(daemon))?.[0] ?? '';
  const port = Number(new URL(base).port);
  const pid = pidOf(daemon);
  const get = (route: string) => request(`${base}${route}`, key);
  const apps = async () => (JSON.parse((await get('/substrate/v1/apps')).body) as { apps: AppSummary[] }).apps;
  daemon.once('exit', (code) => failures.push(`the daemon ended (${code})`));
  note('alone', pid, {});

  const wide = start([path.join(TARGETS, 'wide.cjs'), values.keys]);
  const others = Array.from({ length: count('processes') - 1 }, () => start([path.join(TARGETS, 'shop.cjs')]));
  const began = performance.now();
  await Promise.all([wide, ...others].map(firstLine));
  const hasState = async () => (await apps()).filter((app) => app.has_state).length;
  while ((await hasState()) < count('processes') && performance.now() - began < START_MS) await delay(500);
  const tracked = await apps();
  note('with its apps', pid, {
    apps: tracked.length,
    'with state': tracked.filter((app) => app.has_state).length,
    seconds: Math.round((performance.now() - began) / 1000),
  });
  if (tracked.filter((app) => app.has_state).length < count('processes')) failures.push('not every app has state');

  const state = `/substrate/v1/state/${pidOf(wide)}`;
  const quiet = memoryMb(pid);
  const idleFds = fdsOf(pid);
  const stop = new AbortController();
  const { signal } = stop;
  const received = { watch: 0 };
  const sockets = await watchAll(port, key, pidOf(wide), received);
  const slow = slowOnes(port, key, pidOf(wide));
  const reads = { state: [] as number[], health: [] as number[], refused: 0 };
  const readers = Array.from({ length: count('readers') }, () => readLoop(() => get(state), reads, 'state', signal));
  const health = readLoop(() => get('/health'), reads, 'health', signal);
  let peak = 0;
  const end = performance.now() + count('minutes') * 60_000;
  while (performance.now() < end) {
    await delay(1000);
    peak = Math.max(peak, memoryMb(pid));
  }
  note('under load', pid, {
    'peak MB': Math.round(peak),
    watchers: sockets.length,
    'watch messages': received.watch,
    'state reads': reads.state.length,
    'state p50 ms': Math.round(part(reads.state, 0.5)),
    'state p99 ms': Math.round(part(reads.state, 0.99)),
    'health p50 ms': Math.round(part(reads.health, 0.5)),
    'health p99 ms': Math.round(part(reads.health, 0.99)),
    overloaded: reads.refused,
  });
  stop.abort();
  await Promise.all([...readers, health]);
  for (const socket of sockets) socket.terminate();
  for (const socket of slow) socket.destroy();
  await settle(() => fdsOf(pid) <= idleFds + 5);
  await settle(() => memoryMb(pid) <= quiet + MAX_GROWTH_MB);
  note('afterwards', pid, {});
  if (fdsOf(pid) > idleFds + 5) failures.push(`${fdsOf(pid) - idleFds} file descriptors stay`);
  if (memoryMb(pid) > quiet + MAX_GROWTH_MB) failures.push(`${Math.round(memoryMb(pid) - quiet)} MB stay`);
  if (sockets.length < count('watchers')) failures.push(`only ${sockets.length} connections could watch`);
  if (received.watch === 0) failures.push('no watcher was told of a change');
  daemon.removeAllListeners('exit');
  const dead = others.filter((child) => child.exitCode !== null).length + (wide.exitCode === null ? 0 : 1);
  if (dead > 0) failures.push(`${dead} apps have ended`);
}

function start(args: string[], extra: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, args, { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('it did not start');
  return pid;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(String(data)));
    child.once('exit', () => reject(new Error('it ended')));
  });
}

const agent = new http.Agent({ keepAlive: true });
function request(url: string, key: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = http.get(url, { agent, headers: { 'x-substrate-key': key } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    call.once('error', reject);
  });
}

async function readLoop(
  read: () => Promise<{ status: number; body: string }>,
  reads: { state: number[]; health: number[]; refused: number },
  kind: 'state' | 'health',
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const began = performance.now();
    const { status, body } = await read().catch((error: unknown) => ({ status: 0, body: String(error) }));
    if (status === 200) reads[kind].push(performance.now() - began);
    else if (status === 503 && body.includes('overloaded')) reads.refused++;
    else failures.push(`${kind}: ${status} ${body.slice(0, 200)}`);
    if (status !== 200 || kind === 'health') await delay(100);
  }
}

/** Some at a time: as many at once would be turned away by the system's own queue. */
async function watchAll(port: number, key: string, pid: number, received: { watch: number }): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let at = 0; at < count('watchers'); at += 50) {
    const some = Array.from({ length: Math.min(50, count('watchers') - at) }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/substrate/v1/watch/${pid}`, {
        headers: { 'x-substrate-key': key },
      });
      socket.on('message', () => received.watch++);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('open', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      if (isOpen) sockets.push(socket);
    });
    await Promise.all(some);
  }
  return sockets;
}

/** Half of them never read what they watch or asked for, half send a request byte by byte. */
function slowOnes(port: number, key: string, pid: number): net.Socket[] {
  return Array.from({ length: count('slow') }, (_, at) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const head = `GET /substrate/v1/state/${pid} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Substrate-Key: ${key}\r\n\r\n`;
    if (at % 2 === 0) {
      socket.pause();
      socket.write(head.repeat(50));
    } else {
      let sent = 0;
      const timer = setInterval(() => socket.write(head[sent++ % head.length] ?? ''), 500);
      socket.once('close', () => clearInterval(timer));
    }
    return socket;
  });
}

async function settle(isSettled: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isSettled() && performance.now() < end) await delay(250);
}

function note(when: string, pid: number, more: Record<string, number | string>): void {
  rows[when] = { MB: Math.round(memoryMb(pid)), fds: fdsOf(pid), 'CPU s': Math.round(cpuSeconds(pid)), ...more };
  console.log(when, rows[when]);
}

function memoryMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function fdsOf(pid: number): number {
  try {
    return fs.readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

function cpuSeconds(pid: number): number {
  try {
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

function part(sorted: number[], share: number): number {
  const values = sorted.toSorted((one, other) => one - other);
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}
