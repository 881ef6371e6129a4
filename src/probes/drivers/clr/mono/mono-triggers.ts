/** The trigger files of Mono's attach: each exists for a moment, unless a daemon was killed in it. */
import fs from 'node:fs';
import { type HeldFolder, openOwn } from '../../../support/agent-files/held-folder.ts';

const NAME = /^\.mono_attach_pid(\d+)$/;
/** A process in a container that shares the folder has a pid that does not exist here: so only old triggers are removed. */
const OLD_MS = 10 * 60_000;

export function triggerOf(pid: number): string {
  return `.mono_attach_pid${pid}`;
}

/**
 * Removes those of processes that are gone: another process with that pid would take a SIGQUIT for an attach. Never
 * throws.
 */
export function sweepTriggers(folder: string): void {
  try {
    const parent = openOwn(folder);
    try {
      for (const name of parent.list()) if (isLeft(parent, name)) parent.remove(name);
    } finally {
      parent.close();
    }
  } catch {
    // There is no such folder, or another process was faster.
  }
}

function isLeft(parent: HeldFolder, name: string): boolean {
  const pid = NAME.exec(name)?.[1];
  const found = pid === undefined ? null : parent.lookAt(name);
  if (!found?.isFile() || found.size > 0 || Date.now() - found.mtimeMs < OLD_MS) return false;
  const user = process.geteuid?.();
  return (user === 0 || user === found.uid) && !fs.existsSync(`/proc/${pid}`);
}
