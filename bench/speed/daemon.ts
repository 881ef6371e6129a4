/** A daemon of one side, as its users run it, with a home that may know apps from before. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import WebSocket from 'ws';
import { excludedPids } from '../shared/alone.ts';
import { cleanEnv, ownCpu, type Program, rssMb, startProgram, waitFor } from '../shared/proc.ts';
import type { Side } from './sides.ts';

const START_SECONDS = 30;
const STATE_SECONDS = 60;
const LOOK_MS = 5;

export class Home {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-speed-'));
  readonly key: string;

  constructor({ binary }: Side) {
    const made = execFileSync(process.execPath, [binary, 'keygen', '--json'], { env: cleanEnv(this.folder) });
    this.key = (JSON.parse(made.toString()) as { key: string }).key;
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

export class SpeedDaemon {
  readonly base: string;
  /** From exec to the ready line. */
  readonly readyMs: number;
  readonly readyCpuMs: number;
  private readonly program: Program;
  private readonly readyAt: number;
  private readonly home: Home;

  private constructor(program: Program, base: string, readyAt: number, home: Home) {
    this.program = program;
    this.base = base;
    this.readyAt = readyAt;
    this.readyMs = readyAt - program.startedAt;
    this.readyCpuMs = this.cpuMs();
    this.home = home;
  }

  static async start({ binary }: Side, home: Home, env: Record<string, string> = {}): Promise<SpeedDaemon> {
    const program = startProgram(process.execPath, [binary, 'serve'], {
      env: cleanEnv(home.folder, {
        SUBSTRATE_SERVER__PORT: '0',
        SUBSTRATE_SCANNER__EXCLUDE: excludedPids().join(),
        // A young program, too.
        SUBSTRATE_SCANNER__ATTACH: 'all',
        // As for everybody but root.
        SUBSTRATE_SCANNER__ROOT_INSPECTORS: 'true',
        // Programs of a measurement are young; those of users have run for longer.
        SUBSTRATE_PROBE__SETTLE_MS: '0',
        // Limits would only measure themselves.
        SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
        ...env,
      }),
    });
    let readyAt = Number.NaN;
    program.child.stdout?.once('data', () => {
      readyAt = performance.now();
    });
    const base = await waitFor('the daemon', START_SECONDS, () => {
      if (program.child.exitCode !== null) throw new Error(`the daemon ended: ${program.stderr()}`);
      return /listening on (http:\/\/\S+)\n/.exec(program.stdout())?.[1];
    });
    return new SpeedDaemon(program, base, readyAt, home);
  }

  get pid(): number {
    return this.program.pid;
  }

  get key(): string {
    return this.home.key;
  }

  cpuMs(): number {
    return ownCpu(this.pid) * 1000;
  }

  rssMb(): number {
    return rssMb(this.pid);
  }

  /** Milliseconds from the ready line until the app is active and a read returns its state. */
  async untilServed(pid: number, seconds = STATE_SECONDS): Promise<number> {
    const deadline = performance.now() + seconds * 1000;
    while (performance.now() < deadline) {
      const { apps } = await this.json<{ apps: { pid: number; probe_status: string }[] }>('/apps');
      if (apps.some((app) => app.pid === pid && app.probe_status === 'active')) return performance.now() - this.readyAt;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    throw new Error(`${pid} had no state after ${seconds} s`);
  }

  async json<Body>(route: string): Promise<Body> {
    const answer = await fetch(`${this.base}/substrate/v1${route}`, { headers: { 'x-substrate-key': this.key } });
    return (await answer.json()) as Body;
  }

  /** The tag of the state, read unless it is still the known one. */
  async tag(pid: number, query: string, known = ''): Promise<string> {
    const headers = { 'x-substrate-key': this.key, 'if-none-match': known };
    const answer = await fetch(`${this.base}/substrate/v1/state/${pid}?${query}`, { headers });
    await answer.arrayBuffer();
    return answer.headers.get('etag') ?? '';
  }

  async text(route: string): Promise<string> {
    const answer = await fetch(`${this.base}/substrate/v1${route}`, { headers: { 'x-substrate-key': this.key } });
    return answer.text();
  }

  /** Resolves when it is open. */
  watch(pid: number): Promise<WebSocket> {
    const url = `${this.base.replace('http', 'ws')}/substrate/v1/watch/${pid}`;
    const socket = new WebSocket(url, { headers: { 'x-substrate-key': this.key } });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () => resolve(socket));
    });
  }

  /** Like a user: it keeps what it has learnt. */
  async stop(): Promise<void> {
    this.program.child.kill('SIGTERM');
    await this.program.ended;
  }
}
