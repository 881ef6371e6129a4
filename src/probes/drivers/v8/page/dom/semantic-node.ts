/** The meaning of an element to a person. */

import { fieldKind, isButtonInput } from './fields/fields.ts';
import { attributeOf, findInside, hasAttribute } from './nodes.ts';

export type Role =
  | 'group'
  | 'form'
  | 'fieldset'
  | 'table'
  | 'row'
  | 'list'
  | 'item'
  | 'terms'
  | 'term'
  | 'definition'
  | 'dialog'
  | 'region'
  | 'heading'
  | 'control'
  | 'field'
  | 'label'
  | 'caption'
  | 'status'
  | 'gauge'
  | 'island'
  | 'drawing'
  | 'listing'
  | 'text'
  | 'prose';

/** `kind` refines the role: a landmark's name, a control's role. */
export interface Meaning {
  readonly role: Role;
  readonly kind: string;
}

export interface SemanticNode extends Meaning {
  readonly element: Element;
  readonly text: string;
  /** For controls and headings: the text without counts, which change. */
  readonly called: string;
  /** For rows: the texts of their cells, and whether all are header cells. For drawings: the texts in them. */
  readonly cells: readonly string[];
  readonly isHeader: boolean;
  readonly parts: readonly SemanticNode[];
  /** Rows and items that were counted but not read. */
  readonly skipped: number;
  /** Number of DOM nodes that it represents. */
  readonly size: number;
  /** A small group of leaves, read at once. */
  readonly isPlain: boolean;
  /** The level of the first heading in it, or empty. */
  readonly heading: string;
  /** The text of its heading, if it has exactly one. */
  readonly title: string;
  /** It contains a label. */
  readonly hasLabel: boolean;
}

const BY_TAG: ReadonlyMap<string, Meaning> = new Map<string, Meaning>(
  Object.entries({
    form: { role: 'form', kind: '' },
    fieldset: { role: 'fieldset', kind: '' },
    legend: { role: 'caption', kind: '' },
    caption: { role: 'caption', kind: '' },
    table: { role: 'table', kind: '' },
    tr: { role: 'row', kind: '' },
    ul: { role: 'list', kind: '' },
    ol: { role: 'list', kind: '' },
    li: { role: 'item', kind: '' },
    dl: { role: 'terms', kind: '' },
    dt: { role: 'term', kind: '' },
    dd: { role: 'definition', kind: '' },
    dialog: { role: 'dialog', kind: '' },
    main: { role: 'region', kind: 'main' },
    nav: { role: 'region', kind: 'navigation' },
    header: { role: 'region', kind: 'banner' },
    footer: { role: 'region', kind: 'contentinfo' },
    aside: { role: 'region', kind: 'complementary' },
    section: { role: 'region', kind: 'section' },
    article: { role: 'region', kind: 'section' },
    h1: { role: 'heading', kind: '1' },
    h2: { role: 'heading', kind: '2' },
    h3: { role: 'heading', kind: '3' },
    h4: { role: 'heading', kind: '4' },
    h5: { role: 'heading', kind: '5' },
    h6: { role: 'heading', kind: '6' },
    button: { role: 'control', kind: 'button' },
    summary: { role: 'control', kind: 'summary' },
    label: { role: 'label', kind: '' },
    pre: { role: 'listing', kind: '' },
    output: { role: 'status', kind: 'status' },
    progress: { role: 'gauge', kind: '' },
    meter: { role: 'gauge', kind: '' },
  }),
);

