/** The structure of a state that is too large to be shown: patterns of keys, each of which can be requested. */

interface Group {
  /** A glob: all entries of a list are `[*]`. It is a prefix of all members. */
  readonly pattern: string;
  readonly keys: number;
  /** Number of keys by member. */
  readonly members: ReadonlyMap<string, number>;
}

/** Groups below this share of all keys are not split. */
const SMALL = 1 / 20;
const NEXT = /\[(?:\*|"(?:[^"\\]|\\.)*")\]|\.?[^.[]+/sy;

/** Members per step. */
const STEP = 64;

/**
 * `counts`: number of keys by pattern. The largest groups are split while there is room, so that the next request is
 * small.
 */
export function* outline(counts: ReadonlyMap<string, number>, most: number): Generator<void, string[], void> {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const everything = { pattern: '', keys: all, members: counts };
  let groups = (yield* split(everything, Number.POSITIVE_INFINITY)) ?? [];
  const whole = new Set<Group>();
  for (;;) {
    const largest = groups
      .filter((group) => !whole.has(group) && group.keys >= all * SMALL)
      .reduce<Group | null>((most, group) => (most === null || group.keys > most.keys ? group : most), null);
    if (largest === null) break;
    const parts = yield* split(largest, most - groups.length + 1);
    // There will be no more room later.
    if (parts === null) whole.add(largest);
    else groups = groups.flatMap((group) => (group === largest ? parts : [group]));
  }
  return groups
    .sort((left, right) => right.keys - left.keys)
    .map((group) => `${group.pattern}: ${group.keys} ${group.keys === 1 ? 'key' : 'keys'}`);
}

/** Splits by the next step; null if that is impossible, or gives more than `most` parts. */
function* split({ pattern, members }: Group, most: number): Generator<void, Group[] | null, void> {
  const parts = new Map<string, { pattern: string; keys: number; members: Map<string, number> }>();
  let looked = 0;
  for (const [member, count] of members) {
    if (++looked % STEP === 0) yield;
    if (member.length === pattern.length) return null;
    NEXT.lastIndex = pattern.length;
    const step = NEXT.exec(member)?.[0] ?? member.slice(pattern.length);
    let part = parts.get(step);
    if (part === undefined) {
      if (parts.size >= most) return null;
      part = { pattern: `${pattern}${step}`, keys: 0, members: new Map() };
      parts.set(step, part);
    }
    part.keys += count;
    part.members.set(member, count);
  }
  return [...parts.values()];
}
