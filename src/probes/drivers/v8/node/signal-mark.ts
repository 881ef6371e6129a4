/**
 * An empty folder that says that SIGUSR1 was ours, from the signal until the inspector is closed, or something in the process
 * is sure to close it. What a daemon leaves open that is killed in between, or ends before a busy process opens it, is then
 * closed by the next one, which could not tell it else from one that a person has opened.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ProcessInfo, ProcessInspector, ProcessRef } from '../../../../model/process.ts';
import { namedPorts } from './find-inspector.ts';

/** Process, start time, and the ports that its command line names for an inspector. */
const NAME = /^substrate-signalled-(\d+)-(\w+)((?:-\d+)*)$/;
const MAX_PORTS = 3;
const ROOT_UID = 0;

/** A mark that was found, and not by looking for that of a certain process. */
export interface LeftMark {
  readonly name: string;
  readonly ref: ProcessRef;
  readonly ports: readonly number[];
}

/** Whether it was made. Never throws: where there is no room for it, the attach goes on without. */
export function leaveMark(target: ProcessInfo): boolean {
  try {
    fs.mkdirSync(placeOf(target), { mode: 0o700 });
    return true;
  } catch {
    // One is there already, or cannot be made.
    return false;
  }
}

export function removeMark(target: ProcessInfo): void {
  remove(placeOf(target));
}

/**
 * Whether a daemon of this user has left its mark; for root, also one of the user of the process. Nobody else's counts: they
 * could have debuggers of ours closed, and theirs could not be removed.
 */
export function hasMark(target: ProcessInfo): boolean {
  return counts(placeOf(target), target.uid);
}

/** Those of all processes, whoever has left them. */
export function findMarks(): LeftMark[] {
  return namesIn(os.tmpdir()).flatMap((name) => {
    const [, pid, startTime, ports = ''] = NAME.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) return [];
    return [{ name, ref: { pid: Number(pid), startTime }, ports: ports.split('-').filter(Boolean).map(Number) }];
  });
}

/** Whether it counts, see `hasMark`, for a process of this user. */
export function isOurMark({ name }: LeftMark, uid: number): boolean {
  return counts(path.join(os.tmpdir(), name), uid);
}

export function removeLeftMark({ name }: LeftMark): void {
  remove(path.join(os.tmpdir(), name));
}

/** Whether what has this name in the folder for temporary files is the mark of a process that is gone. */
export function isStaleMark(name: string, inspect: Pick<ProcessInspector, 'isAlive'>): boolean {
  const [, pid, startTime] = NAME.exec(name) ?? [];
  return pid !== undefined && startTime !== undefined && !inspect.isAlive({ pid: Number(pid), startTime });
}

function placeOf({ pid, startTime, argv }: ProcessInfo): string {
  const ports = namedPorts(argv).slice(-MAX_PORTS);
  return path.join(os.tmpdir(), ['substrate-signalled', pid, startTime.replace(/\W/g, '_'), ...ports].join('-'));
}

function counts(folder: string, uidOfProcess: number): boolean {
  const found = lookAt(folder);
  const user = process.geteuid?.();
  return found !== null && (found.uid === user || (user === ROOT_UID && found.uid === uidOfProcess));
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // Not there: no mark was left.
    return [];
  }
}

function lookAt(folder: string): fs.Stats | null {
  try {
    const found = fs.lstatSync(folder);
    return found.isDirectory() ? found : null;
  } catch {
    // Not there: no mark was left.
    return null;
  }
}

/** An empty folder, and nothing else that may have its name. */
function remove(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // It is gone, or another's.
  }
}
