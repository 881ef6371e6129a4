/**
 * The built daemon beside many apps, watchers and readers, including slow ones. Fails on growth, leftovers, and
 * refusals for other reasons than `overloaded`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppSummary } from '../../src/model/wire.ts';
import { Clients } from './clients.ts';
import { pressWithExpressions } from './expressions.ts';
import { steadyGrowthMb } from './figures.ts';
import { cpuSeconds, fdsOf, memoryMb } from './process.ts';

export interface LoadOptions {
  /** The built daemon. */
  readonly dist: string;
  readonly targets: string;
  readonly seconds: number;
  readonly processes: number;
  readonly watchers: number;
  readonly readers: number;
  readonly slow: number;
  /** The number of keys of the app that is read. */
  readonly keys: number;
  /** The pause of a reader after each answer. */
  readonly pauseMs: number;
  say(line: string): void;
}

type Row = Record<string, number | string>;

/** A busy machine needs time to attach to hundreds, one after the other. */
const START_MS = 600_000;
const SETTLE_MS = 30_000;
/** The allowed rest of the memory that the load took. */
const MAX_GROWTH_MB = 150;
const MAX_MORE_FDS = 5;
/** Memory is compared from the second quarter on, which must not begin before caches are full. */
const FILLED_S = 600;
const LINE_S = 60;
const MAX_FAILURES = 20;

export async function runLoad(options: LoadOptions): Promise<{ rows: Record<string, Row>; failures: string[] }> {
  const load = new Load(options);
  try {
    await load.run();
  } finally {
    await load.end();
  }
  return load;
}

class Load {
  readonly rows: Record<string, Row> = {};
  readonly failures: string[] = [];
  private readonly options: LoadOptions;
  private readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-load-'));
  private readonly children: ChildProcess[] = [];
  private clients: Clients | null = null;
  private pid = 0;
  private place = { port: 0, attacker: '', other: '' };

  constructor(options: LoadOptions) {
    this.options = options;
  }

  async run(): Promise<void> {
    const { daemon, clients } = await this.startDaemon();
    this.pid = pidOf(daemon);
    this.note('alone', {});
    const { wide, shop, apps } = await this.startApps(clients);
    const [quiet, idleFds] = [memoryMb(this.pid), fdsOf(this.pid)];
    await this.press(clients, pidOf(wide), pidOf(shop));
    await clients.end();
    const figures = await pressWithExpressions({
      ...this.place,
      wide: pidOf(wide),
      small: pidOf(shop),
      fail: (message) => this.fail(message),
    });
    this.note('beside 128 expressions', Object.fromEntries(Object.entries(figures).map(([k, v]) => [k, rounded(v)])));
    await settle(() => fdsOf(this.pid) <= idleFds + MAX_MORE_FDS && memoryMb(this.pid) <= quiet + MAX_GROWTH_MB);
    this.note('afterwards', {});
    const [fds, growth] = [fdsOf(this.pid) - idleFds, memoryMb(this.pid) - quiet];
    if (fds > MAX_MORE_FDS) this.fail(`${fds} file descriptors stay`);
    if (growth > MAX_GROWTH_MB) this.fail(`${Math.round(growth)} MB stay`);
    if (hasEnded(daemon)) this.fail(`the daemon has ended (${daemon.signalCode ?? daemon.exitCode})`);
    const dead = apps.filter(hasEnded).length;
    if (dead > 0) this.fail(`${dead} apps have ended`);
  }

