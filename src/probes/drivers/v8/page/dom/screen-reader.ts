/** Turns the semantic tree into the screen: names, records, and places. */

import { NameAllocator } from '../../../../insight/name-allocator.ts';
import { firstName, shorten, toName, toValue } from '../../../../insight/screen/words.ts';
import { containerTexts, controlText, headingIn, type LabelTexts, titleBeside } from './accessible-name.ts';
import { islandData, listingData } from './data/islands.ts';
import { collectLabels, FieldReader } from './fields/field-reader.ts';
import { cardLevel, isCard, ownTitle } from './lists/cards.ts';
import { itemParts } from './lists/item-parts.ts';
import { rowLabel, rowSite } from './lists/row-site.ts';
import { readDetailsTable, readTable, rowsOf } from './lists/tables.ts';
import { isChosen } from './lists/tiles.ts';
import { isTree, treeItems } from './lists/trees.ts';
import { contextName, labelName } from './names.ts';
import { attributeOf, hasAttribute, idOf } from './nodes.ts';
import { type Data, type FormSite, type Place, Screen } from './screen.ts';
import type { Role, SemanticNode } from './semantic-node.ts';

const MAX_CONTROLS = 1_000;
const MAX_UNNAMED = 100;
const MAX_HEADINGS = 200;
const MAX_TEXTS = 500;
const MAX_DIALOG_TEXT = 500;
const MAX_LISTING = 2_000;
const MAX_LABEL = 80;
const MAX_LABELLED = 120;
/** The average of the items of a menu. */
const MAX_MENU_TEXT = 24;
const MAX_EXPANDED = 200;
const MAX_MENU_ITEMS = 30;

/** Reads it part by part: after each step the caller decides whether there is time for the next one. */
export function* readScreen(tree: SemanticNode): Generator<void, Screen, void> {
  const reader = new ScreenReader(collectLabels(tree));
  yield* reader.read(tree, { landmark: '', section: { heading: '' }, form: null, row: null, inDialog: false });
  return reader.finish();
}

type Reading = Generator<void, void, void>;
type Readers<Result> = Partial<Readonly<Record<Role, (node: SemanticNode, place: Place) => Result>>>;
const PARTS_PER_STEP = 32;

class ScreenReader {
  private readonly screen = new Screen();
  private readonly labels: LabelTexts;
  private readonly fields: FieldReader;
  private texts = 0;
  private steps = 0;
  private unnamed = 0;
  private expanded = 0;
  private readonly counts = new Map<object | string, Map<string, number>>();

  /** Roles that have parts of their own. */
  private readonly containers: Readers<Reading> = {
    group: (node, place) => this.read(node, place),
    region: (node, place) => this.readRegion(node, place),
    fieldset: (node, place) =>
      this.read(node, { ...place, section: { heading: headingIn(node.element) || place.section.heading } }),
    form: (node, place) => this.readForm(node, place),
    table: (node, place) => this.readTable(node, place),
    list: (node, place) => this.readList(node, place),
    terms: (node, place) => this.readTerms(node, place),
    // Outside of any table or list.
    row: (node, place) => this.read(node, { ...place, row: rowSite(shorten(node.cells.join(' '), MAX_LABEL)) }),
    item: (node, place) => this.read(node, { ...place, row: rowSite(shorten(node.text, MAX_LABEL)) }),
    dialog: (node, place) => this.readDialog(node, place),
  };
  private readonly leaves: Readers<void> = {
    heading: (node, place) => this.readHeading(node, place),
    field: (node, place) => this.fields.read(node, place),
    control: (node, place) => this.readControl(node, place),
    status: (node, place) => this.readStatus(node, place),
    gauge: (node, place) => this.readStatus(node, place),
    island: (node) => this.readIsland(node),
    drawing: (node, place) => this.readDrawing(node, place),
    listing: (node, place) => this.readListing(node, place),
    text: (node) => this.readText(node),
    prose: (node, place) => this.readProse(node, place),
  };

  constructor(labels: LabelTexts) {
    this.labels = labels;
    this.fields = new FieldReader(this.screen, labels);
  }

  *read(node: SemanticNode, place: Place): Reading {
    const level = cardLevel(node);
    for (const part of node.parts) {
      const own = isCard(part, level) ? { ...place, section: { ...place.section } } : place;
      if (part.isPlain) this.readPlain(part, own);
      else yield* this.readPart(part, own);
      if (++this.steps % PARTS_PER_STEP === 0) yield;
    }
  }

