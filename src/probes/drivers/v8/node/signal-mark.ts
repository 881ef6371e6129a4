/**
 * An empty folder that marks SIGUSR1 as ours, from the signal until the inspector is closed, or until something in the
 * process is certain to close it. If a daemon is killed in between, or ends before a busy process opens the inspector,
 * the next daemon closes it; without the mark it could not distinguish it from one that a person has opened.
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

/** A mark that was found without looking for a certain process. */
export interface LeftMark {
  readonly name: string;
  readonly ref: ProcessRef;
  readonly ports: readonly number[];
}

/** Returns true if it was created. Never throws: the attach goes on without it. */
export function leaveMark(target: ProcessInfo): boolean {
  try {
    fs.mkdirSync(placeOf(target), { mode: 0o700 });
    return true;
  } catch {
    // It exists already, or cannot be created.
    return false;
  }
}

export function removeMark(target: ProcessInfo): void {
  remove(placeOf(target));
}

/**
 * True if a daemon of this user has left its mark; for root, also one of the user of the process. Marks of others do
 * not count: they could make us close debuggers of ours, and their marks could not be removed.
 */
export function hasMark(target: ProcessInfo): boolean {
  return counts(placeOf(target), target.uid);
}

/** The marks of all processes, whoever left them. */
export function findMarks(): LeftMark[] {
  return namesIn(os.tmpdir()).flatMap((name) => {
    const [, pid, startTime, ports = ''] = NAME.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) return [];
    return [{ name, ref: { pid: Number(pid), startTime }, ports: ports.split('-').filter(Boolean).map(Number) }];
  });
}

/** True if it counts, see `hasMark`, for a process of this user. */
export function isOurMark({ name }: LeftMark, uid: number): boolean {
  return counts(path.join(os.tmpdir(), name), uid);
}

export function removeLeftMark({ name }: LeftMark): void {
  remove(path.join(os.tmpdir(), name));
}

/** True if this entry of the temporary folder is the mark of a process that is gone. */
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
    // No mark was left.
    return [];
  }
}

function lookAt(folder: string): fs.Stats | null {
  try {
    const found = fs.lstatSync(folder);
    return found.isDirectory() ? found : null;
  } catch {
    // No mark was left.
    return null;
  }
}

/** Removes an empty folder, and nothing else of that name. */
function remove(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // It is gone, or belongs to somebody else.
  }
}
