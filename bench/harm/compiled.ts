/** The Java and C# programs of this folder, compiled once for each change. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findJdks } from '../../scripts/java-targets.mjs';
import { CACHE, PROGRAMS } from './folders.ts';

const JDK = 17;
const CLASSES = path.join(CACHE, 'java');
const MONO_PROGRAM = path.join(CACHE, 'mono/Brief.exe');

/** Null if there is no such JDK. */
function jdkCommand(name: string): string | null {
  const jdk = findJdks().find(({ version }) => version === JDK);
  return jdk === undefined ? null : path.join(jdk.home, 'bin', name);
}

/** The command that runs a class, or null without a JDK. */
export function javaCommand(main: string, options: readonly string[] = []): string[] | null {
  const java = jdkCommand('java');
  return java === null ? null : [java, ...options, '-cp', CLASSES, main];
}

/** The command that runs Brief.cs, or null without Mono. */
export function monoCommand(): string[] | null {
  return fs.existsSync(MONO_PROGRAM) ? ['mono', MONO_PROGRAM] : null;
}

export function compileJava(): void {
  const javac = jdkCommand('javac');
  if (javac === null) return;
  const sources = ['Job.java', 'Brief.java'].map((file) => path.join(PROGRAMS, 'java', file));
  compile(javac, ['-g', '-d', CLASSES, ...sources], CLASSES);
}

export function compileMono(): void {
  const folder = path.dirname(MONO_PROGRAM);
  if (spawnSync('mcs', ['--version'], { stdio: 'ignore' }).status !== 0) return;
  compile('mcs', [`-out:${MONO_PROGRAM}`, path.join(PROGRAMS, 'mono/Brief.cs')], folder);
}

function compile(compiler: string, args: readonly string[], folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  if (spawnSync(compiler, args, { stdio: ['ignore', 2, 2] }).status !== 0) throw new Error(`${compiler} failed`);
}