  /** Like `read`, without pauses: most parts of a page are of this kind. */
  private readPlain(node: SemanticNode, place: Place): void {
    place.section.heading = ownTitle(node) || place.section.heading;
    const level = cardLevel(node);
    for (const part of node.parts) {
      const own = isCard(part, level) ? { ...place, section: { ...place.section } } : place;
      if (part.isPlain) this.readPlain(part, own);
      else this.leaves[part.role]?.(part, own);
    }
  }

  finish(): Screen {
    const { screen } = this;
    const page: Data = {};
    const heading = screen.heading ?? screen.mainHeading;
    if (heading !== null) page.heading = heading;
    if (screen.current !== null) page.current = screen.current;
    if (Object.keys(page).length > 0) screen.roots.set('page', page);
    if (screen.headings.length > 0) screen.roots.set('headings', screen.headings);
    screen.noteRows('headings', '', screen.headingElements);
    return screen;
  }

  private *readPart(node: SemanticNode, place: Place): Reading {
    const container = this.containers[node.role];
    if (container) yield* container(node, place);
    else this.leaves[node.role]?.(node, place);
  }

  private *readRegion(node: SemanticNode, place: Place): Reading {
    const isMenu = node.kind === 'menu';
    const landmark = node.kind === 'section' || isMenu ? place.landmark : node.kind;
    if (isMenu && !place.row) this.readMenu(node, place);
    yield* this.read(node, {
      ...place,
      landmark,
      section: { heading: containerTexts(node.element).aria || ownTitle(node) || place.section.heading },
    });
  }

  /** A hidden menu is not read: a visible one is open. */
  private readMenu(node: SemanticNode, { section }: Place): void {
    const { aria, own } = containerTexts(node.element);
    const items = controlsIn(node).slice(0, MAX_MENU_ITEMS);
    this.screen.add('menus', firstName(aria, own, section.heading) || 'menu', { open: true, items });
  }

  private readHeading({ text, kind, called, element }: SemanticNode, place: Place): void {
    if (text === '') return;
    const { screen } = this;
    place.section.heading = called;
    if (kind === '1') screen.heading ??= text;
    if (place.landmark === 'main') screen.mainHeading ??= text;
    if (screen.headings.length >= MAX_HEADINGS) screen.leftOut++;
    else {
      screen.headings.push(text);
      screen.headingElements.push(element);
    }
  }

  private *readForm(node: SemanticNode, place: Place): Reading {
    const { aria, own } = containerTexts(node.element);
    const inside = headingIn(node.element);
    const called = firstName(aria, own, inside, place.section.heading).replace(/_form$/, '') || 'form';
    const row = place.row ? contextName(place.row.label) : '';
    const wanted = row === '' ? called : `${called}_${row}`;
    const form: FormSite = {
      element: node.element,
      name: wanted,
      names: new NameAllocator(),
      record: {},
      fields: [],
      buttons: [],
      place,
    };
    yield* this.read(node, { ...place, form, section: { heading: inside || place.section.heading } });
    if (form.fields.length === 0) {
      // A form with only a button is a button.
      this.screen.controls.push(...form.buttons);
      return;
    }
    const name = this.screen.add('forms', wanted, form.record);
    this.screen.forms.push({ ...form, name });
  }

  private readControl(node: SemanticNode, around: Place): void {
    const { screen } = this;
    const { element, kind } = node;
    if (screen.controls.length >= MAX_CONTROLS) return;
    const place = asItIs(around);
    const count = this.countControl(kind, place);
    const text = nameOfControl(node);
    const isUnnamed = toName(text) === '';
    if (isUnnamed && !this.isUsableUnnamed(element, kind)) return;
    const isCurrent = (attributeOf(element, 'aria-current') ?? 'false') !== 'false';
    if (isCurrent && !isUnnamed) screen.current ??= text;
    if (!isUnnamed) this.readState(element, kind, text, place);
    if (kind === 'tile' && isChosen(element)) this.addChosen(element, text, place);
    const full = text === node.called ? node.text : text;
    const hint = isUnnamed ? '' : titleBeside(element, text);
    const site = { element, kind, text, full, shown: node.text, place, hint, ...(isUnnamed ? { ordinal: count } : {}) };
    if (place.form && kind === 'button') place.form.buttons.push(site);
    else screen.controls.push(site);
  }

