/** Names for React components and their hooks if a minifier left none: from the text beside the values. */

import { isObject } from '../safe.ts';
import { headingName, NAMING_ATTRIBUTES, shortName as textName, classNameOf as wordOfClass } from './dom-names.ts';
import { type Fiber, TAG, walkFibers } from './react-fiber.ts';

/** Fibers below a component that are searched for a name. */
const MAX_LOOKED_AT = 300;
const HOST_TAGS = new Set([TAG.host, 26, 27]);

export interface Shown {
  readonly text: string;
  /** Set for elements that hold a value or a list. */
  readonly props: Record<string, unknown> | null;
  readonly element: string;
  readonly listLength: number;
}

/** The content of a component, in the order of the page. */
export function shownBy(fiber: Fiber): Shown[] {
  const shown: Shown[] = [];
  for (const at of walkFibers(fiber, MAX_LOOKED_AT)) {
    if (at.tag === TAG.text && typeof at.memoizedProps === 'string') {
      shown.push({ text: at.memoizedProps, props: null, element: '', listLength: -1 });
    } else if (HOST_TAGS.has(at.tag) && typeof at.type === 'string' && isObject(at.memoizedProps)) {
      const props = at.memoizedProps as Record<string, unknown>;
      const { children } = props;
      const text = typeof children === 'string' || typeof children === 'number' ? String(children) : '';
      shown.push({ text, props, element: at.type, listLength: keyedChildren(at) });
    }
  }
  return shown;
}

/** From the first element: its own attributes, or its heading. */
export function nameFromElement(shown: readonly Shown[]): string {
  const first = shown.find(({ props }) => props !== null)?.props;
  if (!first) return '';
  for (const prop of NAMING_ATTRIBUTES) {
    const name = textName(first[prop]);
    if (name) return name;
  }
  const heading = shown
    .slice(0, 12)
    .find(({ element, text }) => /^(h[1-6]|legend|caption|label)$/.test(element) && text);
  const fromHeading = heading && headingName(heading.text);
  return fromHeading || classNameOf(first) || '';
}

/** The label of the element that shows this value: the text before it, or the attributes of its input. */
export function nameFromPlace(value: unknown, shown: readonly Shown[]): string | null {
  for (const [at, { text, props, listLength, element }] of shown.entries()) {
    if (Array.isArray(value)) {
      if (value.length > 0 && listLength === value.length)
        return (props && (labelOf(props) || classNameOf(props))) || textBefore(shown, at);
      continue;
    }
    if (props && isInputOf(element, props, value)) return labelOf(props) || textBefore(shown, at);
    if (typeof value === 'boolean' || value === null || value === '') continue;
    if (text !== '' && says(text, value)) {
      const label = textBefore(shown, at) ?? labelWithin(text);
      if (label) return label;
    }
  }
  return null;
}

function isInputOf(element: string, props: Record<string, unknown>, value: unknown): boolean {
  if (typeof value === 'boolean')
    return typeof props.checked === 'boolean' && props.checked === value && element === 'input';
  if (!/^(input|textarea|select)$/.test(element)) return false;
  // The text of an object would come from code of the app.
  if (isObject(value) || isObject(props.value) || typeof props.value === 'function') return false;
  return typeof props.value !== 'undefined' && String(props.value) === String(value);
}

function labelOf(props: Record<string, unknown>): string | null {
  for (const prop of ['name', 'aria-label', 'id', 'data-testid', 'placeholder']) {
    const name = textName(props[prop]);
    if (name) return name;
  }
  return null;
}

function classNameOf({ className }: Record<string, unknown>): string | null {
  return wordOfClass(className);
}

/** The nearest text before a place that is no value itself. */
function textBefore(shown: readonly Shown[], at: number): string | null {
  for (let before = at - 1; before >= Math.max(0, at - 4); before--) {
    const text = shown[before]?.text.trim() ?? '';
    if (text === '' || !/[A-Za-z]/.test(text)) continue;
    return textName(text);
  }
  return null;
}

/** `Total: 42.50` names its value itself. */
function labelWithin(text: string): string | null {
  const match = /^([A-Za-z][A-Za-z ]*):/.exec(text);
  return match ? textName(match[1]) : null;
}

/** The text shows this value, perhaps as `$42.50` or `1,024`. */
function says(text: string, value: unknown): boolean {
  if (typeof value === 'string') return text.trim() === value.trim();
  if (typeof value !== 'number') return false;
  const digits = text.replace(/[^\d.-]/g, '');
  return digits !== '' && /\d/.test(digits) && Number(digits) === value;
}

function keyedChildren(fiber: Fiber): number {
  let count = 0;
  for (let child = fiber.child; child && count < 10_000; child = child.sibling) if (child.key !== null) count++;
  return count === 0 ? -1 : count;
}
