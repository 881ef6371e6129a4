import type { ProcessDetails } from '../../model/process.ts';

/**
 * Every runtime has several threads; a forked child has one, and everything else of the program, until it runs exec: a
 * signal in that moment would kill it. A process that has just started looks the same, and is checked again a moment
 * later.
 */
export function isFork({ threads }: ProcessDetails): boolean {
  return threads.length === 1;
}
