/**
 * Finds where a person would click: a point of the element that nothing covers, in coordinates of the main frame if
 * possible.
 */

import { attributeOf, parentNode, shadowRootOf } from '../nodes.ts';
import { isShadowRoot, textOf } from '../text.ts';
import { describeTag, type Problem, problem } from './locator.ts';

export interface Point {
  readonly ok: true;
  readonly x: number;
  readonly y: number;
  /** The point is in this agent's frame, not in the main frame. */
  readonly inFrame?: true;
  /** The text of the element. */
  readonly shows?: string;
}

const MAX_SHOWN = 40;
const LARGE = 100;
/** Tried in this order, as shares of the box: the middle, then beside it, in case a badge or a sticky bar covers it. */
const SPOTS: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.2, 0.5],
  [0.8, 0.5],
];

/** Scrolls the element into view, unless it `stays`. */
export function clickPoint(element: Element, name: string, stays = false): Point | Problem {
  if (!element.isConnected) return problem(`${name} is not in the page any more`);
  if (isDisabled(element)) return problem(`${name} is disabled`);
  let reason: Problem | null = null;
  // A custom-drawn control is hidden or tiny: then its label takes the clicks.
  for (const part of [element, ...labelsOf(element)]) {
    if (!isShown(part)) continue;
    if (!stays) part.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const point = pointOn(part, element, name);
    const shows = point.ok ? textOf(element, MAX_SHOWN) : '';
    if (point.ok) return shows === '' ? point : { ...point, shows };
    reason ??= point;
  }
  return reason ?? problem(`${name} is not visible`);
}

function pointOn(part: Element, element: Element, name: string): Point | Problem {
  const box = firstBox(part);
  if (!box) return problem(`${name} is not visible`);
  let reason = `${name} is outside of the window`;
  for (const [across, down] of SPOTS) {
    const x = box.left + box.width * across;
    const y = box.top + box.height * down;
    const hit = hitAt(part.ownerDocument, x, y);
    if (!hit) continue;
    if (!belongsTo(hit, element, part)) {
      reason = `${name} is covered by ${describeTag(hit)}`;
      continue;
    }
    const point = toMainFrame(part, x, y, name);
    if (point.ok) return point;
    reason = point.problem;
  }
  return problem(reason);
}

/** A point of a canvas; anything else there is no drawing. */
export function pointOfCanvas(x: number, y: number, name: string): Point | Problem {
  const hit = hitAt(document, x, y);
  if (!hit) return problem(`${name} is outside of the window`);
  return hit.localName === 'canvas'
    ? toMainFrame(hit, x, y, name)
    : problem(`${name} is covered by ${describeTag(hit)}`);
}

/** A canvas that a person would look at, not an icon. */
export function hasLargeCanvas(): boolean {
  return [...document.getElementsByTagName('canvas')].some(
    ({ clientWidth, clientHeight }) => clientWidth >= LARGE && clientHeight >= LARGE,
  );
}

export function isDisabled(element: Element): boolean {
  return element.matches(':disabled') || attributeOf(element, 'aria-disabled') === 'true';
}

function isShown(element: Element): boolean {
  return element.checkVisibility({ checkVisibilityCSS: true }) && firstBox(element) !== null;
}

function firstBox(element: Element): DOMRect | null {
  for (const box of element.getClientRects()) if (box.width > 0 && box.height > 0) return box;
  return null;
}

function labelsOf(element: Element): Iterable<HTMLLabelElement> {
  return isLabelable(element) ? (element.labels ?? []) : [];
}

function isLabelable(element: Element): element is HTMLInputElement {
  return 'labels' in element;
}

/** The element at a point, including those inside shadow roots. */
function hitAt(root: Document, x: number, y: number): Element | null {
  let hit = root.elementFromPoint(x, y);
  for (;;) {
    const inner: Element | null = (hit && shadowRootOf(hit)?.elementFromPoint(x, y)) ?? null;
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

/** A click on a part of it, or on its label, is a click on it. */
function belongsTo(hit: Element, element: Element, part: Element): boolean {
  for (let at: Node | null = hit; at; at = parentNode(at) ?? hostOf(at)) if (at === element || at === part) return true;
  for (const label of labelsOf(element)) if (label.contains(hit)) return true;
  return false;
}

function hostOf(node: Node): Element | null {
  return isShadowRoot(node) ? node.host : null;
}

function toMainFrame(element: Element, x: number, y: number, name: string): Point | Problem {
  let view = element.ownerDocument.defaultView;
  let [left, top] = [x, y];
  let here = { left, top };
  while (view) {
    if (view === window) here = { left, top };
    if (view === view.parent) return { ok: true, x: left, y: top };
    const frame = view.frameElement;
    if (!frame) break;
    const box = frame.getBoundingClientRect();
    left += box.left + frame.clientLeft;
    top += box.top + frame.clientTop;
    const hit = hitAt(frame.ownerDocument, left, top);
    if (hit !== frame) return problem(`${name} is covered by ${hit ? describeTag(hit) : 'the edge of its frame'}`);
    view = frame.ownerDocument.defaultView;
  }
  // The surrounding frame is of another origin: only the browser knows the position of this one in it.
  return { ok: true, x: here.left, y: here.top, inFrame: true };
}
