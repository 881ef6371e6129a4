/** The keys of a state as the objects and lists that they are part of, those that matter first. */
import type { StateLook } from '../model/state-look.ts';
import { isUnnamed, ofAllEntries, placeOf } from './key-place.ts';

export interface Field {
  readonly pattern: string;
  /** Behind the container. */
  readonly rest: string;
  readonly salience: number;
  /** Among the keys of the state. */
  readonly places: readonly number[];
}

export interface Group {
  /** An object, an element of a list or map (`emails[*]`), or a key that stands for itself. */
  readonly container: string;
  readonly isList: boolean;
  /** Those that matter first. */
  readonly fields: readonly Field[];
  readonly salience: number;
  /** The key that says how many elements there are, where one does. */
  readonly size: string | null;
}

export interface Grouped {
  readonly groups: readonly Group[];
  /** How many keys have each pattern (entries of maps have one): of those in groups, and of those that are noise. */
  readonly shown: ReadonlyMap<string, number>;
  readonly hidden: ReadonlyMap<string, number>;
  /** Keys without a name. */
  readonly unnamed: number;
}

/** Patterns between two steps. */
const STEP = 64;
/** Scores that differ by less than a step are the same: then the order is that of the state. */
const SCORE_STEPS = 20;
const SIZE = /\.(?:length|size)$/;

/** `all`: also what has no name. */
export function* groupKeys(look: StateLook, all = false): Generator<void, Grouped, void> {
  const byContainer = new Map<string, { isList: boolean; fields: Map<string, MutableField> }>();
  const shown = new Map<string, number>();
  const hidden = new Map<string, number>();
  let unnamed = 0;
  let looked = 0;
  // Of a single tab the address and title of the app say all.
  const isOnlyTab = (key: string) => key.startsWith('tabs') && look.get('tabs.length') === 1;
  for (const [found, places] of look.keys.places) {
    if (++looked % STEP === 0) yield;
    const pattern = ofAllEntries(found);
    const key = look.keys.keys[places[0] ?? 0] ?? found;
    if (!all && isUnnamed(key)) {
      unnamed += places.length;
      continue;
    }
    const isShown = look.isShown(key);
    const counts = isShown ? shown : hidden;
    counts.set(pattern, (counts.get(pattern) ?? 0) + places.length);
    if (!isShown) continue;
    const { container, rest, isElement } = placeOf(pattern);
    // What belongs to nothing stands for itself.
    const name = container === '' ? pattern : container;
    const group = byContainer.get(name) ?? { isList: isElement, fields: new Map() };
    byContainer.set(name, group);
    // What a person sees comes before the same in a store.
    const seen = look.isScreen(/^[^.[]+/.exec(key)?.[0] ?? key) ? 1 / SCORE_STEPS : 0;
    const salience = isOnlyTab(key) ? 0 : look.salience(key) + seen;
    const field = group.fields.get(pattern);
    if (field) {
      field.places.push(...places);
      field.salience = Math.max(field.salience, salience);
    } else group.fields.set(pattern, { pattern, rest: container === '' ? '' : rest, salience, places: [...places] });
  }
  const groups = [...byContainer].map(([container, { isList, fields }]): Group => {
    // How many elements a list has is said with the list.
    const isOfList = ({ pattern }: Field) => SIZE.test(pattern) && byContainer.has(pattern.replace(SIZE, '[*]'));
    const all = inOrder([...fields.values()].filter((field) => isList || !isOfList(field)));
    const salience = all.reduce((most, field) => Math.max(most, field.salience), 0);
    const size = ['length', 'size']
      .map((name) => container.replace(/\[\*\]$/, `.${name}`))
      .find((key) => shown.has(key));
    return { container, isList, fields: all, salience, size: (isList && size) || null };
  });
  return { groups: inOrder(groups.filter(({ fields }) => fields.length > 0)), shown, hidden, unnamed };
}

interface MutableField extends Field {
  salience: number;
  readonly places: number[];
}

export function inOrder<Item extends { readonly salience: number }>(items: readonly Item[]): Item[] {
  const score = ({ salience }: Item) => Math.round(salience * SCORE_STEPS);
  return [...items].sort((one, other) => score(other) - score(one));
}
