/** Updates the values of all known fields: scripts set them without any event. */

import type { Scalar } from '../../../../../../model/scalar.ts';
import { squeeze } from '../names.ts';
import type { FieldSite } from '../screen.ts';
import { editorText, isEditor, richText } from './editors.ts';
import { isInput, isTextArea } from './fields.ts';

/** Returns true if at least one value has changed. */
export function refreshFields(fields: readonly FieldSite[]): boolean {
  let changed = false;
  for (const field of fields) {
    // Text in the document itself cannot change without a mutation, after which everything is read anew.
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

/** The real value of the field, only for a comparison inside the page. */
export function heldBy(site: FieldSite): Scalar {
  return site.kind === 'radio' || site.kind === 'checkbox' || site.kind === 'select'
    ? readSite(site)
    : heldText(site.element);
}

export function heldText(element: Element): string {
  if (isInput(element) || isTextArea(element)) return element.value;
  return isEditor(element) ? editorText(element) : richText(element);
}

/** An editor draws only a part of a long text; with fewer lines than this it draws all. */
const MIN_PART = 10;

/** True if it holds the given text. */
export function holdsText(element: Element, wanted: string): boolean {
  const held = heldText(element);
  if (held === wanted || isInput(element) || isTextArea(element)) return held === wanted;
  const shown = linesOf(held);
  const given = linesOf(wanted);
  // Markup treats spaces differently.
  if (!isEditor(element)) return shown.map(squeeze).join() === given.map(squeeze).join();
  if (shown.length >= given.length || shown.length < MIN_PART) return shown.join('\n') === given.join('\n');
  return `\n${given.join('\n')}\n`.includes(`\n${shown.join('\n')}\n`);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
