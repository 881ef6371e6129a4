/**
 * Simulated hosts on one nats-server of this machine: each is the daemon's own service code on a connection of its own, over
 * one recorded app. `npm run bench fleet [counts]`, such as `10,100,1000`. Three counts or more draw
 * docs/images/growth-fleet.svg. Needs nats-server.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { connect } from '@nats-io/transport-node';
import { runHosts, startGateway, stateBytes } from './fleet/hosts.ts';
import { writeChart } from './growth/chart.ts';
import { rssMb } from './shared/proc.ts';

const COUNTS = (process.argv[2] ?? '10,30,100,300,1000').split(',').map(Number);
const REQUESTS = 2000;
const WIDTH = 12;
const COLUMNS = [
  ...(['hosts', 'joined s', 'listed ms', 'p50 ms', 'p99 ms', 'local p50', 'local p99'] as const),
  ...(['events/s', 'learnt ms', 'server MB', 'hosts MB', 'gateway MB'] as const),
] as const;
type Column = (typeof COLUMNS)[number];
type Figures = Readonly<Record<Column, number>>;

const EVENTS_PER_HOST = 20;

if (process.env.FLEET_HOSTS !== undefined) await runHosts(Number(process.env.FLEET_HOSTS), EVENTS_PER_HOST);
else await measureAll();

async function measureAll(): Promise<void> {
  console.log(
    `${os.cpus().length} cores, ${os.arch()}, load ${os.loadavg()[0]?.toFixed(1)}; state of ${stateBytes().length} bytes`,
  );
  const rows: Figures[] = [];
  for (const count of COUNTS) {
    const row = await measure(count);
    if (rows.length === 0) console.log(COLUMNS.map((name) => name.padStart(WIDTH)).join(''));
    console.log(COLUMNS.map((name) => shown(row[name]).padStart(WIDTH)).join(''));
    rows.push(row);
  }
  if (rows.length < 3) return;
  const curve = (name: string, of: Column) => ({ name, points: rows.map((row) => ({ x: row.hosts, y: row[of] })) });
  writeChart('docs/images/growth-fleet.svg', {
    title: 'A fleet on one NATS server',
    xName: 'hosts',
    yName: 'ms, and MB of memory',
    curves: [
      curve('state of an app, p50', 'p50 ms'),
      curve('the same, asked on the host', 'local p50'),
      curve('list of all hosts', 'listed ms'),
      curve('name known on all hosts', 'learnt ms'),
      curve('memory of the server', 'server MB'),
    ],
  });
}

function shown(figure: number): string {
  return figure >= 100 || Number.isInteger(figure) ? figure.toFixed(0) : figure.toFixed(2);
}

async function measure(count: number): Promise<Figures> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-bench-fleet-'));
  const port = await freePort();
  const flags = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', path.join(folder, 'jetstream')];
  const server = spawn('nats-server', flags, { stdio: 'ignore' });
  const address = `nats://127.0.0.1:${port}`;
  let hosts: ChildProcess | null = null;
  try {
    await untilListening(port);
    const keysFile = path.join(folder, 'keys.json');
    const gateway = await startGateway(address, keysFile);
    const env = { ...process.env, FLEET_HOSTS: String(count), FLEET_SERVER: address, FLEET_KEYS: keysFile };
    const began = performance.now();
    hosts = fork(process.argv[1] ?? '', { env });
    const local = await message(hosts, 'joined');
    const joinedMs = performance.now() - began;
    // The first answer that names all of them; the rest of a second is the wait for more.
    let listed = 0;
    for (let total = 0; total < count + 1; )
      listed += await timed(async () => {
        const { hosts: found } = await gateway.fleet.hosts();
        total = found.filter(({ problem }) => problem === null).length;
      });
    const headers = { 'X-Substrate-Key': gateway.key };
    const ask = (url: string) => async () => {
      const answer = await fetch(url, { headers });
      if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    let next = 0;
    const remote = await repeated(() => ask(`${gateway.url}/substrate/v1/hosts/host-${next++ % count}/state/1`)());
    const near = await repeated(ask(`http://127.0.0.1:${local}/substrate/v1/state/1`));
    const eventsPerSecond = await countEvents(address, hosts, count * EVENTS_PER_HOST);
    const learnt = message(hosts, 'learnt');
    const learntMs = await timed(async () => {
      hosts?.send('teach');
      await learnt;
    });
    const memory = [server.pid, hosts.pid, process.pid].map((pid) => (pid === undefined ? Number.NaN : rssMb(pid)));
    const [serverMb = Number.NaN, hostsMb = Number.NaN, gatewayMb = Number.NaN] = memory;
    await gateway.close();
    return {
      hosts: count,
      'joined s': joinedMs / 1000,
      'listed ms': listed,
      'p50 ms': remote[0],
      'p99 ms': remote[1],
      'local p50': near[0],
      'local p99': near[1],
      'events/s': eventsPerSecond,
      'learnt ms': learntMs,
      'server MB': serverMb,
      'hosts MB': hostsMb,
      'gateway MB': gatewayMb,
    };
  } finally {
    hosts?.kill('SIGKILL');
    server.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function repeated(work: () => Promise<void>): Promise<[number, number]> {
  for (let round = 0; round < 100; round++) await work();
  const times: number[] = [];
  for (let round = 0; round < REQUESTS; round++) times.push(await timed(work));
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return [at(0.5), at(0.99)];
}

/** One subscriber receives everything that all hosts publish, as fast as they can. */
async function countEvents(address: string, hosts: ChildProcess, expected: number): Promise<number> {
  const listener = await connect({ servers: address.replace('nats://', '') });
  let got = 0;
  let began = 0;
  const all = new Promise<void>((resolve) => {
    listener.subscribe('substrate.events.v1.>', {
      callback: () => {
        began ||= performance.now();
        if (++got === expected) resolve();
      },
    });
  });
  await listener.flush();
  hosts.send('publish');
  const limit = new Promise<void>((resolve) => setTimeout(resolve, 30_000).unref());
  await Promise.race([all, limit]);
  const seconds = (performance.now() - began) / 1000;
  await listener.close();
  if (got < expected) console.log(`(${expected - got} of ${expected} events were lost)`);
  return got / seconds;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function message(child: ChildProcess, word: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the hosts ended with ${code}`)));
    child.on('message', (given: unknown) => {
      if (Array.isArray(given) && given[0] === word) resolve(Number(given[1]));
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('nats-server does not answer: is it installed?');
}