const BY_ROLE: ReadonlyMap<string, Meaning> = new Map<string, Meaning>(
  Object.entries({
    form: { role: 'form', kind: '' },
    search: { role: 'form', kind: '' },
    table: { role: 'table', kind: '' },
    grid: { role: 'table', kind: '' },
    treegrid: { role: 'table', kind: '' },
    row: { role: 'row', kind: '' },
    list: { role: 'list', kind: '' },
    tree: { role: 'list', kind: '' },
    menu: { role: 'region', kind: 'menu' },
    listbox: { role: 'list', kind: '' },
    feed: { role: 'list', kind: '' },
    listitem: { role: 'item', kind: '' },
    option: { role: 'item', kind: 'option' },
    dialog: { role: 'dialog', kind: '' },
    alertdialog: { role: 'dialog', kind: '' },
    main: { role: 'region', kind: 'main' },
    navigation: { role: 'region', kind: 'navigation' },
    banner: { role: 'region', kind: 'banner' },
    contentinfo: { role: 'region', kind: 'contentinfo' },
    complementary: { role: 'region', kind: 'complementary' },
    region: { role: 'region', kind: 'section' },
    tabpanel: { role: 'region', kind: 'section' },
    group: { role: 'region', kind: 'section' },
    heading: { role: 'heading', kind: '2' },
    button: { role: 'control', kind: 'button' },
    link: { role: 'control', kind: 'button' },
    menuitem: { role: 'control', kind: 'menuitem' },
    menuitemcheckbox: { role: 'control', kind: 'toggle' },
    menuitemradio: { role: 'control', kind: 'tab' },
    tab: { role: 'control', kind: 'tab' },
    switch: { role: 'control', kind: 'toggle' },
    checkbox: { role: 'control', kind: 'toggle' },
    radio: { role: 'control', kind: 'tab' },
    status: { role: 'status', kind: 'status' },
    alert: { role: 'status', kind: 'alert' },
    log: { role: 'status', kind: 'log' },
    timer: { role: 'status', kind: 'timer' },
    progressbar: { role: 'gauge', kind: '' },
    meter: { role: 'gauge', kind: '' },
    slider: { role: 'gauge', kind: '' },
  }),
);

/** A sortable column head, unless a button in it sorts. */
const SORTS: Meaning = { role: 'control', kind: 'button' };
const OWN_BUTTON = 'button,a[href],[role=button],input';
const TREE_ITEM: Meaning = { role: 'item', kind: '' };
const FIELD_TAGS = new Set(['input', 'textarea', 'select']);

/** Null if only its content counts. Most elements have no attribute, and then only their tag decides. */
export function meaningOf(element: Element, tag: string, hasAttributes: boolean): Meaning | null {
  if (!hasAttributes && !FIELD_TAGS.has(tag)) return BY_TAG.get(tag) ?? null;
  const kind = fieldKind(element);
  if (kind !== null) return { role: 'field', kind };
  if (isButtonInput(element)) return { role: 'control', kind: 'button' };
  const role = attributeOf(element, 'role');
  const byRole = role === null ? undefined : BY_ROLE.get(role);
  if (byRole) return byRole;
  if (hasAttribute(element, 'aria-sort') && findInside(element, OWN_BUTTON) === null) return SORTS;
  // A link or a button in a tree stays what it is.
  if (role === 'treeitem' && tag !== 'a' && tag !== 'button') return TREE_ITEM;
  if (tag === 'a') return hasAttribute(element, 'href') ? { role: 'control', kind: 'link' } : null;
  if (tag === 'button' && hasAttribute(element, 'aria-pressed')) return { role: 'control', kind: 'toggle' };
  if (tag === 'script') return isIsland(element) ? { role: 'island', kind: '' } : null;
  const byTag = BY_TAG.get(tag);
  if (byTag) return byTag;
  const live = attributeOf(element, 'aria-live');
  return live === null || live === 'off' ? null : { role: 'status', kind: 'status' };
}

function isIsland(script: Element): boolean {
  const type = attributeOf(script, 'type');
  return type === 'application/json' || type === 'application/ld+json';
}

/** Roles whose parts belong together; the others only mark a place. */
const CONTAINERS: ReadonlySet<Role> = new Set<Role>([
  'form',
  'fieldset',
  'table',
  'row',
  'list',
  'item',
  'terms',
  'dialog',
  'region',
]);

export function isContainer(role: Role): boolean {
  return CONTAINERS.has(role);
}
