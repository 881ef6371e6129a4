/** What a state is made of when it is too large to be shown: patterns of keys, each of which can be asked for. */
import { pathPattern } from '../model/path.ts';

interface Group {
  /** A glob: the entries of a list are all `[*]`. All members begin with it. */
  readonly pattern: string;
  readonly keys: number;
  /** How many keys are meant by each. */
  readonly members: ReadonlyMap<string, number>;
}

const MAX_GROUPS = 80;
/** What is smaller than this part of all is not taken apart. */
const SMALL = 1 / 20;
const STEP = /\[(?:\*|"(?:[^"\\]|\\.)*")\]|\.?[^.[]+/sy;

/** The largest groups are taken apart as long as there is room, so that what is asked for next is small. */
export function outline(keys: readonly string[]): string[] {
  let groups = split({ pattern: '', keys: keys.length, members: counted(keys) }, Number.POSITIVE_INFINITY) ?? [];
  const whole = new Set<Group>();
  for (;;) {
    const largest = groups
      .filter((group) => !whole.has(group) && group.keys >= keys.length * SMALL)
      .reduce<Group | null>((most, group) => (most === null || group.keys > most.keys ? group : most), null);
    if (largest === null) break;
    const parts = split(largest, MAX_GROUPS - groups.length + 1);
    // There will not be more room later.
    if (parts === null) whole.add(largest);
    else groups = groups.flatMap((group) => (group === largest ? parts : [group]));
  }
  return groups
    .sort((left, right) => right.keys - left.keys)
    .map((group) => `${group.pattern}: ${group.keys} ${group.keys === 1 ? 'key' : 'keys'}`);
}

/** Most keys of a large state are those of lists: few patterns are left of them. */
function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const pattern = pathPattern(key);
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  return counts;
}

/** By the next step; null when it cannot be split, or not into so few. */
function split({ pattern, members }: Group, most: number): Group[] | null {
  const parts = new Map<string, { pattern: string; keys: number; members: Map<string, number> }>();
  for (const [member, count] of members) {
    if (member.length === pattern.length) return null;
    STEP.lastIndex = pattern.length;
    const step = STEP.exec(member)?.[0] ?? member.slice(pattern.length);
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
