/**
 * Reads the document into a semantic tree. Unchanged parts are reused from the last walk, so that a walk costs what
 * changed: each larger part remembers its result, and is read again only after a mutation in it.
 */

import { drawnShapes, drawnTexts } from './drawings.ts';
import { itemMark, markOf } from './lists/plain-lists.ts';
import { cellsOf, isButtonLike, isHeaderRow, isMenuPart } from './lists/row-cells.ts';
import { isChosen, isTile, isTitled, mayBeTile } from './lists/tiles.ts';
import {
  attributeOf,
  childrenOf,
  findInside,
  firstChild,
  firstElementChild,
  hasAnyAttribute,
  hasAttribute,
  nextSibling,
  parentNode,
  shadowRootOf,
  tagOf,
  textContent,
} from './nodes.ts';
import { type Prose, proseOf } from './prose.ts';
import { isContainer, type Meaning, meaningOf, type Role, type SemanticNode } from './semantic-node.ts';
import {
  isCount,
  isElement,
  isHidden,
  isInlineTag,
  isShadowRoot,
  isSilent,
  standsBeside,
  textOf,
  withoutCount,
} from './text.ts';
import { pairOf } from './text-pair.ts';

/** A smaller part is read again as fast as looked up. */
const MIN_REMEMBERED = 3;
/** The limit of a plain group. */
const MAX_PLAIN = 200;
const MAX_NODES = 200_000;
/** The limit of rows of one table, items of one list. */
const MAX_ROWS = 200;
const LEAF_TEXT = 300;
const LONG_TEXT = 1_000;
const ISLAND_TEXT = 300_000;
const NO_PARTS: readonly SemanticNode[] = [];
const NO_CELLS: readonly string[] = [];
const GROUP: Meaning = { role: 'group', kind: '' };
const DRAWING: Meaning = { role: 'drawing', kind: '' };
const TILE: Meaning = { role: 'control', kind: 'tile' };
const SHAPE: Meaning = { role: 'control', kind: 'shape' };
const PAIR: Meaning = { role: 'text', kind: '' };
const PROSE: Meaning = { role: 'prose', kind: '' };
/** Limits of one walk: each check may make the page compute styles. */
const MAX_TILE_LOOKS = 500;
const MAX_PROSE_LOOKS = 1000;
const MAX_SHOWN_LOOKS = 3000;
const MAX_BOX_LOOKS = 2000;
const ITEM: Meaning = { role: 'item', kind: '' };

/** Parts that style sheets hide as a whole: other screens of the app, closed dialogs and panels. */
const MAY_BE_HIDDEN = new Set<Role>([
  ...(['form', 'fieldset', 'table', 'row', 'list', 'item', 'terms', 'dialog', 'region'] as const),
  ...(['heading', 'control', 'field', 'status', 'gauge', 'listing', 'text'] as const),
]);
/** Fields that are often drawn by other elements, beside a hidden input. */
const DRAWN_BESIDE = new Set(['checkbox', 'radio', 'select', 'file']);

/** Their content is reported as one text. */
const HOLDS_TEXT = new Set<Role>(['status', 'label', 'listing']);
/** The same, but other content in them is read, too. */
const COVERED = new Set<Role>([...HOLDS_TEXT, 'heading', 'caption', 'term', 'definition', 'row', 'item']);

interface Rows {
  count: number;
  skipped: number;
}

/** An element whose children are being read. */
interface Frame {
  readonly element: Element;
  readonly meaning: Meaning;
  readonly parts: SemanticNode[];
  /** Counts the rows of the surrounding table or the items of the surrounding list. */
  readonly rows: Rows | null;
  /** Rows and items already have their text. */
  readonly inRow: boolean;
  /** Something around it reports all of its text. */
  readonly isCovered: boolean;
  next: Node | null;
  /** Follows the children of the shadow root. */
  light: Node | null;
  size: number;
  /** Number of visited child elements. */
  elements: number;
}

