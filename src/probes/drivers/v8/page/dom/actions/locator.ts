/** Finds the element of an action. */

import { shorten } from '../../../../../insight/screen/words.ts';
import { attributeOf, idOf, tagOf } from '../nodes.ts';
import type { FieldSite, FormSite } from '../screen.ts';
import { textOf } from '../text.ts';
import type { Target } from './page-actions.ts';

/** `field`: a field of the form; without it the form's button is used. `index`: one of several alike. */
export interface Query {
  readonly selector?: string;
  readonly binding?: string;
  readonly field?: string;
  readonly index?: number;
  /** Words to click, and words of the surrounding part of the page. */
  readonly text?: string;
  readonly within?: string;
  /** Only the pointer is moved there. */
  readonly hovers?: boolean;
  /** It is not scrolled into view. */
  readonly stays?: boolean;
  /** The new value of the field. */
  readonly value?: unknown;
  /** A point of the window, and how far to scroll there. */
  readonly x?: number;
  readonly y?: number;
  readonly deltaY?: number;
}

/** Written by the daemon, which validates it. */
export function parseQuery(json: string): Query {
  return JSON.parse(json) as Query;
}

/** `site`: set for a field that the screen knows. */
export interface Found {
  readonly element: Element;
  readonly site: FieldSite | null;
  /** Set for the button of a form. */
  readonly form?: FormSite;
  /** For messages. */
  readonly name: string;
}

export interface Problem {
  readonly ok: false;
  readonly problem: string;
  /** The page has a canvas, on which it may be drawn. */
  readonly hasCanvas?: true;
}

export function problem(text: string): Problem {
  return { ok: false, problem: text };
}

/** `held`: the target of the binding when the action began; names may change while it runs, elements do not. */
export function findElement(
  query: Query,
  targets: ReadonlyMap<string, Target>,
  held: Target | null = null,
): Found | Problem {
  if (query.selector !== undefined) return findBySelector(query.selector);
  const target = targets.get(query.binding ?? '') ?? held;
  if (!target) return problem('this control is not on the screen any more');
  if (target.kind === 'form') return findInForm(target, query.field, held);
  const index = query.index ?? 0;
  if (target.kind === 'fields') {
    const site = target.fields[index];
    return site
      ? { element: site.element, site, name: `the field ${site.name}` }
      : noSuchIndex(index, target.fields.length);
  }
  const element = target.elements[index];
  return element ? { element, site: null, name: nameOf(element) } : noSuchIndex(index, target.elements.length);
}

function noSuchIndex(index: number, count: number): Problem {
  return problem(`there is no number ${index}: index must be 0 to ${count - 1}`);
}

type FormTarget = Extract<Target, { kind: 'form' }>;

function findInForm(target: FormTarget, field: string | undefined, held: Target | null): Found | Problem {
  if (field !== undefined) {
    const site = fieldOf(target, field, held);
    if (!site) return problem(`the form ${target.form.name} has no field ${field} any more`);
    return { element: site.element, site, name: `the field ${field}` };
  }
  if (!target.submit) return problem(`the form ${target.form.name} has no button`);
  return { element: target.submit, site: null, form: target.form, name: nameOf(target.submit) };
}

function fieldOf(target: FormTarget, field: string, held: Target | null): FieldSite | null {
  const first = held?.kind === 'form' ? held.form.fields.find(({ name }) => name === field) : undefined;
  const { fields } = target.form;
  const same = first?.element.isConnected ? (fields.find(({ element }) => element === first.element) ?? first) : null;
  return same ?? fields.find(({ name }) => name === field) ?? null;
}

function findBySelector(selector: string): Found | Problem {
  try {
    const element =
      queryDeep(document, selector) ?? queryThrough(document, selector.trim().split(/\s+(?![^[(]*[\])])/));
    if (element) return { element, site: null, name: `\`${selector}\`` };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SyntaxError')
      return problem(`\`${selector}\` is not a valid CSS selector`);
    throw error;
  }
  return problem(`no element matches the selector \`${selector}\``);
}

/** `quantity-picker input`: an outer part that matches a host, and an inner one that matches inside of it. */
function queryThrough(root: Document | ShadowRoot, parts: readonly string[]): Element | null {
  for (let split = 1; split < parts.length; split++) {
    // A combinator that needs both sides in one tree cannot be split.
    if (/^[>+~]$/.test(parts[split - 1] ?? '') || /^[>+~]$/.test(parts[split] ?? '')) continue;
    const host = queryDeep(root, parts.slice(0, split).join(' '));
    const inner = host && (isFrame(host) ? host.contentDocument : host.shadowRoot);
    const rest = parts.slice(split);
    const found = inner && (inner.querySelector(rest.join(' ')) ?? queryThrough(inner, rest));
    if (found) return found;
  }
  return null;
}

/** The document first, then open shadow roots, then frames of the same origin. */
function queryDeep(root: Document | ShadowRoot, selector: string): Element | null {
  const found = root.querySelector(selector);
  if (found) return found;
  const all = [...root.querySelectorAll('*')];
  for (const { shadowRoot } of all) {
    const inside = shadowRoot && queryDeep(shadowRoot, selector);
    if (inside) return inside;
  }
  for (const element of all) {
    const inner = isFrame(element) ? element.contentDocument : null;
    const inside = inner && queryDeep(inner, selector);
    if (inside) return inside;
  }
  return null;
}

export function isFrame(element: Element): element is HTMLIFrameElement {
  return tagOf(element) === 'iframe' || tagOf(element) === 'frame';
}

function nameOf(element: Element): string {
  const text = shorten(textOf(element, 60), 40);
  return text === '' ? describeTag(element) : `${tagOf(element)} "${text}"`;
}

/** `<div class="overlay">`: enough to find it in the page's source. */
export function describeTag(element: Element): string {
  const id = idOf(element) === '' ? '' : ` id="${shorten(idOf(element), 40)}"`;
  const className = attributeOf(element, 'class');
  const classes = id !== '' || !className ? '' : ` class="${shorten(className, 40)}"`;
  return `<${tagOf(element)}${id}${classes}>`;
}