  /** The number of its kind in its row or section, including this one. */
  private countControl(kind: string, { row, section }: Place): number {
    // A row without text does not name its controls either.
    const where = row && row.label !== '' ? row : section.heading;
    const kinds = this.counts.get(where) ?? new Map<string, number>();
    this.counts.set(where, kinds);
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    return count;
  }

  /** Only a visible unnamed control is worth an action; style sheets hide the others. */
  private isUsableUnnamed(element: Element, kind: string): boolean {
    if (kind === 'tile' || kind === 'shape' || this.unnamed >= MAX_UNNAMED) return false;
    this.unnamed++;
    return element.checkVisibility({ checkVisibilityCSS: true });
  }

  private readState(element: Element, kind: string, text: string, place: Place): void {
    if (place.row) return;
    const expanded = kind === 'summary' ? isOpenDetails(element) : attributeOf(element, 'aria-expanded') === 'true';
    const hasState = kind === 'summary' || hasAttribute(element, 'aria-expanded');
    if (hasState && ++this.expanded <= MAX_EXPANDED) this.screen.add('expanded', toName(text) || kind, expanded);
    if (kind === 'toggle') {
      const state = attributeOf(element, 'aria-checked') ?? attributeOf(element, 'aria-pressed');
      this.screen.add('toggles', toName(text) || 'toggle', state === 'true');
    } else if (
      kind === 'tab' &&
      (attributeOf(element, 'aria-selected') ?? attributeOf(element, 'aria-checked')) === 'true'
    ) {
      const list = element.closest('[role=tablist],[role=radiogroup],[role=menu]');
      const { aria, own } = list ? containerTexts(list) : { aria: '', own: '' };
      this.screen.add('tabs', firstName(aria, own) || 'selected', text);
    }
  }

  /** Several boxes, one of which is marked, are reported as tabs. */
  private addChosen(element: Element, text: string, { section }: Place): void {
    const { aria, own } = element.parentElement ? containerTexts(element.parentElement) : { aria: '', own: '' };
    this.screen.add('tabs', firstName(aria, section.heading, own) || 'selected', text);
  }

  private *readTable(node: SemanticNode, place: Place): Reading {
    const role = attributeOf(node.element, 'role');
    if (role === 'presentation' || role === 'none' || place.row) {
      yield* this.read(node, place);
      return;
    }
    const { rows, others } = rowsOf(node);
    if (rows.length === 0) {
      yield* this.read(node, place);
      return;
    }
    const asDetails = readDetailsTable(rows);
    for (const [name, value] of asDetails ?? []) this.screen.add('details', name, value);
    const { columns, records, headerRows } = readTable(rows);
    if (!asDetails) {
      const caption = others.find((part) => part.role === 'caption')?.text;
      const { aria, own } = containerTexts(node.element);
      const list: unknown[] = [...records];
      list.length += node.skipped;
      this.screen.leftOut += node.skipped * columns.length;
      const name = this.screen.add('tables', firstName(caption, aria, place.section.heading, own) || 'table', list);
      this.screen.noteRows('tables', name, elementsOf(rows.slice(headerRows)));
      // A grid may draw only the visible rows, and gives the total number.
      const said = Number(attributeOf(node.element, 'aria-rowcount') ?? 0) - headerRows;
      if (said > list.length) this.screen.add('text', `rows_of_${name}`, said);
    }
    for (const [at, row] of rows.entries()) {
      // Nothing but text, which is told.
      if (row.parts.length === 0) continue;
      const record = asDetails ? {} : (records[at - headerRows] ?? {});
      yield* this.read(row, { ...place, row: rowSite(rowLabel(row), row.cells.join(' '), record, columns) });
    }
    for (const part of others) yield* this.readPart(part, place);
  }

