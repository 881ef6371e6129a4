/** What a read, a poll and a start of the built daemon cost, on a Node target of 1k, 10k and 100k leaves. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

const SIZES = [1000, 10_000, 100_000];
const READS = 200;
const binary = path.resolve('dist/substrate.js');
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-bench-'));
const env = { PATH: process.env.PATH, HOME: home };

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

interface Started {
  readonly pid: number;
  readonly line: string;
  readonly startMs: number;
  stop(): Promise<void>;
}

function start(args: string[], extra: Record<string, string> = {}): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${args[0]} ended`)));
    child.stdout.once('data', (data) =>
      resolve({
        pid: Number(child.pid),
        line: String(data).trim(),
        startMs: performance.now() - began,
        stop: () =>
          new Promise((done) => {
            child.removeAllListeners('exit');
            child.once('exit', () => done());
            child.kill();
          }),
      }),
    );
  });
}

const agent = new http.Agent({ keepAlive: true });
function request(base: string, key: string, route: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-substrate-key': key, ...(body ? { 'content-type': 'application/json' } : {}) };
    const call = http.request(`${base}${route}`, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
    call.once('error', reject);
    call.end(body ? JSON.stringify(body) : undefined);
  });
}

function cpuMs(pid: number): number {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function timed(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < count; round++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function waitForState(base: string, key: string, pid: number): Promise<void> {
  for (;;) {
    const { apps } = JSON.parse(await request(base, key, '/substrate/v1/apps')) as {
      apps: { pid: number; has_state: boolean }[];
    };
    if (apps.find((app) => app.pid === pid)?.has_state) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The longest time for which the app's own event loop did not turn, since it was asked last. */
async function takeStall(act: (action: string) => Promise<string>): Promise<number> {
  const { message } = JSON.parse(await act('control.takeStall')) as { message: string };
  return Number(message.replace(/.*returned /, ''));
}

const COLUMNS = [
  '  keys',
  'cached read ms',
  'fresh, same ms',
  'fresh, one change ms',
  'cold ms',
  'warm ms',
  'stall at attach ms',
  'stall at polls ms',
  'RSS MB',
];
const WIDTHS = COLUMNS.map((column) => column.length);

const keygen = await start([binary, 'keygen', '--json']).catch(() => null);
const { key } = JSON.parse(keygen?.line ?? '{}') as { key: string };
// Polls are asked for by the measurement itself; limits would only measure themselves.
const quiet = {
  SUBSTRATE_SERVER__PORT: '0',
  SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
  SUBSTRATE_PROBE__INTERVAL_MS: '600000',
  SUBSTRATE_PROBE__SETTLE_MS: '0',
};

console.log(COLUMNS.join(' |'));
for (const size of SIZES) {
  const target = await start(['bench/rows-target.cjs', String(size)]);
  const cold = await start([binary, 'serve'], quiet);
  const coldBegan = performance.now();
  const coldBase = cold.line.replace(/.* /, '');
  await waitForState(coldBase, key, target.pid);
  const coldMs = performance.now() - coldBegan;
  await cold.stop();

  const daemon = await start([binary, 'serve'], quiet);
  const warmBegan = performance.now();
  const base = daemon.line.replace(/.* /, '');
  await waitForState(base, key, target.pid);
  const warmMs = performance.now() - warmBegan;
  const state = `/substrate/v1/state/${target.pid}`;
  const act = (action: string) =>
    request(base, key, '/substrate/v1/action', {
      pid: target.pid,
      action,
      parameters: {},
      verify_expression: 'Object.keys(state).length > 0',
    });
  const touch = () => act('control.touch');
  const attachStall = await takeStall(act);

  const cached = await timed(READS, () => request(base, key, state));
  const same = await timed(50, () =>
    request(base, key, `/substrate/v1/schema/${target.pid}`).then(() => request(base, key, `${state}?fresh=true`)),
  );
  const changed: number[] = [];
  for (let round = 0; round < 10; round++) {
    await touch();
    changed.push(await timed(1, () => request(base, key, `${state}?fresh=true`)));
  }
  const pollStall = await takeStall(act);
  console.log(
    [size, cached, same, median(changed), coldMs, warmMs, attachStall, pollStall, rssMb(daemon.pid)]
      .map((value, at) => (at === 0 ? String(value) : value.toFixed(at < 4 ? 2 : 0)).padStart(WIDTHS[at] ?? 0))
      .join(' |'),
  );
  await daemon.stop();
  await target.stop();
}

const starts: number[] = [];
for (let round = 0; round < 7; round++) {
  const daemon = await start([binary, 'serve'], quiet);
  starts.push(daemon.startMs);
  await daemon.stop();
}
console.log(`start-up: ${median(starts).toFixed(0)} ms from exec to the ready line (median of ${starts.length})`);

const idle = await start([binary, 'serve'], { ...quiet, SUBSTRATE_PROBE__INTERVAL_MS: '2000' });
const target = await start(['bench/rows-target.cjs', '100000']);
await waitForState(idle.line.replace(/.* /, ''), key, target.pid);
const cpuBefore = [cpuMs(idle.pid), cpuMs(target.pid)] as const;
await new Promise((resolve) => setTimeout(resolve, 20_000));
const used = [cpuMs(idle.pid) - cpuBefore[0], cpuMs(target.pid) - cpuBefore[1]] as const;
console.log(`idle for 20 s with one unchanged app of 100k leaves: daemon ${used[0]} ms of CPU, app ${used[1]} ms`);
await idle.stop();
await target.stop();
agent.destroy();
fs.rmSync(home, { recursive: true, force: true });
