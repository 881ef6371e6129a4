/** Starts the Java programs of test/targets/java on the available JDKs. */
import path from 'node:path';
import { compileJava, findJdks } from '../../scripts/java-targets.mjs';
import { installRuntime } from '../../scripts/runtimes.mjs';
import { type ProgramLaunch, readableBy, startProgram } from './programs.ts';
import { executableFor } from './runtimes.ts';
import type { Target } from './targets.ts';

interface Jdk {
  readonly version: number;
  /** The command `java`. */
  readonly java: string;
}

/** Tests without a version of their own run on this one. */
export const MAIN_JDK = 17;

let found: readonly Jdk[] | null = null;

/** 17, the fetched ones, and others of this machine, oldest first. */
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

/** Debian has it for x64 only. */
export const hasJavaFx = () => compileJava('fx') !== null;

export const SHOP = { target: 'shop', main: 'com.example.coffeeshop.Main' };

interface Launch extends ProgramLaunch {
  readonly jdk?: number;
  /** Options of the virtual machine. */
  readonly options?: readonly string[];
  readonly args?: readonly string[];
  /** Another `java`, of no JDK. */
  readonly java?: string;
  /** A command of the JDK other than `java`. */
  readonly tool?: string;
}

/** Programs of tests end before the second compiler would pay: without it they take a third less CPU. */
export const QUICK = '-XX:TieredStopAtLevel=1';

export async function startJava({ target, main }: typeof SHOP, launch: Launch = {}): Promise<Target> {
  return startVm([QUICK, '-cp', readableBy(launch.uid, classesOf(target)), main, ...(launch.args ?? [])], launch);
}

/** `java` with any arguments. */
export async function startVm(args: readonly string[], launch: Launch = {}): Promise<Target> {
  const java = launch.java ?? path.join(path.dirname(javaOf(launch.jdk ?? MAIN_JDK)), launch.tool ?? 'java');
  const env = { JAVA_TOOL_OPTIONS: undefined, ...launch.env };
  return startProgram(executableFor(launch.uid, java), [...(launch.options ?? []), ...args], { ...launch, env });
}
