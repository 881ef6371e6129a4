/** A program that is about to be started, and what a driver adds so that it can be attached to. */
import fs from 'node:fs';
import path from 'node:path';
import { usePlainFile } from './plain-file.ts';

export interface Launch {
  /** As it was given. */
  readonly command: string;
  /** Where it was found, and where that leads to. */
  readonly file: string;
  readonly realFile: string;
  /** What it may be known by: the names of both, and of what runs it when it is a script. */
  readonly names: readonly string[];
  readonly isScript: boolean;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly homeDir: string;
  /** The data folder. */
  readonly storageDir: string;
}

export interface LaunchHelp {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What was done, or why nothing was; for people. */
  readonly summary: string;
  readonly remarks: readonly string[];
  /** A process that takes over from the one that would be started. */
  readonly runningPid?: number;
}

const FIRST_BYTES = 256;

export function lookAtLaunch(given: Omit<Launch, 'realFile' | 'names' | 'isScript'>): Launch {
  const realFile = realPath(given.file);
  const interpreter = interpreterOf(realFile);
  const names = [path.basename(given.command), path.basename(realFile), ...(interpreter === null ? [] : [interpreter])];
  return { ...given, realFile, names, isScript: interpreter !== null };
}

export function needsNothing({ args, env }: Launch, name: string): LaunchHelp {
  return { args, env, summary: `${name} needs nothing`, remarks: [] };
}

/** `#!/usr/bin/env node` -> node; null: not a script. */
function interpreterOf(file: string): string | null {
  const line = firstLine(file);
  if (!line.startsWith('#!')) return null;
  const [program = '', ...rest] = line.slice(2).trim().split(/\s+/);
  const name = path.basename(program);
  return name === 'env' ? path.basename(rest.find((word) => !word.startsWith('-')) ?? '') : name;
}

function firstLine(file: string): string {
  const bytes = Buffer.alloc(FIRST_BYTES);
  // A program may be run by those who may not read it.
  return usePlainFile(file, (readAt) => bytes.toString('latin1', 0, readAt(bytes, 0)).split('\n')[0] ?? '') ?? '';
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    // Not there, or not to be resolved: the path as it was given will do.
    return file;
  }
}
