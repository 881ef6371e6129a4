/** Brings the values of all known fields up to date: scripts set them without any event. */

import type { Scalar } from '../../../../model/scalar.ts';
import { isInput, isTextArea } from './fields.ts';
import { textContent } from './nodes.ts';
import type { FieldSite } from './screen.ts';

/** True when at least one has another value than before. */
export function refreshFields(fields: readonly FieldSite[]): boolean {
  let changed = false;
  for (const field of fields) {
    // What is written in the document itself cannot change without a mutation, after which everything is read anew.
    if (field.kind === 'rich' && field.key in field.record) continue;
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
  return isInput(element) || isTextArea(element) ? element.value : (textContent(element) ?? '');
}
