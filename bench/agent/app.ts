/** What the measurement knows of an app: how to install and start it, and tasks whose truth can be seen past the tools. */
import type { ChildProcess } from 'node:child_process';

/** Of npm, name and version. */
export interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

export interface Running {
  /** Where it answers; empty for programs that do not. */
  readonly url: string;
  readonly child: ChildProcess;
  /** For its own files; removed afterwards. */
  readonly folder: string;
}

/** What a task's check may ask. */
export interface Truth {
  readonly url: string;
  /** In the page, by the debugging protocol. Programs have none. */
  evaluate<T>(expression: string): Promise<T>;
}

export interface Task {
  readonly kind: 'read' | 'act' | 'wait';
  /** All that the agent is told. Sentences are steps. */
  readonly words: string;
  /** What happens in the app a while after the agent has begun: what a wait waits for. */
  readonly event?: (truth: Truth) => Promise<unknown>;
  /** Of a read: whether the answer is right. Else whether it has come about. */
  readonly check: (truth: Truth, answer: string) => boolean | Promise<boolean>;
}

export interface App {
  readonly name: string;
  readonly packages?: Packages;
  /** The app whose installation it is. */
  readonly installedAs?: string;
  /** Of Debian, unpacked and not installed: without them the app is skipped. */
  readonly debian?: readonly string[];
  /** False: what answers at its port is something else. */
  readonly isHttp?: boolean;
  start(place: {
    readonly port: number;
    readonly folder: string;
    readonly modules: string;
  }): Running | Promise<Running>;
  /** Its server, before a page is opened; puts in what the tasks are about. */
  readonly fill?: (url: string) => Promise<boolean>;
  /** Throws or says false as long as it is not ready. */
  ready(truth: Truth): Promise<boolean>;
  /** Web apps: where the page is, below `url`. */
  readonly page?: string;
  readonly tasks: readonly Task[];
}

/** Whether an answer of the app's server is as expected. */
export async function ask<Body>(url: string, init?: RequestInit): Promise<Body> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000), ...init });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Body;
}

/** Answers are lines of tools: case and marks do not matter. */
export const says = (text: string) => (_: Truth, answer: string) => answer.toLowerCase().includes(text.toLowerCase());
