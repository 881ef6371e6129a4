import { anyCaseMatcher } from '../model/glob.ts';

/** Items per step. */
const STEP = 64;

/** Items that match several of the globs come first; otherwise the order stays. */
export function* bestFirst<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  globs: readonly string[],
): Generator<void, readonly Item[], void> {
  if (globs.length < 2) return items;
  const matchers = globs.map(anyCaseMatcher);
  const byHits = new Map<number, Item[]>();
  for (const [at, item] of items.entries()) {
    if (at % STEP === 0) yield;
    const hits = matchers.filter((matches) => matches(nameOf(item))).length;
    const alike = byHits.get(hits);
    if (alike) alike.push(item);
    else byHits.set(hits, [item]);
  }
  return [...byHits].sort(([one], [other]) => other - one).flatMap(([, alike]) => alike);
}
