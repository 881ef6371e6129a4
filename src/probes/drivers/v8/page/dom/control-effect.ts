/** Reads from the page what `consequences.ts` judges. */
import type { Effect } from '../../../../../model/raw-action.ts';
import { pressEffect, toggleEffect } from '../../../../insight/screen/control-effect.ts';
import { linkEffect, viewEffect } from './consequences.ts';
import { attributeOf, hasAttribute } from './nodes.ts';
import type { ControlSite, FieldSite } from './screen.ts';
import { textOf } from './text.ts';
import { isMarked, isOneOfMarked, MAX_BAR } from './tiles.ts';

const OWN_TEXT = 120;
/** With these a library sends more than a request for a page, or asks first because it matters. */
const WRITING = ['hx-post', 'hx-put', 'hx-patch', 'hx-delete', 'data-confirm', 'data-turbo-confirm'];

export function controlEffect({ element, kind, text }: ControlSite): Effect {
  if (WRITING.some((name) => hasAttribute(element, name)) || methodOf(element) !== 'get') return 'unknown';
  const own = ownText(element, text);
  if (changesView(element, kind) || /(?:…|\.\.\.)\s*$/.test(text)) return viewEffect(own);
  if (kind !== 'link' && mayChangeView(element) && toggleEffect(own) !== 'unknown') return 'look';
  if (kind === 'link') {
    const href = attributeOf(element, 'href') ?? '';
    return linkEffect(own, { isPlain: isPlainLink(element), href, isName: isScriptOnly(href) && isName(element) });
  }
  return kind === 'toggle' || kind === 'summary' || kind === 'tab' ? toggleEffect(own) : pressEffect(own);
}

/** Libraries of widgets say with these what a control opens. */
const TOGGLES = ['data-toggle', 'data-bs-toggle'];
const OPENED = new Set(['dropdown', 'modal', 'collapse', 'tab', 'pill', 'offcanvas', 'popover', 'tooltip']);
/** A click on one of them selects it. */
const SELECTED_IN = '[role=tree],[role=listbox]';

/** What the markup says that it does: shows one of several parts, opens a part or a menu, sorts by a column. */
function changesView(element: Element, kind: string): boolean {
  if (kind === 'summary' || attributeOf(element, 'role') === 'tab') return true;
  if (kind === 'toggle') return false;
  if (TOGGLES.some((name) => OPENED.has(attributeOf(element, name) ?? ''))) return true;
  if (element.closest(SELECTED_IN) !== null) return true;
  const popup = attributeOf(element, 'aria-haspopup') ?? 'false';
  if (hasAttribute(element, 'aria-expanded') || (popup !== 'false' && popup !== 'dialog')) return true;
  const head = element.closest('th,[role=columnheader]');
  return head !== null && (hasAttribute(head, 'aria-sort') || [element, head].some(saysSort));
}

/** What opens a dialog, and one of several buttons of which one is marked as the active one: unless its words say more. */
function mayChangeView(element: Element): boolean {
  if (attributeOf(element, 'aria-haspopup') === 'dialog' || isOneOfMarked(element)) return true;
  const [own, around] = [element.parentElement, element.parentElement?.parentElement];
  const alone = own?.childElementCount === 1 && around ? around.children : own?.children;
  if (!alone || alone.length < 2 || alone.length > MAX_BAR) return false;
  const buttons = [...alone].map((part) => (part.localName === 'button' ? part : part.firstElementChild));
  if (!buttons.every((button) => button?.localName === 'button')) return false;
  // While another part is shown none may be marked: what a control does is the same.
  const bar = alone[0]?.parentElement ?? element;
  const isBar = bars.has(bar) || buttons.filter((button) => button !== null && isMarked(button)).length === 1;
  if (isBar) bars.add(bar);
  return isBar;
}

/** Where one of several buttons was marked once. */
const bars = new WeakSet<Element>();

function saysSort(element: Element): boolean {
  return /sort/i.test(attributeOf(element, 'class') ?? '');
}

/** `type-name`, `tab-label`: what a person reads there is what something is called, not what will be done. */
function isName(element: Element): boolean {
  const classes = attributeOf(element, 'class') ?? '';
  return /(?:name|title|type|term|label)(?:\s|$)/i.test(classes) && !/btn|button|action/i.test(classes);
}

function isScriptOnly(href: string): boolean {
  return href.startsWith('#') || isScriptLink(href);
}

/** A check box or choice may do at once what it says; other fields hold what is written into them. */
export function fieldEffect({ kind, label, radios }: FieldSite): Effect {
  if (kind !== 'checkbox' && kind !== 'radio') return 'setter';
  return toggleEffect([label, ...radios.map((radio) => radio.label)].join(' ')) === 'unknown' ? 'unknown' : 'setter';
}

/** A link that only a script gives a meaning. */
export function isScriptLink(href: string): boolean {
  return href === '#' || /^\s*javascript:/i.test(href);
}

function methodOf(element: Element): string {
  return (attributeOf(element, 'data-method') ?? attributeOf(element, 'data-turbo-method') ?? 'get').toLowerCase();
}

/** What is read out may not be what is shown. */
function ownText(element: Element, text: string): string {
  const isRenamed = hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby');
  const title = attributeOf(element, 'title') ?? '';
  return `${text} ${isRenamed ? textOf(element, OWN_TEXT) : ''} ${title}`;
}

function isPlainLink(link: Element): boolean {
  const href = (attributeOf(link, 'href') ?? '').trim();
  if (href === '' || isScriptLink(href) || !isSameSite(link, href)) return false;
  if (['onclick', 'download', 'role'].some((name) => hasAttribute(link, name))) return false;
  // `#/orders` is a route, `#prices` a part of the page if there is one; `#void` a handle for a script.
  return !href.startsWith('#') || /^#!?\//.test(href) || isPartOfPage(link, href.slice(1));
}

function isPartOfPage(link: Element, id: string): boolean {
  return id === 'top' || link.ownerDocument.getElementById(id) !== null;
}

function isSameSite(link: Element, href: string): boolean {
  // Nearly all links of a site are relative.
  if (!/^(?:[a-z][\w+.-]*:|[/\\]{2})/i.test(href)) return true;
  try {
    const { origin, protocol } = new URL(href, link.baseURI);
    return /^https?:$/.test(protocol) && origin === location.origin;
  } catch {
    // An address that is none leads nowhere on this site.
    return false;
  }
}
