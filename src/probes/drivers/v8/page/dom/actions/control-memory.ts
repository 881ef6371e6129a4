/**
 * Caches judgements of controls. Judging reads the surroundings, which is the most expensive part after a change; so it
 * is repeated only if something around the control changed.
 */
import type { Effect } from '../../../../../../model/raw-action.ts';
import { ROW } from '../lists/alike-rows.ts';
import { MAX_BAR } from '../lists/tiles.ts';
import { attributeOf, isInert, parentNode, tagOf } from '../nodes.ts';
import type { ControlSite } from '../screen.ts';
import { isElement } from '../text.ts';
import { controlEffect } from './control-effect.ts';

interface Judged {
  readonly kind: string;
  readonly text: string;
  readonly shown: string;
  /** It, or an ancestor, is disabled. */
  readonly isOff: boolean;
  readonly effect: Effect;
  /** Its row in a list or table. */
  readonly row: Element | null;
}

/** These attributes of an element affect everything in it. */
const FOR_ALL_INSIDE = new Set(['role', 'inert', 'aria-sort']);

export class ControlMemory {
  private byParent = new WeakMap<Node, Map<Element, Judged>>();
  private removed = new WeakSet<Node>();

  judge(site: ControlSite): Judged {
    const { element, kind, text, shown } = site;
    const parent = parentNode(element);
    let siblings = parent ? this.byParent.get(parent) : undefined;
    const known = siblings?.get(element);
    if (known && known.kind === kind && known.text === text && known.shown === shown) return known;
    const isOff = isInert(element);
    const effect = isOff ? 'unknown' : controlEffect(site);
    const judged = { kind, text, shown, isOff, effect, row: element.closest(ROW) };
    // Its surroundings do not show whether the target part of the page exists.
    if (!parent || (kind === 'link' && attributeOf(element, 'href')?.startsWith('#'))) return judged;
    if (!siblings) {
      siblings = new Map();
      this.byParent.set(parent, siblings);
    }
    siblings.set(element, judged);
    return judged;
  }

  /** Call it for each mutation except those of texts and styles. */
  note(record: MutationRecord): void {
    const { type, target } = record;
    const parent = parentNode(target);
    if (type === 'childList') {
      this.noteChildren(record);
      if (parent) this.forgetBar(parent, 0);
    } else if (isForAllInside(target, record.attributeName ?? '')) this.forgetAll();
    else if (parent && isElement(target)) {
      this.byParent.get(parent)?.delete(target);
      this.forgetBar(parent, 0);
      const above = parentNode(parent);
      if (above) this.forgetBar(above, 0);
    }
  }

  forgetAll(): void {
    this.byParent = new WeakMap();
    this.removed = new WeakSet();
  }

  private noteChildren({ target, addedNodes, removedNodes }: MutationRecord): void {
    for (const node of removedNodes) this.removed.add(node);
    for (const node of addedNodes) {
      if (!this.removed.has(node)) continue;
      // A moved part has other surroundings.
      this.forgetAll();
      return;
    }
    this.forgetBar(target, addedNodes.length);
  }

  /** A few controls side by side, each perhaps in a box of its own, are judged together. */
  private forgetBar(bar: Node, added: number): void {
    if (!isElement(bar) || bar.childElementCount - added > MAX_BAR) return;
    this.byParent.delete(bar);
    for (const part of bar.children) this.byParent.delete(part);
  }
}

function isForAllInside(target: Node, name: string): boolean {
  if (FOR_ALL_INSIDE.has(name)) return true;
  return name === 'class' && isElement(target) && (tagOf(target) === 'th' || attributeOf(target, 'role') !== null);
}
