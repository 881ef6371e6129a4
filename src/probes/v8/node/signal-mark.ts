/**
 * An empty folder that says that SIGUSR1 was ours, from the signal until the inspector is closed, or something in the process
 * is sure to close it. What a daemon leaves open that is killed in between, or ends before a busy process opens it, is then
 * closed by the next one, which could not tell it else from one that a person has opened.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ProcessInfo, ProcessInspector } from '../../../model/process.ts';

const NAME = /^substrate-signalled-(\d+)-(\w+)$/;
const ROOT_UID = 0;

/** Never throws: where there is no room for it, the attach goes on without. */
export function leaveMark(target: ProcessInfo): void {
  try {
    fs.mkdirSync(placeOf(target), { mode: 0o700 });
  } catch {
    // One is there already, or cannot be made.
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
  const found = lookAt(placeOf(target));
  const user = process.geteuid?.();
  return found !== null && (found.uid === user || (user === ROOT_UID && found.uid === target.uid));
}

/** Whether what has this name in the folder for temporary files is the mark of a process that is gone. */
export function isStaleMark(name: string, inspect: Pick<ProcessInspector, 'isAlive'>): boolean {
  const [, pid, startTime] = NAME.exec(name) ?? [];
  return pid !== undefined && startTime !== undefined && !inspect.isAlive({ pid: Number(pid), startTime });
}

function placeOf({ pid, startTime }: ProcessInfo): string {
  return path.join(os.tmpdir(), `substrate-signalled-${pid}-${startTime.replace(/\W/g, '_')}`);
}

function lookAt(folder: string): fs.Stats | null {
  try {
    const found = fs.lstatSync(folder);
    return found.isDirectory() ? found : null;
  } catch {
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
