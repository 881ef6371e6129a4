/** A program that is about to be started, and the driver's additions so that it can be attached to. */
import fs from 'node:fs';
import path from 'node:path';
import { usePlainFile } from './plain-file.ts';

export interface Launch {
  /** The command as it was given. */
  readonly command: string;
  /** The file that was found, with links resolved. */
  readonly file: string;
  readonly realFile: string;
  /** Names by which a driver may recognise it: of both, and of the interpreter of a script. */
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
  /** The changes, or why there are none; for people. */
  readonly summary: string;
  readonly remarks: readonly string[];
  /** The pid of a process that already runs and takes over the start. */
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

/** `#!/usr/bin/env node` -> node; null if it is no script. */
function interpreterOf(file: string): string | null {
  const line = firstLine(file);
  if (!line.startsWith('#!')) return null;
  const [program = '', ...rest] = line.slice(2).trim().split(/\s+/);
  const name = path.basename(program);
  return name === 'env' ? path.basename(rest.find((word) => !word.startsWith('-')) ?? '') : name;
}

function firstLine(file: string): string {
  const bytes = Buffer.alloc(FIRST_BYTES);
  // A program may be executable but not readable.
  return usePlainFile(file, (readAt) => bytes.toString('latin1', 0, readAt(bytes, 0)).split('\n')[0] ?? '') ?? '';
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    // The file is missing, or cannot be resolved: the given path is used.
    return file;
  }
}
