/** Watches for the late effects of a request to a process. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessInspector, ProcessRef } from '../../../model/process.ts';
import { type HeldFolder, openSeenBy } from './held-folder.ts';

/**
 * Polls a folder of the process until `isDone` returns true or the folder is gone. It is opened again each time: the
 * folder of a container is not held open for so long. Never rejects.
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