  private *readList(node: SemanticNode, place: Place): Reading {
    const { rows: items, others } = rowsOf(node);
    if (place.row || place.landmark === 'navigation' || isMenu(node, items)) {
      yield* this.read(node, place);
      return;
    }
    const { aria, own } = containerTexts(node.element);
    if (isTree(node, items)) {
      yield* this.readTree(node, place);
      return;
    }
    const values: unknown[] = [];
    const areRecords = items.some((item) => itemParts(item) !== null);
    for (const item of items) {
      const site = rowSite(item.text);
      const before = this.screen.fields.length;
      if (item.parts.length > 0) yield* this.read(item, { ...place, row: site });
      const hasFields = this.screen.fields.length > before;
      // An item with fields or parts in it is a record, any other only its text.
      const parts = areRecords
        ? (itemParts(item) ?? { text: toValue(item.text) })
        : hasFields
          ? { text: item.text }
          : {};
      for (const [name, value] of Object.entries(parts)) site.record[name] ??= value;
      values.push(areRecords || hasFields ? site.record : toValue(item.text));
    }
    values.length += node.skipped;
    this.screen.leftOut += node.skipped;
    // Only pictures and buttons: the actions cover them.
    if (values.some((value) => value !== '')) {
      const name = this.screen.add('lists', firstName(aria, place.section.heading, own) || 'list', values);
      this.screen.noteRows('lists', name, elementsOf(items));
    }
    for (const part of others) yield* this.readPart(part, place);
  }

  private *readTree(node: SemanticNode, place: Place): Reading {
    const { rows, others } = rowsOf(node);
    const { aria, own } = containerTexts(node.element);
    const all = treeItems(rows);
    for (const { node: item, record } of all) {
      const site = rowSite(String(record.text ?? ''));
      // The children of a node are reported as nodes of their own.
      for (const part of item.parts) if (part.role !== 'item') yield* this.readOwn(part, { ...place, row: site });
    }
    const values: unknown[] = all.map(({ record }) => record);
    values.length += node.skipped;
    this.screen.leftOut += node.skipped;
    if (values.length > 0) {
      const name = this.screen.add('lists', firstName(aria, place.section.heading, own) || 'tree', values);
      this.screen.noteRows('lists', name, elementsOf(all.map(({ node: item }) => item)));
    }
    for (const part of others) yield* this.readPart(part, place);
  }

  /** Without the items in it. */
  private *readOwn(node: SemanticNode, place: Place): Reading {
    if (node.role === 'item') return;
    if (node.role !== 'group' && node.role !== 'list' && node.role !== 'region') yield* this.readPart(node, place);
    else for (const part of node.parts) yield* this.readOwn(part, place);
  }

  private *readTerms(node: SemanticNode, place: Place): Reading {
    let term = '';
    const flat = (parts: readonly SemanticNode[]): SemanticNode[] =>
      parts.flatMap((part) => (part.role === 'group' ? flat(part.parts) : part));
    for (const part of flat(node.parts)) {
      if (part.role === 'term') term = part.text;
      else if (part.role === 'definition') this.screen.add('details', toName(term) || 'detail', toValue(part.text));
      else yield* this.readPart(part, place);
    }
  }

  private *readDialog(node: SemanticNode, place: Place): Reading {
    const isClosed = node.kind === 'closed';
    const { aria, own } = containerTexts(node.element);
    const heading = isClosed ? node.text : headingIn(node.element);
    const name = firstName(aria, heading, own) || 'dialog';
    const shown = isClosed ? { open: false } : { open: true, text: shorten(node.text, MAX_DIALOG_TEXT) };
    this.screen.add('dialogs', name, shown);
    if (isClosed) return;
    this.screen.dialog ??= aria || heading || name;
    if (isModal(node.element)) this.screen.modal ??= this.screen.dialog;
    yield* this.read(node, { ...place, landmark: 'dialog', inDialog: true, section: { heading: aria || heading } });
  }

  private readStatus(node: SemanticNode, place: Place): void {
    const { element } = node;
    const { aria, own } = containerTexts(element);
    const label = this.labels.get(idOf(element));
    const name = firstName(aria, label, own) || node.kind || toName(place.section.heading) || 'progress';
    if (node.role === 'status') this.screen.add('status', name, toValue(node.text));
    else this.screen.add('status', name, gaugeValue(element));
  }

  private readIsland({ element, text }: SemanticNode): void {
    const data = islandData(text);
    if (!data) return;
    this.screen.leftOut += data.leftOut;
    const isLinked = attributeOf(element, 'type') === 'application/ld+json';
    this.screen.add('data', toName(idOf(element)) || (isLinked ? 'linked_data' : 'json'), data.value);
  }