  async end(): Promise<void> {
    await this.clients?.end();
    await Promise.all(this.children.map(kill));
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  private async startDaemon(): Promise<{ daemon: ChildProcess; clients: Clients }> {
    const binary = path.join(this.options.dist, 'substrate.js');
    const keyWith = (...args: string[]) => {
      const made = execFileSync(process.execPath, [binary, 'keygen', '--json', ...args], { env: this.env() });
      return (JSON.parse(made.toString()) as { key: string }).key;
    };
    const key = keyWith();
    const attacker = keyWith('--scope', 'read');
    const daemon = this.start([binary, 'serve'], {
      SUBSTRATE_SERVER__PORT: '0',
      SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
      SUBSTRATE_SCANNER__ATTACH: 'all',
      SUBSTRATE_SCANNER__ROOT_INSPECTORS: 'true',
      SUBSTRATE_PROBE__SETTLE_MS: '0',
    });
    const base = /http:\S+/.exec(await firstLine(daemon))?.[0] ?? '';
    const port = Number(new URL(base).port);
    this.place = { port, attacker, other: key };
    const clients = new Clients(port, key, (message) => this.fail(message));
    this.clients = clients;
    return { daemon, clients };
  }

  private async startApps(
    clients: Clients,
  ): Promise<{ wide: ChildProcess; shop: ChildProcess; apps: readonly ChildProcess[] }> {
    const { targets, keys, processes } = this.options;
    const wide = this.start([path.join(targets, 'wide.cjs'), String(keys)]);
    const shop = this.start([path.join(targets, 'shop.cjs')]);
    const others = Array.from({ length: processes - 2 }, () => this.start([path.join(targets, 'shop.cjs')]));
    const apps = [wide, shop, ...others];
    const pids = new Set(apps.map(pidOf));
    const began = performance.now();
    await Promise.all(apps.map(firstLine));
    const withState = async () => {
      const { body } = await clients.get('/substrate/v1/apps');
      const { apps } = JSON.parse(body) as { apps: AppSummary[] };
      return apps.filter((app) => app.has_state && pids.has(app.pid)).length;
    };
    let found = await withState();
    while (found < processes && performance.now() - began < START_MS) {
      await delay(250);
      found = await withState();
    }
    this.note('with its apps', { apps: found, seconds: Math.round((performance.now() - began) / 1000) });
    if (found < processes) throw new Error(`only ${found} apps have state`);
    return { wide, shop, apps };
  }

  private async press(clients: Clients, wide: number, shop: number): Promise<void> {
    const { watchers, slow, readers, pauseMs } = this.options;
    await clients.watch(wide, watchers);
    clients.beSlow(wide, slow);
    for (let at = 0; at < readers; at++) clients.read('state', `/substrate/v1/state/${wide}`, pauseMs);
    clients.read('health', '/health', 100);
    clients.act({
      pid: shop,
      action: 'cart.setCoupon',
      parameters: { coupon: 'TEN' },
      verify_expression: 'cart.coupon === "TEN"',
    });
    const memory = await this.measure(clients);
    const { times, counts } = clients;
    this.note('under load', {
      'peak MB': Math.round(Math.max(...memory)),
      watchers: clients.watchers.length,
      'watch messages': counts.watched,
      'state reads': times.state.count,
      'state p50 ms': rounded(times.state.part(0.5)),
      'state p99 ms': rounded(times.state.part(0.99)),
      'health p50 ms': rounded(times.health.part(0.5)),
      'health p99 ms': rounded(times.health.part(0.99)),
      actions: times.action.count,
      replayed: counts.replayed,
      'action p99 ms': rounded(times.action.part(0.99)),
      'slow ones cut off': counts.slowEnded,
      overloaded: counts.refused,
    });
    if (clients.watchers.length < watchers) this.fail(`only ${clients.watchers.length} connections could watch`);
    const untold = clients.watchers.length - clients.told.size;
    if (untold > 0) this.fail(`${untold} watchers were told of no change`);
    for (const [kind, { count }] of Object.entries(times)) if (count === 0) this.fail(`${kind}: no answer`);
    if (counts.replayed === 0) this.fail('no action was sent twice');
    if (this.options.seconds >= 4 * FILLED_S) {
      const growth = steadyGrowthMb(memory);
      if (growth > 0) this.fail(`memory grew steadily, by ${Math.round(growth)} MB`);
    }
  }

  /** Returns the memory of every second. */
  private async measure(clients: Clients): Promise<number[]> {
    const memory: number[] = [];
    const began = performance.now();
    let line = LINE_S;
    for (let seconds = 0; seconds < this.options.seconds; seconds = (performance.now() - began) / 1000) {
      await delay(1000);
      memory.push(memoryMb(this.pid));
      if (seconds < line) continue;
      line += LINE_S;
      const { state, health } = clients.times;
      this.options.say(
        [
          `${Math.round(seconds / 60)} min`,
          `${Math.round(memory.at(-1) ?? 0)} MB`,
          `${fdsOf(this.pid)} fds`,
          `${Math.round(cpuSeconds(this.pid))} CPU s`,
          `${state.count} reads`,
          `state p99 ${rounded(state.part(0.99))} ms`,
          `health p99 ${rounded(health.part(0.99))} ms`,
          `${this.failures.length} failures`,
        ].join(', '),
      );
    }
    return memory;
  }

  private note(when: string, more: Row): void {
    const { pid } = this;
    const row = { MB: Math.round(memoryMb(pid)), fds: fdsOf(pid), 'CPU s': Math.round(cpuSeconds(pid)), ...more };
    this.rows[when] = row;
    this.options.say(`${when}: ${JSON.stringify(row)}`);
  }

  /** The first ones show the problem: a vanished daemon fails every read of an hour. */
  private fail(message: string): void {
    if (this.failures.length >= MAX_FAILURES) return;
    this.failures.push(message);
    this.options.say(`FAILED: ${message}`);
  }

  private env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.home, TMPDIR: os.tmpdir() };
  }

  private start(args: string[], extra: Record<string, string> = {}): ChildProcess {
    const env = { ...this.env(), ...extra };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    this.children.push(child);
    return child;
  }
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('it did not start');
  return pid;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(String(data)));
    child.once('exit', () => reject(new Error('it ended')));
    child.once('error', reject);
  });
}

async function settle(isSettled: () => boolean): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  while (!isSettled() && performance.now() < end) await delay(100);
}

/** A time may be a fraction of a millisecond. */
function rounded(ms: number): number {
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms);
}
