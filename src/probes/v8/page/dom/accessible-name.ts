/** What people call an element: the order is that of accessible names, with what developers call it at the end. */

import { isInput, isSelect } from './fields.ts';
import { toName } from './names.ts';
import { attributeOf, findInside, idOf, textContent } from './nodes.ts';
import { isDocument, isHidden, isShadowRoot, textOf } from './text.ts';

const NAME_TEXT = 120;
const MAX_REFERENCES = 4;

/** Texts of `<label for=…>` by id, collected from the page. */
export type LabelTexts = ReadonlyMap<string, string>;

/** `aria-label` or the texts that `aria-labelledby` names; empty: neither. */
function ariaName(element: Element): string {
  const references = attributeOf(element, 'aria-labelledby');
  if (references) {
    const root = element.getRootNode();
    const scope = isShadowRoot(root) || isDocument(root) ? root : document;
    const texts = references.trim().split(/\s+/).slice(0, MAX_REFERENCES);
    const text = texts.map((id) => textOfId(scope, id)).join(' ');
    if (text.trim() !== '') return text.trim();
  }
  return attributeOf(element, 'aria-label')?.trim() ?? '';
}

function textOfId(scope: Document | ShadowRoot, id: string): string {
  const element = scope.getElementById(id);
  return element ? textOf(element, NAME_TEXT) : '';
}

/** What people read beside the field; empty: nothing. */
export function shownLabel(field: Element, labels: LabelTexts): string {
  const named = ariaName(field) || (idOf(field) === '' ? '' : (labels.get(idOf(field)) ?? ''));
  if (toName(named) !== '') return named;
  const around = field.closest('label');
  return around ? textOf(around, NAME_TEXT, (inner) => inner === field || isSelect(inner)) : '';
}

/** The first text that names the field. */
export function fieldLabel(field: Element, labels: LabelTexts): string {
  const shown = shownLabel(field, labels);
  if (toName(shown) !== '') return shown;
  for (const attribute of ['placeholder', 'title', 'name', 'id', 'data-testid']) {
    const text = attributeOf(field, attribute);
    const isIdentifier = attribute === 'name' || attribute === 'id';
    if (text !== null && toName(text) !== '' && (!isIdentifier || readable(text) !== '')) return text;
  }
  return '';
}

/** The text of a control as it is shown, or what stands in for it; empty: nobody can tell. */
export function controlText(control: Element, shown: string): string {
  const aria = ariaName(control);
  if (aria !== '') return aria;
  if (toName(shown) !== '') return shown;
  if (isInput(control))
    return control.value || control.alt || control.title || (control.type === 'submit' ? 'Submit' : '');
  const picture = findInside(control, 'img[alt],svg[aria-label],svg title');
  return (
    attributeOf(control, 'title') ||
    (picture && (attributeOf(picture, 'alt') || attributeOf(picture, 'aria-label') || textContent(picture))) ||
    attributeOf(control, 'data-testid') ||
    readable(idOf(control))
  );
}

/** What names a container: a form, a list, a table, a dialog. */
export function containerTexts(element: Element): { aria: string; own: string } {
  return { aria: ariaName(element), own: readable(attributeOf(element, 'name')) || readable(idOf(element)) };
}

/** An id that a library made (`radix-12`, `:r3:`, `input_8f3a`) names nothing. */
function readable(id: string | null): string {
  return id === null || /^:|\d{2}|[a-z]\d[a-z]|-\d+$|^\d/.test(id) ? '' : id;
}

/** The first heading in it, where nothing better names it. */
export function headingIn(element: Element): string {
  const heading = findInside(element, 'h1,h2,h3,h4,legend,[role=heading]');
  return heading && !isHidden(heading) ? textOf(heading, NAME_TEXT) : '';
}