export interface WalkHooks {
  /** Called for an open shadow root. */
  onShadow(root: ShadowRoot): void;
  /** Called for an element that may get a shadow root later. */
  onCustomElement(element: Element): void;
  /** Called for an element hidden by its own style: the one reason to check its style again. */
  onStyled(element: Element): void;
  /** Called for an element that only its class makes the selected one of several. */
  onChosen(element: Element): void;
  /** Whether the style sheets show it; called for few elements. */
  isShown(element: Element): boolean;
  /** The same for a text; called for more. */
  isTextShown(element: Element): boolean;
  /** True for a box that cuts off all of its content, or is outside the window. */
  isEmptyBox(element: Element): boolean;
}

export class PageWalk {
  visited = 0;
  /** The walk ended at its limit. */
  isCut = false;
  private readonly hooks: WalkHooks;
  private memory = new WeakMap<Element, SemanticNode>();
  /** Elements hidden by style sheets: their text does not count for what is around them. */
  private readonly unseen = new WeakSet<Element>();
  private stack: Frame[] = [];
  private result: SemanticNode | null = null;
  private tileLooks = 0;
  private proseLooks = 0;
  private shownLooks = 0;
  private boxLooks = 0;

  constructor(hooks: WalkHooks) {
    this.hooks = hooks;
  }

  /** Drops the remembered results of everything around this node. */
  forget(node: Node, seen: Set<Node>): void {
    for (let at: Node | null = node; at && !seen.has(at); at = parentOf(at)) {
      seen.add(at);
      if (isElement(at)) this.memory.delete(at);
    }
  }

  forgetAll(): void {
    this.memory = new WeakMap();
  }

  start(root: Element): void {
    this.visited = 0;
    this.isCut = false;
    this.tileLooks = 0;
    this.proseLooks = 0;
    this.shownLooks = 0;
    this.boxLooks = 0;
    this.result = null;
    this.stack = [this.frameOf(root, GROUP, null, { inRow: false, isCovered: false })];
  }

  /** Continues until `deadline`; returns the tree when it is complete. */
  run(deadline: number): SemanticNode | null {
    let steps = 0;
    for (;;) {
      const frame = this.stack.at(-1);
      if (!frame) return this.result;
      if (++steps % 64 === 0 && performance.now() > deadline) return null;
      const node = frame.next;
      if (node && !this.isCut) {
        frame.next = nextSibling(node);
        this.visited++;
        frame.size++;
        if (isElement(node)) {
          frame.elements++;
          this.enter(node, frame);
        }
        if (this.visited >= MAX_NODES) this.isCut = true;
      } else if (frame.light) {
        frame.next = frame.light;
        frame.light = null;
      } else {
        this.stack.pop();
        this.leave(frame, this.stack.at(-1));
      }
    }
  }

  private frameOf(
    element: Element,
    meaning: Meaning,
    rows: Rows | null,
    { inRow, isCovered }: Pick<Frame, 'inRow' | 'isCovered'>,
    first: SemanticNode | null = null,
  ): Frame {
    const shadow = shadowRootOf(element);
    if (shadow) this.hooks.onShadow(shadow);
    const light = firstChild(element);
    return {
      element,
      meaning,
      parts: first ? [first] : [],
      rows,
      inRow,
      isCovered,
      next: shadow ? shadow.firstChild : light,
      light: shadow ? light : null,
      size: 0,
      elements: 0,
    };
  }

