/** A real daemon of the built files, with a home of its own, and a key for it. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import WebSocket from 'ws';
import { openKeyStore } from '../../src/cli/key-command.ts';
import type { AppSummary, SubstrateState } from '../../src/model/wire.ts';
import { until } from './real-processes.ts';

export const BINARY = path.resolve(import.meta.dirname, '../../dist/substrate.js');

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A test runner starts the programs of tests, and most end soon: a daemon leaves both alone by default. */
export const EAGER = {
  SUBSTRATE_SCANNER__ATTACH: 'all',
  // The browsers of tests run as another user.
  SUBSTRATE_SCANNER__ROOT_INSPECTORS: 'true',
  SUBSTRATE_PROBE__SETTLE_MS: '0',
};

/** The targets of tests exist to be read: their costs are measured elsewhere. */
const UNLIMITED = {
  SUBSTRATE_PROBE__BUDGET_POLL_PERCENT: '100',
  SUBSTRATE_PROBE__BUDGET_SEARCH_PERCENT: '100',
  SUBSTRATE_PROBE__BUDGET_SEARCH_MS: '30000',
};

const homes: string[] = [];
const daemons = new Set<RunningDaemon>();

export function makeHome(): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-home-'));
  homes.push(home);
  return home;
}

/** Only what a program needs, so that the tester's own settings have no effect. */
export function cleanEnv(home: string, extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, TMPDIR: os.tmpdir(), ...extra };
}

export async function run(
  home: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [BINARY, ...args], {
    env: cleanEnv(home, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/** Like `substrate keygen`, but in this process. */
export async function makeKey(home: string, label = 'test'): Promise<{ key: string; id: string }> {
  const { store } = openKeyStore({ env: cleanEnv(home), homeDir: home, stdout: () => {}, stderr: () => {} });
  const { key, record } = await store.create(label);
  return { key, id: record.id };
}

export class RunningDaemon {
  readonly child: ChildProcess;
  readonly base: string;
  readonly key: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  private readonly exited: Promise<number | null>;

  private constructor(child: ChildProcess, base: string, key: string, stdout: () => string, stderr: () => string) {
    this.child = child;
    this.base = base;
    this.key = key;
    this.stdout = stdout;
    this.stderr = stderr;
    this.exited = new Promise((resolve) => child.once('exit', resolve));
    daemons.add(this);
  }

  static async start(
    home: string,
    options: {
      env?: Record<string, string>;
      key?: string;
      node?: string;
      budgets?: 'tests' | 'users';
      /** Starts it by another command. */
      by?: readonly string[];
    } = {},
  ): Promise<RunningDaemon> {
    const key = options.key ?? (await makeKey(home)).key;
    const budgets = options.budgets === 'users' ? {} : UNLIMITED;
    const env = cleanEnv(home, { ...EAGER, ...budgets, SUBSTRATE_SERVER__PORT: '0', ...options.env });
    const node = options.node ?? process.execPath;
    const [program = node, ...rest] = [...(options.by ?? []), node, BINARY, 'serve'];
    const child = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const base = await until('the ready line', () => {
      if (child.exitCode !== null) throw new Error(`the daemon ended: ${stderr}`);
      return /^substrate listening on (http:\/\/\S+)\n/.exec(stdout)?.[1];
    });
    return new RunningDaemon(
      child,
      base,
      key,
      () => stdout,
      () => stderr,
    );
  }

  async get<Body = Record<string, unknown>>(route: string): Promise<Answer<Body>> {
    return this.request<Body>(route, {});
  }

  async post<Body = Record<string, unknown>>(route: string, body: unknown): Promise<Answer<Body>> {
    return this.request<Body>(route, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** A link to the dashboard, for one browser. */
  async link(): Promise<string> {
    const { body } = await this.post<{ code: string }>('/substrate/v1/dashboard/code', {});
    return `${this.base}/#code=${body.code}`;
  }

  async app(pid: number): Promise<AppSummary | undefined> {
    const { body } = await this.get<{ apps: AppSummary[] }>('/substrate/v1/apps');
    return body.apps.find((app) => app.pid === pid);
  }

  /** Waits for the app's first snapshot. */
  async state(pid: number): Promise<SubstrateState> {
    await until(`state of ${pid}`, async () => (await this.app(pid))?.has_state);
    return (await this.get<SubstrateState>(`/substrate/v1/state/${pid}`)).body;
  }

  watch(pid: number): WebSocket {
    return new WebSocket(`${this.base.replace('http', 'ws')}/substrate/v1/watch/${pid}?key=${this.key}`);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    daemons.delete(this);
    this.child.kill(signal);
    return this.exited;
  }

  private async request<Body>(route: string, init: RequestInit): Promise<Answer<Body>> {
    const response = await fetch(`${this.base}${route}`, {
      ...init,
      headers: { 'x-substrate-key': this.key, ...init.headers },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }
}

/** For afterEach: ends and removes everything of a test. */
export async function stopAll(): Promise<void> {
  await Promise.all([...daemons].map((daemon) => daemon.stop('SIGKILL')));
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true });
}
