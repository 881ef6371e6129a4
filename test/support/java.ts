/** Starts the Java programs of test/targets/java on the JDKs that are there. */
import fs from 'node:fs';
import path from 'node:path';
import { compileJava, findJdks } from '../../scripts/java-targets.mjs';
import { installRuntime } from '../../scripts/runtimes.mjs';
import { start, until } from './real-processes.ts';
import { processInfo, type Target } from './targets.ts';

interface Jdk {
  readonly version: number;
  /** The command `java`. */
  readonly java: string;
}

/** Tests without a version of their own run on this one. */
export const MAIN_JDK = 17;

let found: readonly Jdk[] | null = null;

/** 17, those that are fetched, and what else the machine has, oldest first. */
export function jdks(): readonly Jdk[] {
  found ??= [
    ...(['jdk9', 'jdk11'] as const).flatMap((name) => {
      const java = installRuntime(name);
      return java === null ? [] : [{ version: Number(name.slice(3)), java }];
    }),
    ...findJdks().map(({ version, home }) => ({ version, java: path.join(home, 'bin/java') })),
  ].sort((left, right) => left.version - right.version);
  if (!found.some(({ version }) => version === MAIN_JDK)) throw new Error(`the tests need a JDK ${MAIN_JDK}`);
  return found;
}

export function javaOf(version: number): string {
  const jdk = jdks().find((candidate) => candidate.version === version);
  if (!jdk) throw new Error(`there is no JDK ${version} here`);
  return jdk.java;
}

/** The folder of a program's classes. */
export function classesOf(target: string): string {
  const classes = compileJava(target);
  if (classes === null) throw new Error(`no JDK here can compile ${target}`);
  return classes;
}

export const SHOP = { target: 'shop', main: 'com.example.coffeeshop.Main' };

interface Launch {
  readonly jdk?: number;
  /** Options of the virtual machine. */
  readonly options?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly uid?: number;
  readonly cwd?: string;
  /** Another `java`, of no JDK. */
  readonly java?: string;
  /** Another command of the JDK than `java`. */
  readonly tool?: string;
  /** Starts java by another command: `['unshare', '-rmpf', '--kill-child']`. */
  readonly by?: readonly string[];
  /** Resolves when this is in its output; without it, at the first line. */
  readonly ready?: RegExp;
}

export async function startJava({ target, main }: typeof SHOP, launch: Launch = {}): Promise<Target> {
  return startVm(['-cp', readableClasses(classesOf(target), launch.uid), main, ...(launch.args ?? [])], launch);
}

/** `java` with any arguments. */
export async function startVm(args: readonly string[], launch: Launch = {}): Promise<Target> {
  const java = launch.java ?? path.join(path.dirname(javaOf(launch.jdk ?? MAIN_JDK)), launch.tool ?? 'java');
  const [file = java, ...before] = [...(launch.by ?? []), java];
  const { pid, child } = start(file, [...before, ...(launch.options ?? []), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, JAVA_TOOL_OPTIONS: undefined, ...launch.env },
    ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
    ...(launch.uid === undefined ? {} : { uid: launch.uid, gid: launch.uid }),
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = launch.ready ?? /\n/;
  await until('java to be ready', () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended at once: ${output}`);
    return ready.test(output);
  });
  const vm = launch.by === undefined ? pid : await until('java below it', () => javaBelow(pid));
  return {
    pid: vm,
    info: await processInfo(vm),
    output: () => output,
    exited,
    exitCode: () => child.exitCode,
    write: (text) => void child.stdin?.write(text),
  };
}

/** Another user may not be able to look into the folder of this project. */
function readableClasses(classes: string, uid: number | undefined): string {
  if (uid === undefined) return classes;
  const copy = fs.mkdtempSync('/tmp/substrate-test-classes-');
  fs.cpSync(classes, copy, { recursive: true });
  fs.chmodSync(copy, 0o755);
  copies.push(copy);
  return copy;
}

const copies: string[] = [];

/** After `endAll`. */
export function removeCopies(): void {
  for (const copy of copies.splice(0)) fs.rmSync(copy, { recursive: true, force: true });
}

/** The process itself, once it has become java, or a child of it that has. */
function javaBelow(pid: number): number | null {
  const stack = [pid];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (nameOf(next) === 'java') return next;
    stack.push(...childrenOf(next));
  }
  return null;
}

function nameOf(pid: number): string {
  try {
    return path.basename(fs.readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
