/** What a state is made of when it is too large to be shown: patterns of keys, each of which can be asked for. */

interface Group {
  /** A glob: the entries of a list are all `[*]`. */
  readonly pattern: string;
  keys: number;
  readonly inner: Map<string, Group>;
}

const MAX_GROUPS = 80;
const STEP = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]|\.?[^.[]+/gs;

/** The largest groups are taken apart as long as there is room, so that what is asked for next is small. */
export function outline(keys: readonly string[]): string[] {
  const root: Group = { pattern: '', keys: keys.length, inner: new Map() };
  for (const key of keys) sortIn(root, key);
  let groups = [...root.inner.values()];
  for (;;) {
    const largest = groups
      .filter(({ inner }) => inner.size > 0 && groups.length - 1 + inner.size <= MAX_GROUPS)
      .reduce<Group | null>((most, group) => (most === null || group.keys > most.keys ? group : most), null);
    if (largest === null || largest.keys * 20 < keys.length) break;
    groups = groups.flatMap((group) => (group === largest ? [...group.inner.values()] : [group]));
  }
  return groups
    .sort((left, right) => right.keys - left.keys)
    .map((group) => `${group.pattern}: ${group.keys} ${group.keys === 1 ? 'key' : 'keys'}`);
}

function sortIn(root: Group, key: string): void {
  let group = root;
  for (const [step] of key.matchAll(STEP)) {
    const name = /^\[\d+\]$/.test(step) ? '[*]' : step;
    let inner = group.inner.get(name);
    if (inner === undefined) {
      inner = { pattern: `${group.pattern}${name}`, keys: 0, inner: new Map() };
      group.inner.set(name, inner);
    }
    inner.keys++;
    group = inner;
  }
}
