/** The program that sends requests: a process of its own, which the daemon leaves alone. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { exclude } from '../shared/alone.ts';
import { PROGRAMS } from './folders.ts';

/** Times in ms. */
export interface Times {
  readonly count: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export class Load {
  private readonly child: ChildProcess;

  /** Create it before the daemons that have to leave it alone. */
  constructor() {
    this.child = fork(path.join(PROGRAMS, 'load.cjs'), { execArgv: [] });
    if (this.child.pid !== undefined) exclude(this.child.pid);
  }

  start(port: number, rate: number): void {
    this.child.send({ start: port, rate });
  }

  stop(): void {
    this.child.send({ stop: true });
  }

  /** The times of all answers since the last call. */
  async take(): Promise<Times> {
    const answer = once(this.child, 'message');
    this.child.send({ take: true });
    const [times] = (await answer) as [Times];
    return times;
  }

  end(): void {
    this.child.disconnect();
  }
}
