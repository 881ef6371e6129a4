/** Brings the values of all known fields up to date: scripts set them without any event. */

import type { Scalar } from '../../../../model/scalar.ts';
import { editorText, isEditor, richText } from './editors.ts';
import { isInput, isTextArea } from './fields.ts';
import { squeeze } from './names.ts';
import type { FieldSite } from './screen.ts';

/** True when at least one has another value than before. */
export function refreshFields(fields: readonly FieldSite[]): boolean {
  let changed = false;
  for (const field of fields) {
    // What is written in the document itself cannot change without a mutation, after which everything is read anew.
    if ((field.kind === 'rich' || field.kind === 'editor') && field.key in field.record) continue;
    const value = readSite(field);
    if (Object.is(field.record[field.key], value)) continue;
    field.record[field.key] = value;
    changed = true;
  }
  return changed;
}

function readSite({ kind, read, radios }: FieldSite): Scalar {
  if (kind !== 'radio') return read();
  for (const radio of radios) if (radio.element.checked) return radio.label;
  return '';
}

/** What the field really holds, for a comparison inside the page only. */
export function heldBy(site: FieldSite): Scalar {
  return site.kind === 'radio' || site.kind === 'checkbox' || site.kind === 'select'
    ? readSite(site)
    : heldText(site.element);
}

export function heldText(element: Element): string {
  if (isInput(element) || isTextArea(element)) return element.value;
  return isEditor(element) ? editorText(element) : richText(element);
}

/** Whether it holds what was given, in its own way: an editor draws only what can be seen of it. */
export function holdsText(element: Element, wanted: string): boolean {
  const held = heldText(element);
  if (held === wanted || isInput(element) || isTextArea(element)) return held === wanted;
  if (!isEditor(element)) return linesOf(held).join('\n') === linesOf(wanted).join('\n');
  const given = new Set(linesOf(wanted));
  const shown = linesOf(held);
  return shown.every((line) => given.has(line)) && shown.length > 0 === given.size > 0;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(squeeze)
    .filter((line) => line !== '');
}
