/** Computes the difference of two captures from the daemon's answers, each of which compares one with the latest. */
import type { DiffResponse, Scalar } from '../../client/index.ts';
import type { Differences } from '../live/state-diff.ts';

/** Undefined if the key did not exist. */
interface Ends {
  readonly earlier: Scalar | undefined;
  readonly latest: Scalar | undefined;
}

/** From the capture of `first` to that of `second`. Exact only if both were compared with the same latest capture. */
export function composeDiff(first: Differences, second: Differences): Differences {
  const [ofFirst, ofSecond] = [endsByKey(first), endsByKey(second)];
  const composed: Differences = { changed: [], added: [], removed: [] };
  for (const path of new Set([...ofFirst.keys(), ...ofSecond.keys()])) {
    const [a, b] = [ofFirst.get(path), ofSecond.get(path)];
    // A key that one of them does not mention already had its latest value then.
    const before = a ? a.earlier : b?.latest;
    const after = b ? b.earlier : a?.latest;
    if (before === after) continue;
    if (before === undefined) composed.added.push({ path, value: after ?? null });
    else if (after === undefined) composed.removed.push({ path, value: before });
    else composed.changed.push({ path, before, after });
  }
  return composed;
}

export function isSameHead(first: DiffResponse, second: DiffResponse): boolean {
  return first.capture_id === second.capture_id;
}

function endsByKey({ changed, added, removed }: Differences): Map<string, Ends> {
  return new Map<string, Ends>([
    ...changed.map(({ path, before, after }) => [path, { earlier: before, latest: after }] as const),
    ...added.map(({ path, value }) => [path, { earlier: undefined, latest: value }] as const),
    ...removed.map(({ path, value }) => [path, { earlier: value, latest: undefined }] as const),
  ]);
}
