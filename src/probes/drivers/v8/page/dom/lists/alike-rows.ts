/** Controls at the same place in each row of a long list: one action with an index replaces them all. */

/** Menus are shorter; longer lists are data. */
const MANY_ROWS = 25;
export const ROW = 'li,tr,[role=row],[role=listitem],[role=option],[role=treeitem]';

export interface RowControl {
  readonly role: string;
  readonly base: string;
  readonly place: { readonly landmark: string; readonly row: object | null };
  /** The element of the row. */
  readonly row?: Element | null;
}

export interface AlikeRows<Candidate extends RowControl> {
  /** The common part of their names. */
  readonly name: string;
  readonly candidates: readonly Candidate[];
}

/** Separates controls that are alike from the others. */
export function findAlikeRows<Candidate extends RowControl>(
  candidates: readonly Candidate[],
): { alike: AlikeRows<Candidate>[]; others: Candidate[] } {
  const groups = new Map<Element, Map<string, Candidate[]>>();
  const counts = new Map<Element, Map<string, number>>();
  for (const candidate of candidates) {
    const row = candidate.place.row && candidate.place.landmark !== 'navigation' ? candidate.row : null;
    const holder = row ? row.parentElement : null;
    if (!row || !holder) continue;
    const inRow = counts.get(row) ?? new Map<string, number>();
    counts.set(row, inRow);
    const ordinal = inRow.get(candidate.role) ?? 0;
    inRow.set(candidate.role, ordinal + 1);
    const places = groups.get(holder) ?? new Map<string, Candidate[]>();
    groups.set(holder, places);
    const key = `${candidate.role} ${ordinal}`;
    const group = places.get(key);
    if (group) group.push(candidate);
    else places.set(key, [candidate]);
  }
  const alike = [...groups.values()]
    .flatMap((places) => [...places.values()])
    .filter((group) => group.length > MANY_ROWS)
    .map((group) => ({ name: commonName(group), candidates: group }));
  const folded = new Set(alike.flatMap((group) => group.candidates));
  return { alike, others: candidates.filter((candidate) => !folded.has(candidate)) };
}

/** `mark_milk_as_read`, `mark_tea_as_read` -> `mark_as_read`. */
export function commonName(group: readonly Pick<RowControl, 'role' | 'base'>[]): string {
  const names = group.map(({ base }) => base.split('_'));
  const [first = []] = names;
  const shortest = Math.min(...names.map(({ length }) => length));
  let start = 0;
  while (start < shortest && names.every((words) => words[start] === first[start])) start++;
  let end = 0;
  while (end < shortest - start && names.every((words) => words.at(-1 - end) === first.at(-1 - end))) end++;
  const common = [...first.slice(0, start), ...first.slice(first.length - end)].join('_');
  return common === '' ? `${group[0]?.role === 'link' ? 'open' : 'press'}_item` : common;
}
