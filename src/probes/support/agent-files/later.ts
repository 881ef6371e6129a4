/** For what a process may do long after it was asked to. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessInspector, ProcessRef } from '../../../model/process.ts';
import { type HeldFolder, openSeenBy } from './held-folder.ts';

/**
 * Looks into a folder of the process again and again, until `isDone` answers true or the folder is gone. Opened anew each
 * time: the folder of a container is not held by us for so long. Never rejects.
 */
export async function pollFolder(
  ref: ProcessRef,
  folder: string,
  inspect: ProcessInspector,
  pollMs: number,
  isDone: (folder: HeldFolder) => boolean | Promise<boolean>,
): Promise<void> {
  for (;;) {
    await delay(pollMs, undefined, { ref: false });
    let held: HeldFolder;
    try {
      held = openSeenBy(ref, folder, inspect);
    } catch {
      // The process has ended, and its files with it.
      return;
    }
    try {
      if (await isDone(held)) return;
    } catch {
      // The process has ended, and its files with it.
      return;
    } finally {
      held.close();
    }
  }
}
