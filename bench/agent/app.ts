/** The measurement's view of an app: how to install and start it, and tasks that can be verified without the tools. */
import type { ChildProcess } from 'node:child_process';

/** npm packages, name and version. */
export interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

export interface Running {
  /** Its address; empty for programs without one. */
  readonly url: string;
  readonly child: ChildProcess;
  /** For its own files; removed afterwards. */
  readonly folder: string;
}

/** The means of a task's check. */
export interface Truth {
  readonly url: string;
  /** Evaluates in the page, by the debugging protocol. Programs have none. */
  evaluate<T>(expression: string): Promise<T>;
}

export interface Task {
  readonly kind: 'read' | 'act' | 'wait';
  /** The agent's whole input. Sentences are steps. */
  readonly words: string;
  /** An event in the app a while after the agent has begun: the object of a wait. */
  readonly event?: (truth: Truth) => Promise<unknown>;
  /** For a read: whether the answer is right. Otherwise whether the result is there. */
  readonly check: (truth: Truth, answer: string) => boolean | Promise<boolean>;
}

export interface App {
  readonly name: string;
  readonly packages?: Packages;
  /** The app whose installation it uses. */
  readonly installedAs?: string;
  /** Debian packages, unpacked and not installed: without them the app is skipped. */
  readonly debian?: readonly string[];
  /** False if its port does not speak HTTP. */
  readonly isHttp?: boolean;
  start(place: {
    readonly port: number;
    readonly folder: string;
    readonly modules: string;
  }): Running | Promise<Running>;
  /** Fills the app with the data of the tasks, on its server, before a page is opened. */
  readonly fill?: (url: string) => Promise<boolean>;
  /** Throws or returns false until it is ready. */
  ready(truth: Truth): Promise<boolean>;
  /** Web apps: the address of the page, below `url`. */
  readonly page?: string;
  readonly tasks: readonly Task[];
}

/** The answer of the app's server; throws if it is an error. */
export async function ask<Body>(url: string, init?: RequestInit): Promise<Body> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000), ...init });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Body;
}

/** Answers are lines of tools: case and marks do not matter. */
export const says = (text: string) => (_: Truth, answer: string) => answer.toLowerCase().includes(text.toLowerCase());