  private enter(element: Element, parent: Frame): void {
    const known = this.memory.get(element);
    if (known) {
      this.visited += known.size;
      if (!isRow(known) || this.countRow(parent)) this.attach(known, parent);
      return;
    }
    const tag = tagOf(element);
    const hasAttributes = hasAnyAttribute(element);
    const isCustom = tag.includes('-');
    // A component in a list is one of its items.
    const own = meaningOf(element, tag, hasAttributes);
    const meaning = own === null && isItemOf(parent, element, isCustom) ? ITEM : own;
    if (meaning?.role === 'island')
      parent.parts.push(leaf(element, meaning, (textContent(element) ?? '').slice(0, ISLAND_TEXT)));
    if (tag === 'svg') this.enterDrawing(element, hasAttributes, parent);
    if (isSilent(tag) && meaning?.role !== 'field') return;
    if (hasAttributes && isHidden(element)) {
      if (hasAttribute(element, 'style')) this.hooks.onStyled(element);
      return;
    }
    if (isCustom && !shadowRootOf(element)) this.hooks.onCustomElement(element);
    const isGone = hasAttributes && comesAndGoes(element) && !this.hooks.isShown(element);
    if (isGone || (hasAttributes && this.isEmptyBox(element, tag, meaning, parent))) {
      if (meaning?.role === 'dialog') this.readClosed(element, meaning, parent);
      return;
    }
    if (isClosed(element, tag)) this.readClosed(element, meaning, parent);
    else if (meaning && !this.isOnScreen(element, meaning)) this.unseen.add(element);
    else if (!meaning) this.enterPlain(element, hasAttributes, parent);
    else if (isContainer(meaning.role)) this.enterContainer(element, meaning, parent);
    else this.enterLeaf(element, meaning, parent);
  }

  private enterPlain(element: Element, hasAttributes: boolean, parent: Frame): void {
    const tile = hasAttributes ? this.tileOf(element) : null;
    if (tile && firstElementChild(element)) {
      this.stack.push(this.frameOf(element, GROUP, parent.rows, { inRow: parent.inRow, isCovered: true }, tile));
      return;
    }
    if (tile) {
      parent.parts.push(tile);
      return;
    }
    const mark = parent.inRow ? null : itemMark(element);
    if (mark !== null) {
      this.stack.push(
        this.frameOf(
          element,
          { role: 'list', kind: mark },
          { count: 0, skipped: 0 },
          { inRow: false, isCovered: parent.isCovered },
        ),
      );
      return;
    }
    const ownPair = parent.inRow ? null : pairOf(element, hasAttributes);
    const pair = ownPair && this.isOnScreen(element, PAIR) ? ownPair : null;
    const prose = ownPair || parent.isCovered ? null : this.proseIn(element);
    const part = pair
      ? leaf(element, { role: 'text', kind: pair.name }, pair.value)
      : prose && leaf(element, PROSE, prose.text);
    if (firstElementChild(element) || shadowRootOf(element)) {
      const inside = {
        inRow: parent.inRow || ownPair !== null,
        isCovered: parent.isCovered || ownPair !== null || prose?.isAll === true,
      };
      this.stack.push(this.frameOf(element, GROUP, parent.rows, inside, part));
    } else if (part) parent.parts.push(part);
  }

  private isEmptyBox(element: Element, tag: string, meaning: Meaning | null, parent: Frame): boolean {
    if (parent.inRow || (meaning && !isContainer(meaning.role)) || (meaning && isRow(meaning))) return false;
    if (isInlineTag(tag) || firstElementChild(element) === null || ++this.boxLooks > MAX_BOX_LOOKS) return false;
    return this.hooks.isEmptyBox(element);
  }

  private isOnScreen(element: Element, { role, kind }: Meaning): boolean {
    this.unseen.delete(element);
    if (!MAY_BE_HIDDEN.has(role) || ++this.shownLooks > MAX_SHOWN_LOOKS) return true;
    // Its label or its drawn substitute is beside it.
    const seen = role === 'field' && DRAWN_BESIDE.has(kind) ? element.parentElement : element;
    return seen === null || this.hooks.isTextShown(seen);
  }

  /** Style sheets hide much text that is shown later. */
  private proseIn(element: Element): Prose | null {
    const prose = this.proseLooks < MAX_PROSE_LOOKS ? proseOf(element) : null;
    if (!prose) return null;
    this.proseLooks++;
    return this.hooks.isTextShown(element) ? prose : null;
  }

  private enterContainer(element: Element, meaning: Meaning, parent: Frame): void {
    const { role } = meaning;
    if (isRow(meaning)) {
      const inside = { inRow: true, isCovered: true };
      if (this.countRow(parent)) this.stack.push(this.frameOf(element, meaning, null, inside, this.tileOf(element)));
      return;
    }
    const rows = role === 'table' || role === 'list' ? { count: 0, skipped: 0 } : null;
    this.stack.push(this.frameOf(element, meaning, rows, parent));
  }

