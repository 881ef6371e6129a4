/** The folder of an agent in a .NET or Mono program, and the names of its files. */
import fs from 'node:fs';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { AttachError } from '../../probe.ts';
import { AgentFolder, type FolderKind } from '../../support/agent-files/agent-folder.ts';
import { type HeldFolder, openSeenBy } from '../../support/agent-files/held-folder.ts';

/**
 * The possible folders, best first: memory, then disk. The agent searches the same places for the same name, because
 * the assembly of an earlier attach does not know where a later one has put its files.
 */
export const PARENTS = ['/dev/shm', '/tmp'] as const;
/** The file that both sides map into memory. */
export const CHANNEL = 'chan';
/** FIFOs: the daemon signals on the first, the agent on the second. */
export const REQUEST_WAKEUP = 'req';
export const ANSWER_WAKEUP = 'res';
/** The daemon listens on it so that another daemon sees that the agent is in use. */
export const LOCK = 'daemon.sock';

export const CLR_FOLDER: FolderKind = {
  prefix: 'substrate-clr-',
  program: '.NET program',
  channel: new Set([CHANNEL, REQUEST_WAKEUP, ANSWER_WAKEUP, LOCK]),
};

/** The folder of an agent that came with its program, before it has its final name (agent/channel/HeldFolder.cs). */
export const NEW_FOLDER: FolderKind = { ...CLR_FOLDER, prefix: `.${CLR_FOLDER.prefix}` };

/** Whether an agent is registered there. Changes nothing. */
export function hasAgent(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): boolean {
  return PARENTS.some((name) => {
    let parent: HeldFolder;
    try {
      parent = openSeenBy(process, name, inspect);
    } catch {
      // An agent in a folder that cannot be opened could not be reached.
      return false;
    }
    try {
      return AgentFolder.has(CLR_FOLDER, process, details, parent, REQUEST_WAKEUP);
    } finally {
      parent.close();
    }
  });
}

/** Room for the assembly, the channel, and answers that are not sent in small parts. */
const ROOM_BYTES = 8 * 1024 * 1024;

/** Opens the existing folder, or makes a new one. Throws `AttachError` when there is no room for one anywhere. */
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
