/** Fills fields: values that cannot be typed are set here, the others are prepared for the keyboard. */

import { clickPoint, isDisabled, type Point } from '../actions/click-point.ts';
import { type Found, isFrame, type Problem, problem } from '../actions/locator.ts';
import { squeeze } from '../names.ts';
import { hasAttribute, shadowRootOf } from '../nodes.ts';
import type { FieldSite, FormSite } from '../screen.ts';
import { isDocument, isShadowRoot } from '../text.ts';
import { editorInput, isReadOnly } from './editors.ts';
import { fieldKind, isHtml, isInput, isSelect, isTextArea, optionText } from './fields.ts';

/**
 * `type`: the field is focused and its content selected. `replace`: only a keyboard shortcut selects its content.
 * `click`: a click there sets it. `done`: it is set.
 */
export type Filling =
  | { readonly ok: true; readonly how: 'done' | 'type' | 'replace' }
  | (Point & { readonly how: 'click' });

export function prepareField({ element, site, name }: Found, value: unknown): Filling | Problem {
  if (isDisabled(element)) return problem(`${name} is disabled`);
  const kind = site?.kind ?? fieldKind(element);
  if (kind === null) return problem(`${name} is not a field`);
  if (isReadOnly(element)) return problem(`${name} is read-only`);
  if (kind === 'file')
    return problem(
      `${name} takes a file: the action upload chooses one, from folders that [probe.v8] upload_folders names`,
    );
  if (kind === 'checkbox') return prepareCheckbox(element, value, name);
  if (kind === 'radio') return prepareRadio(site, value, name);
  if (kind === 'select') return setSelect(element, value, name);
  if (kind === 'value') return setValue(element, value, name);
  const focused = focusOn(editorInput(element) ?? element, name);
  if (!focused.ok) return focused;
  if (kind === 'editor') return { ok: true, how: 'replace' };
  selectContent(element);
  return { ok: true, how: kind === 'rich' ? 'replace' : 'type' };
}

export function focusOn(element: Element, name: string): { ok: true } | Problem {
  if (!element.isConnected) return problem(`${name} is not in the page any more`);
  if (isDisabled(element)) return problem(`${name} is disabled`);
  if (!element.checkVisibility({ checkVisibilityCSS: true })) return problem(`${name} is not visible`);
  if (!isHtml(element)) return problem(`${name} cannot have the focus`);
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // A frame has the keyboard only if its window has it.
  element.ownerDocument.defaultView?.focus();
  element.focus({ preventScroll: true });
  return hasFocus(element) ? { ok: true } : problem(`${name} cannot have the focus`);
}

function hasFocus(element: Element): boolean {
  const root = element.getRootNode();
  const active = isShadowRoot(root) || isDocument(root) ? root.activeElement : element.ownerDocument.activeElement;
  return active === element || (active !== null && element.contains(active));
}

/**
 * A field that would prevent the submission, read without the event that `checkValidity` would fire; null if there is
 * none.
 */
export function invalidField(form: FormSite, button: Element | null): Problem | null {
  if (hasAttribute(form.element, 'novalidate') || button?.hasAttribute('formnovalidate')) return null;
  for (const { element, name } of form.fields) {
    if (!(isInput(element) || isTextArea(element) || isSelect(element))) continue;
    if (element.willValidate && !element.validity.valid)
      return problem(`the field ${name} is not valid: ${element.validationMessage || 'the page says so'}`);
  }
  return null;
}

/** The element that receives typed text, or null. */
export function typingTarget(scope: Document | ShadowRoot = document): Element | null {
  const active = scope.activeElement;
  if (!active) return null;
  const shadow = shadowRootOf(active);
  if (shadow) return typingTarget(shadow);
  if (isFrame(active)) {
    const inner = active.contentDocument;
    // The focused element in a frame of another site is not visible from here.
    return inner ? typingTarget(inner) : active;
  }
  const kind = fieldKind(active);
  if (kind === 'text' || kind === 'password' || kind === 'number' || kind === 'rich') return active;
  return isHtml(active) && active.isContentEditable ? active : null;
}

export function selectContent(element: Element): void {
  if (isInput(element) || isTextArea(element)) element.select();
  else element.ownerDocument.defaultView?.getSelection()?.selectAllChildren(element);
}

function prepareCheckbox(element: Element, value: unknown, name: string): Filling | Problem {
  if (isInput(element) && element.checked === value) return { ok: true, how: 'done' };
  return clickOn(element, name);
}

function prepareRadio(site: FieldSite | null, value: unknown, name: string): Filling | Problem {
  const wanted = same(String(value));
  const radio = site?.radios.find(({ element, label }) => same(label) === wanted || same(element.value) === wanted);
  if (!radio) return noOption(name, String(value), site?.radios.map(({ label }) => label) ?? []);
  return radio.element.checked ? { ok: true, how: 'done' } : clickOn(radio.element, name);
}

function clickOn(element: Element, name: string): Filling | Problem {
  const point = clickPoint(element, name);
  return point.ok ? { ...point, how: 'click' } : point;
}

function setSelect(element: Element, value: unknown, name: string): Filling | Problem {
  if (!isSelect(element)) return problem(`${name} is not a list of options`);
  const wanted = same(String(value));
  const options = [...element.options];
  const option =
    options.find((one) => same(optionText(one)) === wanted) ?? options.find((one) => same(one.value) === wanted);
  if (!option) return noOption(name, String(value), options.map(optionText));
  if (option.disabled) return problem(`the option "${optionText(option)}" of ${name} is disabled`);
  if (option.selected && !element.multiple) return { ok: true, how: 'done' };
  element.selectedIndex = option.index;
  return dispatchChange(element);
}

/** Dates, colours, ranges: typed text would depend on the language of the browser. */
function setValue(element: Element, value: unknown, name: string): Filling | Problem {
  if (!isInput(element)) return problem(`${name} takes no value`);
  const text = String(value);
  const before = element.value;
  // In this world the accessor is the browser's own: a framework that wrapped it notices the difference by the event.
  element.value = text;
  const isTaken =
    element.type === 'range' ? Number(element.value) === Number(text) : same(element.value) === same(text);
  if (isTaken) return dispatchChange(element);
  element.value = before;
  return problem(`${name} does not take "${text}": ${hintFor(element)}`);
}

function hintFor({ type, min, max, step }: HTMLInputElement): string {
  const forms: Readonly<Record<string, string>> = {
    date: 'expected YYYY-MM-DD',
    time: 'expected HH:MM',
    month: 'expected YYYY-MM',
    week: 'expected YYYY-Www',
    'datetime-local': 'expected YYYY-MM-DDTHH:MM',
    color: 'expected #rrggbb',
  };
  return forms[type] ?? `expected a number from ${min || '0'} to ${max || '100'} in steps of ${step || '1'}`;
}

function dispatchChange(element: Element): Filling {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return { ok: true, how: 'done' };
}

function noOption(name: string, value: string, options: readonly string[]): Problem {
  const list = options.slice(0, 20).join(' | ');
  return problem(`${name} has no option "${value}"; it has: ${list}`);
}

function same(text: string): string {
  return squeeze(text).toLowerCase();
}