  /** Most are icons. */
  private enterDrawing(element: Element, hasAttributes: boolean, parent: Frame): void {
    if (parent.inRow || (hasAttributes && isHidden(element)) || !findInside(element, 'text')) return;
    const texts = drawnTexts(element);
    if (texts.length > 0) parent.parts.push({ ...leaf(element, DRAWING, ''), cells: texts });
    for (const shape of drawnShapes(element)) parent.parts.push(leaf(shape.element, SHAPE, shape.text));
  }

  private tileOf(element: Element): SemanticNode | null {
    if (this.tileLooks >= MAX_TILE_LOOKS || !mayBeTile(element)) return null;
    this.tileLooks++;
    if (!isTile(element) || !this.hooks.isTextShown(element)) return null;
    if (isChosen(element)) this.hooks.onChosen(element);
    const text = textOf(element, LEAF_TEXT + 1);
    // A larger element is a part of the page; an icon is named by its title.
    if (text.length > LEAF_TEXT || (text === '' && !isTitled(element))) return null;
    return leaf(element, TILE, text, textWithoutCounts(element, text));
  }

  /** Read at once; controls inside a heading, a label or a status are found as well. */
  private enterLeaf(element: Element, meaning: Meaning, parent: Frame): void {
    const { role } = meaning;
    const isLong = role === 'status' || role === 'definition';
    // An item of a menu may contain a menu of its own.
    const holdsMenu = meaning.kind === 'menuitem' && findInside(element, '[role=menuitem]') !== null;
    const text =
      role === 'field' || role === 'gauge'
        ? ''
        : role === 'listing'
          ? (textContent(element) ?? '').slice(0, ISLAND_TEXT)
          : textOf(element, isLong ? LONG_TEXT : LEAF_TEXT, holdsMenu ? isMenuPart : undefined);
    const called = role === 'control' || role === 'heading' ? nameText(element, role, text) : text;
    const part = leaf(element, meaning, text, called);
    const hasInside = holdsMenu || (role !== 'field' && role !== 'control' && firstElementChild(element) !== null);
    if (!hasInside) parent.parts.push(part);
    // The leaf is the first of the group's parts, so that both are remembered together.
    else {
      const isCovered = parent.isCovered || COVERED.has(role) || holdsMenu;
      const inside = { inRow: parent.inRow || HOLDS_TEXT.has(role), isCovered };
      this.stack.push(this.frameOf(element, GROUP, null, inside, part));
    }
  }

  /** Only the name of a closed part is visible: a dialog's for its state, the summary of details. */
  private readClosed(element: Element, meaning: Meaning | null, parent: Frame): void {
    if (meaning?.role === 'dialog') {
      const heading = findInside(element, 'h1,h2,h3,h4,[role=heading]');
      parent.parts.push(leaf(element, { role: 'dialog', kind: 'closed' }, heading ? textOf(heading, LEAF_TEXT) : ''));
      return;
    }
    for (const child of element.children) {
      if (tagOf(child) !== 'summary') continue;
      const text = textOf(child, LEAF_TEXT);
      parent.parts.push(leaf(child, { role: 'control', kind: 'summary' }, text, textWithoutCounts(child, text)));
      return;
    }
  }

  private leave(frame: Frame, parent: Frame | undefined): void {
    const { element, meaning, size } = frame;
    const { role } = meaning;
    if (role === 'group' && parent && (size < MIN_REMEMBERED || frame.rows)) {
      // Too small to be remembered; or counted by the surrounding list, which a later walk would have to count again.
      parent.parts.push(...frame.parts);
      parent.size += size;
      return;
    }
    const isUnseen = (inner: Element) => this.unseen.has(inner);
    const node: SemanticNode = {
      ...meaning,
      element,
      text:
        role === 'item' ? itemText(element, isUnseen) : role === 'dialog' ? textOf(element, LONG_TEXT, isUnseen) : '',
      called: '',
      cells: role === 'row' ? cellsOf(element, isUnseen) : NO_CELLS,
      isHeader: role === 'row' && isHeaderRow(element),
      parts: frame.parts.length === 0 ? NO_PARTS : frame.parts,
      skipped: frame.rows?.skipped ?? 0,
      size,
      isPlain: role === 'group' && size <= MAX_PLAIN && frame.parts.every(isReadAtOnce),
      heading: firstHeading(frame.parts),
      title: onlyTitle(frame.parts),
      hasLabel: frame.parts.some((part) => part.role === 'label' || part.hasLabel),
    };
    // After a cut, everything around it is incomplete.
    if (!this.isCut) this.memory.set(element, node);
    if (parent) this.attach(node, parent);
    else this.result = node;
  }

