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
  /** A person sees it. */
  readonly isScreen: boolean;
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
  /** Keys that are said of the app as a whole. */
  readonly said: number;
}

/** Patterns between two steps. */
const STEP = 64;
/** Scores that differ by less than a step are the same: then the order is that of the state. */
const SCORE_STEPS = 20;
const SIZE = /\.(?:length|size)$/;
const TAB = /^tabs(?:\.length|\[\d+\]\.(?:id|title|url|active))$/;
const TROUBLE = /^page\.(?:errors?|failed_requests?|blank|problem)$/;
/** What is scrolled away is said with the list. */
const IN_VIEW = /^(?:frames\.[^.[]+\.)?page\.in_view\./;
export const isInView = (key: string) => IN_VIEW.test(key);
/** What is shown in a frame is on the screen as well. */
const FRAME_SCREEN =
  /^frames\.[^.[]+\.(?:page|forms|fields|tables|lists|details|texts?|status|toggles|tabs|expanded|menus|dialogs|headings)[.[]/;

/** `all`: also what has no name. `isWhole`: without what is said of the app as a whole. */
export function* groupKeys(look: StateLook, { all = false, isWhole = false } = {}): Generator<void, Grouped, void> {
  const byContainer = new Map<string, { isList: boolean; isScreen: boolean; fields: Map<string, MutableField> }>();
  const shown = new Map<string, number>();
  const hidden = new Map<string, number>();
  let unnamed = 0;
  let said = 0;
  let looked = 0;
  // Of a single tab the address and title of the app say all; what failed has a line of its own.
  const isOnlyTab = look.get('tabs.length') === 1;
  const isSaidAbove = (key: string) => isWhole && ((isOnlyTab && TAB.test(key)) || TROUBLE.test(key) || isInView(key));
  for (const [found, places] of look.keys.places) {
    if (++looked % STEP === 0) yield;
    const pattern = ofAllEntries(found);
    const key = look.keys.keys[places[0] ?? 0] ?? found;
    if (!all && isUnnamed(key)) {
      unnamed += places.length;
      continue;
    }
    if (isSaidAbove(key)) {
      said += places.length;
      continue;
    }
    const isShown = look.isShown(key);
    const counts = isShown ? shown : hidden;
    counts.set(pattern, (counts.get(pattern) ?? 0) + places.length);
    if (!isShown) continue;
    const { container, rest, isElement } = placeOf(pattern);
    // What belongs to nothing stands for itself.
    const name = container === '' ? pattern : container;
    const isScreen = key.startsWith('frames.')
      ? FRAME_SCREEN.test(key)
      : look.isScreen(/^[^.[]+/.exec(key)?.[0] ?? key);
    const group = byContainer.get(name) ?? { isList: isElement, isScreen, fields: new Map() };
    byContainer.set(name, group);
    // What a person sees comes first, also before the same in a store.
    const salience = look.salience(key) + (isScreen ? 1 : 0);
    const field = group.fields.get(pattern);
    if (field) {
      field.places.push(...places);
      field.salience = Math.max(field.salience, salience);
    } else group.fields.set(pattern, { pattern, rest: container === '' ? '' : rest, salience, places: [...places] });
  }
  const groups = [...byContainer].map(([container, { isList, isScreen, fields }]): Group => {
    // How many elements a list has is said with the list.
    const isOfList = ({ pattern }: Field) => SIZE.test(pattern) && byContainer.has(pattern.replace(SIZE, '[*]'));
    const all = inOrder([...fields.values()].filter((field) => isList || !isOfList(field)));
    const salience = all.reduce((most, field) => Math.max(most, field.salience), 0);
    const size = ['length', 'size']
      .map((name) => container.replace(/\[\*\]$/, `.${name}`))
      .find((key) => shown.has(key));
    return { container, isList, isScreen, fields: all, salience, size: (isList && size) || null };
  });
  return { groups: inOrder(groups.filter(({ fields }) => fields.length > 0)), shown, hidden, unnamed, said };
}

interface MutableField extends Field {
  salience: number;
  readonly places: number[];
}

export function inOrder<Item extends { readonly salience: number }>(items: readonly Item[]): Item[] {
  const score = ({ salience }: Item) => Math.round(salience * SCORE_STEPS);
  return [...items].sort((one, other) => score(other) - score(one));
}
