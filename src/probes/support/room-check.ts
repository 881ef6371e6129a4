/** Whether a program can open the files that an attach opens in it. */
import type { ProcessDetails } from '../../model/process.ts';
import { AttachError } from '../probe.ts';

/**
 * More than any attach needs. With too few, Node aborts while it opens its inspector, and other runtimes load half an
 * agent.
 */
const NEEDED = 24;

/** Called before anything is done to the program. Throws `AttachError`. */
export function checkRoom({ freeDescriptors }: ProcessDetails): void {
  if (freeDescriptors === null || freeDescriptors >= NEEDED) return;
  const left = freeDescriptors === 0 ? 'no more files' : `only ${freeDescriptors} more files`;
  throw new AttachError(`The program may open ${left} (its limit of file descriptors), and is left alone.`, {
    retry: true,
    remedy: 'Raise its limit (prlimit --nofile); it is tried again later.',
  });
}