  private attach(node: SemanticNode, parent: Frame): void {
    parent.size += node.size;
    if (node.role !== 'group' || node.parts.length > 0) parent.parts.push(node);
  }

  /**
   * Returns false if the table or list has reached its limit of rows: then the rows after this one are only counted.
   */
  private countRow(frame: Frame): boolean {
    const { rows, next, element } = frame;
    if (!rows || ++rows.count <= MAX_ROWS) return true;
    rows.skipped++;
    if (next && parentNode(next) === element) {
      rows.skipped += childrenOf(element).length - frame.elements;
      frame.next = null;
    }
    return false;
  }
}

/** Without its buttons, unless one of them is what the rest announces: `pier: [west-1]`. */
function itemText(element: Element, isUnseen: (inner: Element) => boolean): string {
  const text = textOf(element, LEAF_TEXT, (inner) => isButtonLike(inner) || isUnseen(inner));
  return text.endsWith(':') ? textOf(element, LEAF_TEXT, isUnseen) : text;
}

/** A heading with more in elements of their own (`Orders <small>of today</small>`) is named by its own text. */
function nameText(element: Element, role: Role, text: string): string {
  const own = role === 'heading' && firstElementChild(element) ? textOf(element, LEAF_TEXT, standsBeside) : '';
  return own === '' ? textWithoutCounts(element, text) : withoutCount(own);
}

function textWithoutCounts(element: Element, text: string): string {
  if (!/\d/.test(text)) return text;
  const rest = firstElementChild(element) ? textOf(element, LEAF_TEXT, isCount) : text;
  return withoutCount(/[^\d\s.,+()[\]]/.test(rest) ? rest : text);
}

function leaf(element: Element, meaning: Meaning, text: string, called = text): SemanticNode {
  return {
    ...meaning,
    element,
    text,
    called,
    cells: NO_CELLS,
    isHeader: false,
    parts: NO_PARTS,
    skipped: 0,
    size: 0,
    isPlain: false,
    heading: '',
    title: '',
    hasLabel: false,
  };
}

function firstHeading(parts: readonly SemanticNode[]): string {
  for (const { role, kind, heading } of parts) {
    if (role === 'heading') return kind;
    if (heading !== '') return heading;
  }
  return '';
}

function onlyTitle(parts: readonly SemanticNode[]): string {
  const [first, second] = parts.filter(({ role, heading }) => role === 'heading' || heading !== '');
  return first === undefined || second !== undefined ? '' : first.role === 'heading' ? first.called : first.title;
}

function isItemOf({ meaning: { role, kind } }: Frame, element: Element, isCustom: boolean): boolean {
  return role === 'list' && (isCustom || (kind !== '' && markOf(element) === kind));
}

function isReadAtOnce({ role, isPlain }: SemanticNode): boolean {
  return isPlain || (role !== 'group' && !isContainer(role));
}

function isRow({ role }: Meaning): boolean {
  return role === 'row' || role === 'item';
}

function parentOf(node: Node): Node | null {
  return parentNode(node) ?? (isShadowRoot(node) ? node.host : null);
}

const COME_AND_GO = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tabpanel']);

function comesAndGoes(element: Element): boolean {
  const role = attributeOf(element, 'role');
  return role !== null && COME_AND_GO.has(role);
}

function isClosed(element: Element, tag: string): boolean {
  return (tag === 'dialog' || tag === 'details') && !hasAttribute(element, 'open');
}
