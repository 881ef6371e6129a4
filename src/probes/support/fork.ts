import type { ProcessDetails } from '../../model/process.ts';

/**
 * Every runtime has several threads; what its program forks has one, and all else of the program's, until it runs one of its
 * own: a signal in that moment would kill it. What has only just been started looks so, too, and is looked at again a moment
 * later.
 */
export function isFork({ threads }: ProcessDetails): boolean {
  return threads.length === 1;
}
