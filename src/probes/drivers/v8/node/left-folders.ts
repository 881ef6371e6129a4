/**
 * The folder of the agent's socket, and the mark of a signal, are there for the seconds of an attach. They stay when the
 * target and the daemon are killed within them: the next daemon removes them.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { ProcessInspector } from '../../../../model/process.ts';
import { HeldFolder } from '../../../support/agent-files/held-folder.ts';
import { isStaleMark } from './signal-mark.ts';

export const SOCKET = 'agent.sock';
const NAME = /^substrate-agent-[0-9a-f]{16}$/;
/** No attach takes that long. */
const OLD_MS = 60_000;

/** Only those of this user: nobody else can put another folder in their place. Never throws. */
export function sweepLeftFolders(parent: string, inspect: Pick<ProcessInspector, 'isAlive'>): void {
  for (const name of namesIn(parent)) {
    if (!NAME.test(name) && !isStaleMark(name, inspect)) continue;
    const folder = path.join(parent, name);
    try {
      const found = fs.lstatSync(folder);
      if (!found.isDirectory() || found.uid !== process.geteuid?.()) continue;
      if (Date.now() - found.mtimeMs < OLD_MS) continue;
      removeAgentFolder(folder, found.uid);
    } catch {
      // It is gone.
    }
  }
}

/** Removes only the files of an agent: the target names the folder, and may replace it at any time. Never throws. */
export function removeAgentFolder(folder: string, owner: number): void {
  try {
    const held = HeldFolder.open(folder);
    try {
      if (held.stat().uid === owner) held.remove(SOCKET);
    } finally {
      held.close();
    }
    // By its name, so only an empty one goes.
    const parent = HeldFolder.open(path.dirname(folder));
    try {
      fs.rmdirSync(parent.at(path.basename(folder)));
    } finally {
      parent.close();
    }
  } catch {
    // It is gone, or holds what is not ours: it stays as it is.
  }
}

function namesIn(parent: string): string[] {
  try {
    return fs.readdirSync(parent);
  } catch {
    // Not there: nothing was left in it.
    return [];
  }
}