  private readDrawing({ element, cells }: SemanticNode, place: Place): void {
    const { aria, own } = containerTexts(element);
    this.screen.add('lists', firstName(aria, place.section.heading, own) || 'drawing', [...cells]);
  }

  /** Plain text as it is; JSON as its content. */
  private readListing(node: SemanticNode, place: Place): void {
    const { element, text } = node;
    const written = text.trim();
    if (place.row || written === '') return;
    const { aria, own } = containerTexts(element);
    const name = firstName(aria, own, place.section.heading) || 'listing';
    const data = listingData(node);
    this.screen.leftOut += data?.leftOut ?? 0;
    if (data) this.screen.add('data', name, data.value);
    else if (++this.texts > MAX_TEXTS) this.screen.leftOut++;
    else this.screen.add('text', name, shorten(written, MAX_LISTING));
  }

  /** By the heading above. */
  private readProse({ text }: SemanticNode, { landmark, section }: Place): void {
    // The text of a dialog is already reported as a whole.
    if (landmark === 'dialog') return;
    const name = contextName(section.heading) || landmark || 'page';
    const texts = this.screen.record('texts');
    const known = texts[name];
    const list: unknown[] = Array.isArray(known) ? known : [];
    const before = list.at(-1);
    if (before === text) return;
    // `From:` and, in another box, its value.
    const label = typeof before === 'string' && before.endsWith(':') ? labelName(before) : '';
    if (label !== '' && !text.endsWith(':') && text.length <= MAX_LABELLED) {
      texts[name] = list.slice(0, -1);
      if (list.length === 1) delete texts[name];
      this.screen.add('text', label, toValue(text));
      return;
    }
    if (++this.texts > MAX_TEXTS) this.screen.leftOut++;
    else texts[name] = [...list, text];
  }

  private readText({ kind, text }: SemanticNode): void {
    if (kind === '') return;
    if (++this.texts > MAX_TEXTS) this.screen.leftOut++;
    else this.screen.add('text', kind, toValue(text));
  }
}

/** True if nothing behind it can be used: by its attribute, by the browser, or because all its siblings are marked. */
function isModal(element: Element): boolean {
  if (attributeOf(element, 'aria-modal') === 'true' || element.matches(':modal')) return true;
  for (let at: Element | null = element; at?.parentElement; at = at.parentElement) {
    if (at.parentElement.localName !== 'body') continue;
    return [...at.parentElement.children].some(
      (other) => other !== at && (hasAttribute(other, 'inert') || attributeOf(other, 'aria-hidden') === 'true'),
    );
  }
  return false;
}

const elementsOf = (nodes: readonly SemanticNode[]): Element[] => nodes.map(({ element }) => element);

function controlsIn({ parts }: SemanticNode): string[] {
  return parts.flatMap((part) => (part.role === 'control' && part.text !== '' ? [part.text] : controlsIn(part)));
}

function isOpenDetails(summary: Element): boolean {
  const around = summary.parentElement;
  return around !== null && hasAttribute(around, 'open');
}

/** Only links or menu items: the actions cover them. */
function isMenu(node: SemanticNode, items: readonly SemanticNode[]): boolean {
  const role = attributeOf(node.element, 'role');
  if (role === 'menu' || role === 'menubar' || role === 'tablist') return true;
  // Long ones are content: mails, articles.
  const length = items.reduce((sum, { text }) => sum + text.length, 0);
  return (
    items.length > 0 &&
    length <= items.length * MAX_MENU_TEXT &&
    items.every(
      ({ parts: [first, ...more], text }) =>
        first?.role === 'control' && first.kind !== 'tile' && more.length === 0 && first.text === text,
    )
  );
}

/** By node: a changed control is another node, except for texts elsewhere that it refers to. */
const controlNames = new WeakMap<SemanticNode, string>();

function nameOfControl(node: SemanticNode): string {
  const known = controlNames.get(node);
  if (known !== undefined) return known;
  const name = controlText(node.element, node.called);
  if (!hasAttribute(node.element, 'aria-labelledby')) controlNames.set(node, name);
  return name;
}

/** The heading of a section changes during the reading. */
function asItIs(place: Place): Place {
  return { ...place, section: { ...place.section } };
}

function gaugeValue(element: Element): number | string {
  const now = attributeOf(element, 'aria-valuenow') ?? attributeOf(element, 'value') ?? '';
  return toValue(now.trim());
}
