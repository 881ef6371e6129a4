/** The keys of a state, grouped into objects and lists, the important ones first. */
import type { StateLook } from '../model/state-look.ts';
import { isUnnamed, ofAllEntries, placeOf } from './key-place.ts';

export interface Field {
  readonly pattern: string;
  /** The part of the path after the container. */
  readonly rest: string;
  readonly salience: number;
  /** Positions among the keys of the state. */
  readonly places: readonly number[];
}

export interface Group {
  /** An object, an element of a list or map (`emails[*]`), or a key without a container. */
  readonly container: string;
  readonly isList: boolean;
  /** The important ones first. */
  readonly fields: readonly Field[];
  readonly salience: number;
  /** It is visible to a person. */
  readonly isScreen: boolean;
  /** The key that holds the number of elements, if there is one. */
  readonly size: string | null;
}

export interface Grouped {
  readonly groups: readonly Group[];
  /** Number of keys by pattern (entries of maps share one): of grouped keys, and of noise. */
  readonly shown: ReadonlyMap<string, number>;
  readonly hidden: ReadonlyMap<string, number>;
  /** Number of keys without a name. */
  readonly unnamed: number;
  /** Number of keys that the facts about the whole app cover. */
  readonly said: number;
}

/** Patterns per step. */
const STEP = 64;
/** Scores that differ by less than a step count as equal; the order of the state decides. */
const SCORE_STEPS = 20;
const SIZE = /\.(?:length|size)$/;
const TAB = /^tabs(?:\.length|\[\d+\]\.(?:id|title|url|active))$/;
const TROUBLE = /^page\.(?:errors?|failed_requests?|blank|problem)$/;
/** The list itself says which of its entries are in view. */
const IN_VIEW = /^(?:frames\.[^.[]+\.)?page\.in_view\./;
export const isInView = (key: string) => IN_VIEW.test(key);
/** The content of a frame is also on the screen. */
const FRAME_SCREEN =
  /^frames\.[^.[]+\.(?:page|forms|fields|tables|lists|details|texts?|status|toggles|tabs|expanded|menus|dialogs|headings)[.[]/;

/** `all` includes keys without a name. `isWhole` leaves out keys that the facts about the whole app cover. */
export function* groupKeys(look: StateLook, { all = false, isWhole = false } = {}): Generator<void, Grouped, void> {
  const byContainer = new Map<string, { isList: boolean; isScreen: boolean; fields: Map<string, MutableField> }>();
  const shown = new Map<string, number>();
  const hidden = new Map<string, number>();
  let unnamed = 0;
  let said = 0;
  let looked = 0;
  // For a single tab the address and title of the app are enough; failures have a line of their own.
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
    // A key without a container is its own group.
    const name = container === '' ? pattern : container;
    const isScreen = key.startsWith('frames.')
      ? FRAME_SCREEN.test(key)
      : look.isScreen(/^[^.[]+/.exec(key)?.[0] ?? key);
    const group = byContainer.get(name) ?? { isList: isElement, isScreen, fields: new Map() };
    byContainer.set(name, group);
    // Visible content comes first, even before the same content in a store.
    const salience = look.salience(key) + (isScreen ? 1 : 0);
    const field = group.fields.get(pattern);
    if (field) {
      field.places.push(...places);
      field.salience = Math.max(field.salience, salience);
    } else group.fields.set(pattern, { pattern, rest: container === '' ? '' : rest, salience, places: [...places] });
  }
  const groups = [...byContainer].map(([container, { isList, isScreen, fields }]): Group => {
    // The length of a list is reported with the list.
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
