/** Reads the facts that `consequences.ts` judges from the page. */
import type { Effect } from '../../../../../../model/raw-action.ts';
import { pressEffect, toggleEffect } from '../../../../../insight/screen/control-effect.ts';
import { isMarked, isOneOfMarked, MAX_BAR } from '../lists/tiles.ts';
import { attributeOf, hasAttribute } from '../nodes.ts';
import type { ControlSite, FieldSite } from '../screen.ts';
import { textOf } from '../text.ts';
import { linkEffect, viewEffect } from './consequences.ts';

const OWN_TEXT = 120;
/** With these a library sends more than a request for a page, or asks for confirmation because it matters. */
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

/** Libraries of widgets mark with these what a control opens. */
const TOGGLES = ['data-toggle', 'data-bs-toggle'];
const OPENED = new Set(['dropdown', 'modal', 'collapse', 'tab', 'pill', 'offcanvas', 'popover', 'tooltip']);
/** A click on one of them selects it. */
const SELECTED_IN = '[role=tree],[role=listbox]';

/** True if the markup says that it shows one of several parts, opens a part or a menu, or sorts by a column. */
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

/**
 * True for a control that opens a dialog, and for one of several buttons of which one is marked as active, unless its
 * words say more.
 */
function mayChangeView(element: Element): boolean {
  if (attributeOf(element, 'aria-haspopup') === 'dialog' || isOneOfMarked(element)) return true;
  const [own, around] = [element.parentElement, element.parentElement?.parentElement];
  const alone = own?.childElementCount === 1 && around ? around.children : own?.children;
  if (!alone || alone.length < 2 || alone.length > MAX_BAR) return false;
  const buttons = [...alone].map((part) => (part.localName === 'button' ? part : part.firstElementChild));
  if (!buttons.every((button) => button?.localName === 'button')) return false;
  // While another part is shown none may be marked, although the effect of the controls is the same.
  const bar = alone[0]?.parentElement ?? element;
  const isBar = bars.has(bar) || buttons.filter((button) => button !== null && isMarked(button)).length === 1;
  if (isBar) bars.add(bar);
  return isBar;
}

/** Groups of buttons of which one was marked once. */
const bars = new WeakSet<Element>();

function saysSort(element: Element): boolean {
  return /sort/i.test(attributeOf(element, 'class') ?? '');
}

/** `type-name`, `tab-label`: the text there names something, not an action. */
function isName(element: Element): boolean {
  const classes = attributeOf(element, 'class') ?? '';
  return /(?:name|title|type|term|label)(?:\s|$)/i.test(classes) && !/btn|button|action/i.test(classes);
}

function isScriptOnly(href: string): boolean {
  return href.startsWith('#') || isScriptLink(href);
}

/** A check box or choice may act at once; other fields only hold their text. */
export function fieldEffect({ kind, label, radios }: FieldSite): Effect {
  if (kind !== 'checkbox' && kind !== 'radio') return 'setter';
  return toggleEffect([label, ...radios.map((radio) => radio.label)].join(' ')) === 'unknown' ? 'unknown' : 'setter';
}

/** A link whose meaning comes from a script. */
export function isScriptLink(href: string): boolean {
  return href === '#' || /^\s*javascript:/i.test(href);
}

function methodOf(element: Element): string {
  return (attributeOf(element, 'data-method') ?? attributeOf(element, 'data-turbo-method') ?? 'get').toLowerCase();
}

/** The accessible text may differ from the visible one. */
function ownText(element: Element, text: string): string {
  const isRenamed = hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby');
  const title = attributeOf(element, 'title') ?? '';
  return `${text} ${isRenamed ? textOf(element, OWN_TEXT) : ''} ${title}`;
}

function isPlainLink(link: Element): boolean {
  const href = (attributeOf(link, 'href') ?? '').trim();
  if (href === '' || isScriptLink(href) || !isSameSite(link, href)) return false;
  if (['onclick', 'download', 'role'].some((name) => hasAttribute(link, name))) return false;
  // `#/orders` is a route, `#prices` a part of the page if it exists; `#void` a handle for a script.
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
    // An invalid address leads nowhere on this site.
    return false;
  }
}
