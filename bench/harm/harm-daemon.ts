/** The built daemon as its users run it: default settings, a home of its own, a key. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { excludedPids } from '../shared/alone.ts';
import { cleanEnv, ownCpu, type Program, startProgram, waitFor } from '../shared/proc.ts';
import { BINARY } from './folders.ts';

const run = promisify(execFile);
const START_SECONDS = 30;
const LOOK_MS = 250;

export interface Attachment {
  readonly pid: number;
  readonly probe_status: string;
  readonly reason: string;
  readonly cost: { readonly stopped_by: string | null } | null;
}

/** A program with one of these statuses has been touched. */
const ATTACH_SECONDS = 60;
const TOUCHED = new Set(['attaching', 'cold_probe', 'active', 'error']);
export const isTouched = ({ probe_status }: Attachment) => TOUCHED.has(probe_status);

export class HarmDaemon {
  private readonly program: Program;
  private readonly home: string;
  private readonly base: string;
  private readonly key: string;

  private constructor(program: Program, home: string, base: string, key: string) {
    this.program = program;
    this.home = home;
    this.base = base;
    this.key = key;
  }

  /** A new home each time, so that no app is known. */
  static async start(): Promise<HarmDaemon> {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-harm-'));
    const env = cleanEnv(home, {
      SUBSTRATE_SERVER__PORT: '0',
      SUBSTRATE_SCANNER__EXCLUDE: excludedPids().join(),
      // As for everybody but root.
      SUBSTRATE_SCANNER__ROOT_INSPECTORS: 'true',
    });
    const keygen = await run(process.execPath, [BINARY, 'keygen', '--json'], { env });
    const { key } = JSON.parse(keygen.stdout) as { key: string };
    const program = startProgram(process.execPath, [BINARY, 'serve'], { env });
    const base = await waitFor('the daemon', START_SECONDS, () => {
      if (program.child.exitCode !== null) throw new Error(`the daemon ended: ${program.stderr()}`);
      return /listening on (http:\/\/\S+)\n/.exec(program.stdout())?.[1];
    });
    const daemon = new HarmDaemon(program, home, base, key);
    await daemon.attachments();
    return daemon;
  }

  async attachments(): Promise<readonly Attachment[]> {
    return (await this.ask<{ apps: Attachment[] }>('/attach')).apps;
  }

  async statusOf(pid: number): Promise<Attachment | undefined> {
    return (await this.attachments()).find((app) => app.pid === pid);
  }

  /** The answer comes when the app has a state; at once if the daemon has begun to attach by itself. */
  async attach(pid: number): Promise<void> {
    let { probe_status, reason } = await this.ask<Attachment>(`/attach/${pid}`, {});
    await waitFor(`the attach to ${pid}`, ATTACH_SECONDS, async () => {
      ({ probe_status, reason } = (await this.statusOf(pid)) ?? { probe_status, reason });
      return probe_status === 'active' || probe_status === 'error';
    });
    if (probe_status !== 'active') throw new Error(`${pid} is ${probe_status}: ${reason}`);
  }

  async detach(pid: number): Promise<void> {
    await this.ask(`/detach/${pid}`, {});
  }

  /** The size of the state: an empty one costs nothing. Call it after the measurement. */
  async sight(pid: number): Promise<string> {
    const { objects } = await this.ask<{ objects: object }>(`/state/${pid}`);
    const stoppedBy = (await this.statusOf(pid))?.cost?.stopped_by;
    return `${Object.keys(objects).length} keys seen${stoppedBy ? `, then the budget of ${stoppedBy} was spent` : ''}`;
  }

  /** Seconds of CPU time so far. */
  cpu(): number {
    return ownCpu(this.program.pid);
  }

  /** Records which programs it touches from now on; the returned function gives their pids, and ends the recording. */
  watchAttaches(): () => Promise<ReadonlySet<number>> {
    const touched = new Set<number>();
    let isOver = false;
    const look = async () => {
      for (const app of await this.attachments()) if (isTouched(app)) touched.add(app.pid);
    };
    const watching = (async () => {
      for (; !isOver; await delay(LOOK_MS)) await look();
      await look();
    })();
    return async () => {
      isOver = true;
      await watching;
      return touched;
    };
  }

  /** Like a user: it leaves all apps. */
  async stop(): Promise<void> {
    const { child } = this.program;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the daemon has ended by itself');
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await closed;
    fs.rmSync(this.home, { recursive: true, force: true });
  }

  private async ask<Body>(route: string, body?: object): Promise<Body> {
    const headers = { 'x-substrate-key': this.key, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${this.base}/substrate/v1${route}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as Body;
  }
}

/** `on` and `off` run the same; only the daemon differs. */
export async function withDaemon<Result>(
  isOn: boolean,
  work: (daemon: HarmDaemon | null) => Promise<Result>,
): Promise<Result> {
  if (!isOn) return work(null);
  const daemon = await HarmDaemon.start();
  try {
    return await work(daemon);
  } finally {
    await daemon.stop();
  }
}
