/** The folder of an agent in a .NET or Mono program, and the names of what is in it. */
import fs from 'node:fs';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { AttachError } from '../../probe.ts';
import { AgentFolder, type FolderKind } from '../../support/agent-files/agent-folder.ts';
import { type HeldFolder, openSeenBy } from '../../support/agent-files/held-folder.ts';

/**
 * Where it may be, best first: memory, else a disk. The agent looks in the same places, by the same name, because the
 * assembly of an earlier attach does not know where a later one has put its files.
 */
export const PARENTS = ['/dev/shm', '/tmp'] as const;
/** The file that both sides have in memory. */
export const CHANNEL = 'chan';
/** FIFOs: the daemon rings the first, the agent the second. */
export const REQUEST_WAKEUP = 'req';
export const ANSWER_WAKEUP = 'res';
/** While the daemon listens on it, another one knows that the agent is taken. */
export const LOCK = 'daemon.sock';

export const CLR_FOLDER: FolderKind = {
  prefix: 'substrate-clr-',
  program: '.NET program',
  channel: new Set([CHANNEL, REQUEST_WAKEUP, ANSWER_WAKEUP, LOCK]),
};

/** The same, while an agent that came with its program has not moved in yet (agent/channel/HeldFolder.cs). */
export const NEW_FOLDER: FolderKind = { ...CLR_FOLDER, prefix: `.${CLR_FOLDER.prefix}` };

/** Whether an agent has made itself known there. Changes nothing. */
export function hasAgent(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): boolean {
  return PARENTS.some((name) => {
    let parent: HeldFolder;
    try {
      parent = openSeenBy(process, name, inspect);
    } catch {
      // A folder that cannot be looked into has no agent that could be reached.
      return false;
    }
    try {
      return AgentFolder.has(CLR_FOLDER, process, details, parent, REQUEST_WAKEUP);
    } finally {
      parent.close();
    }
  });
}

/** For the assembly, the channel, and answers that are not sent in small parts. */
const ROOM_BYTES = 8 * 1024 * 1024;

/** The one that is there, or a new one. Throws `AttachError` when there is no room for one anywhere. */
export function openClrFolder(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): AgentFolder {
  let refused: unknown;
  for (const isGood of [isThere, hasRoom, () => true])
    for (const name of PARENTS) {
      try {
        const parent = openSeenBy(process, name, inspect);
        try {
          if (isGood(parent, process, details)) return AgentFolder.open(CLR_FOLDER, process, details, parent);
          parent.close();
        } catch (error) {
          parent.close();
          throw error;
        }
      } catch (error) {
        refused = error;
      }
    }
  if (refused instanceof AttachError) throw refused;
  throw new AttachError(`The .NET program has no ${PARENTS.join(' and no ')} where the files of the agent could be.`, {
    retry: true,
    cause: refused,
  });
}

function isThere(parent: HeldFolder, process: ProcessInfo, details: ProcessDetails): boolean {
  return AgentFolder.isThere(CLR_FOLDER, process, details, parent);
}

function hasRoom(parent: HeldFolder): boolean {
  const { bavail, bsize } = fs.statfsSync(parent.at('.'));
  return bavail * bsize >= ROOM_BYTES;
}
