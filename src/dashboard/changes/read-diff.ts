/** Requests the difference between two captures. */
import type { DiffResponse, Substrate } from '../../client/index.ts';
import type { Differences } from '../live/state-diff.ts';
import { composeDiff, isSameHead } from './compose-diff.ts';

/** An app that changes all the time has a new capture for each request: after this many the user gets an error. */
const MAX_TRIES = 8;

export interface DiffQuestion {
  readonly pid: number;
  readonly from: string;
  /** Null for now. */
  readonly to: string | null;
}

export async function readDiff(
  substrate: Pick<Substrate, 'diff'>,
  { pid, from, to }: DiffQuestion,
  signal?: AbortSignal,
): Promise<Differences> {
  const ask = (since: string) => substrate.diff(pid, since, signal ? { signal } : {});
  if (to === null) return await ask(from);
  let [first, second]: [DiffResponse, DiffResponse] = await Promise.all([ask(from), ask(to)]);
  for (let tries = 1; !isSameHead(first, second); tries++) {
    if (tries === MAX_TRIES) throw new Error('The app changes faster than two captures can be compared. Try again.');
    [first, second] = await Promise.all([ask(from), ask(to)]);
  }
  return composeDiff(first, second);
}
