/** The name of an element for people: in the order of accessible names, with developers' names at the end. */

import { toName } from '../../../../insight/screen/words.ts';
import { isInput, isSelect } from './fields/fields.ts';
import { squeeze } from './names.ts';
import { attributeOf, findInside, firstElementChild, idOf, parentNode, tagOf, textContent } from './nodes.ts';
import { isDocument, isElement, isHidden, isShadowRoot, textOf } from './text.ts';

const NAME_TEXT = 120;
const MAX_REFERENCES = 4;

/** Texts of `<label for=…>` by id, collected from the page. */
export type LabelTexts = ReadonlyMap<string, string>;

/** `aria-label` or the texts that `aria-labelledby` names, or empty. */
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

/** The visible text beside the field, or empty. */
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

/** The visible text of a control, or a substitute; empty if there is none. */
export function controlText(control: Element, shown: string): string {
  const aria = ariaName(control);
  if (aria !== '') return aria;
  if (toName(shown) !== '') return shown;
  if (isInput(control))
    return control.value || control.alt || control.title || (control.type === 'submit' ? 'Submit' : '');
  return (
    titleOf(control) ||
    pictureName(control) ||
    tooltipOf(control) ||
    wrapperName(control) ||
    drawnText(control) ||
    hintOf(control)
  );
}

function titleOf(element: Element): string {
  return attributeOf(element, 'title')?.trim() ?? '';
}

/** More words need no explanation. */
const BRIEF = 2;

/** The title of a control, if its own words are few and different. */
export function titleBeside(control: Element, text: string): string {
  const title = titleOf(control);
  // Most have none.
  if (title === '' || title.length > NAME_TEXT) return '';
  const own = new Set(toName(text).split('_'));
  if (own.size > BRIEF) return '';
  return toName(title)
    .split('_')
    .some((word) => !own.has(word))
    ? title
    : '';
}

/** A tooltip often belongs only to an element around the control. */
function wrapperName(control: Element): string {
  const around = parentNode(control);
  if (!around || !isElement(around) || around.childElementCount !== 1) return '';
  return titleOf(around) || tooltipOf(around);
}

function pictureName(control: Element): string {
  const picture = findInside(control, 'img[alt]:not([alt=""]),[aria-label]:not([aria-label=""]),svg title,[title]');
  if (!picture) return '';
  return (
    attributeOf(picture, 'alt') ||
    attributeOf(picture, 'aria-label') ||
    attributeOf(picture, 'title') ||
    squeeze((textContent(picture) ?? '').slice(0, NAME_TEXT))
  );
}

/** Attributes that a script or a style sheet shows when the pointer is on it. */
const TOOLTIPS = [
  ...['title', 'tooltip', 'tip', 'label', 'original-title', 'bs-original-title', 'tippy-content', 'balloon', 'name'],
  ...['action', 'command', 'testid', 'test-id', 'test', 'cy', 'qa'],
].map((name) => `data-${name}`);

function tooltipOf(control: Element): string {
  for (const name of TOOLTIPS) {
    const text = attributeOf(control, name)?.trim() ?? '';
    if (toName(text) !== '' && text.length <= NAME_TEXT) return text;
  }
  return '';
}

/** By element, while its class is the same: styles are expensive to compute. */
const drawn = new WeakMap<Element, { readonly className: string; readonly text: string }>();

/** Text that a style sheet adds before or after it; symbols of an icon font do not count. */
function drawnText(control: Element): string {
  const className = attributeOf(control, 'class') ?? '';
  const known = drawn.get(control);
  if (known?.className === className) return known.text;
  const parts = [control, firstElementChild(control)].filter((part) => part !== null);
  const texts = parts.flatMap((part) => ['::before', '::after'].map((where) => contentOf(part, where)));
  const text = texts.find((each) => toName(each) !== '') ?? '';
  drawn.set(control, { className, text });
  return text;
}

function contentOf(element: Element, where: string): string {
  const [, text = ''] = /^"(.*)"$/.exec(getComputedStyle(element, where).content) ?? [];
  return text.length <= NAME_TEXT ? text : '';
}

/** The developers' name for it: an icon's class or address, an id. */
function hintOf(control: Element): string {
  return iconName(control) || readable(idOf(control)) || readable(attributeOf(control, 'name'));
}

const ICON_CLASS =
  /(?:^|\s)(?:[\w-]*?icons?|fa[srlbd]?|glyphicon|bi|mdi|codicon|lucide|ti|ri|octicon|pi|feather|la|uil|ph)[-_]+([a-z][\w-]*)/i;
/** Words about the look of an icon, not its meaning. */
const LOOKS =
  /^(?:solid|regular|light|brands?|fw|lg|sm|xs|xl|\dx|spin|pulse|small|large|medium|button|btn|wrapper|icons?)$/;

function iconName(control: Element): string {
  const inside = findInside(control, 'i,svg,use,img,span');
  const use = findInside(control, 'use');
  const address = use ? (attributeOf(use, 'href') ?? attributeOf(use, 'xlink:href')) : null;
  const picture = inside && tagOf(inside) === 'img' ? attributeOf(inside, 'src') : null;
  const [, named = ''] = /([\w-]+)(?:\.(?:svg|png|gif|webp))?$/.exec(address ?? picture ?? '') ?? [];
  const fromAddress = address === null && !/\.\w+$/.test(picture ?? '') ? '' : withoutIcon(named);
  return fromAddress || iconClass(inside) || iconClass(control);
}

function iconClass(element: Element | null): string {
  const classes = (element && attributeOf(element, 'class')) ?? '';
  for (const each of classes.split(/\s+/)) {
    const [, name = ''] = ICON_CLASS.exec(each) ?? [];
    if (name !== '' && !LOOKS.test(name) && readable(name) !== '') return name;
  }
  return '';
}

/** `icon-trash` and `trash-icon` are `trash`. */
function withoutIcon(name: string): string {
  return readable(name.replace(/^(?:ic|icon)[-_]|[-_]icon$/gi, ''));
}

/** The names of a container: a form, a list, a table, a dialog. */
export function containerTexts(element: Element): { aria: string; own: string } {
  return { aria: ariaName(element), own: readable(attributeOf(element, 'name')) || readable(idOf(element)) };
}

/** An id generated by a library (`radix-12`, `:r3:`, `input_8f3a`) has no meaning. */
function readable(id: string | null): string {
  return id === null || /^:|\d{2}|[a-z]\d[a-z]|-\d+$|^\d/.test(id) ? '' : id;
}

/** The first heading in it, if nothing better names it. */
export function headingIn(element: Element): string {
  const heading = findInside(element, 'h1,h2,h3,h4,legend,[role=heading]');
  return heading && !isHidden(heading) ? textOf(heading, NAME_TEXT) : '';
}
