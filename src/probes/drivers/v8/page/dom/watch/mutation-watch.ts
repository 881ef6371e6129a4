/** Reports whether, and where, the document changed since the last call. Ends by itself when nobody calls any more. */

import { ControlMemory } from '../actions/control-memory.ts';
import { isMarked } from '../lists/tiles.ts';
import { shadowRootOf } from '../nodes.ts';
import { hasHidingStyle, isElement } from '../text.ts';
import { BoxWatch } from './box-watch.ts';
import { ViewWatch } from './view-watch.ts';

const ATTRIBUTES = [
  ...['role', 'hidden', 'open', 'disabled', 'checked', 'selected', 'value', 'title', 'alt', 'placeholder', 'href'],
  ...['name', 'id', 'for', 'type', 'required', 'inert', 'style', 'class', 'contenteditable', 'readonly'],
  ...[
    'data-title',
    'data-tooltip',
    'onclick',
    'download',
    'data-method',
    'data-confirm',
    'data-toggle',
    'data-bs-toggle',
  ],
  ...['data-turbo-method', 'data-turbo-confirm', 'hx-post', 'hx-put', 'hx-patch', 'hx-delete'],
  ...['label', 'labelledby', 'hidden', 'live', 'checked', 'pressed', 'selected', 'expanded', 'current', 'valuenow']
    .concat('disabled', 'required', 'modal', 'valuetext', 'readonly', 'haspopup', 'sort')
    .map((name) => `aria-${name}`),
];
const INIT: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ATTRIBUTES,
};
/** Changes without a mutation; `load`: nothing is loading any more. */
const EVENTS = ['input', 'change', 'toggle', 'load'] as const;
/** No call for this long means that the daemon is gone. */
const LEASE_MS = 15_000;
/** With more places than this the whole page counts as changed. */
const MAX_PLACES = 5_000;
const MAX_CUSTOM_ELEMENTS = 500;
const MAX_TRACKED = 50;
const MAX_TRACKED_TEXTS = 3000;

export class MutationWatch {
  /** Judgements of controls, valid while nothing around them changes. */
  readonly controls = new ControlMemory();
  readonly boxes = new BoxWatch((box) => {
    this.places.add(box);
    this.wake();
    if (this.isOver()) this.stop();
  });
  readonly view = new ViewWatch(() => this.onInput());
  private observer: MutationObserver | null = null;
  private lastAsked = 0;
  private everything = true;
  private hadInput = false;
  private readonly places = new Set<Node>();
  private readonly styled = new Set<Element>();
  private hiddenByStyle = new WeakSet<Element>();
  /** Elements that their class made the selected one of several at the last call. */
  private chosen = new WeakSet<Element>();
  /** Weak: a root that the page removed must be collectable, and an observer does not hold it either. */
  private shadows = new WeakSet<ShadowRoot>();
  private readonly customElements = new Set<Element>();
  /** Elements that a style sheet may show and hide, and whether they were visible at the last call. */
  private readonly tracked = new Map<Element, boolean>();
  /** The same for texts and controls: there may be many, and their changes wake nobody. */
  private readonly trackedTexts = new Map<Element, boolean>();
  private isRestyled = false;
  /** Shared by all who wait. */
  private waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;

  /** Call it at each poll; starts watching again after a break, about which nothing is known. */
  renew(): void {
    this.lastAsked = performance.now();
    if (this.observer) return;
    this.everything = true;
    this.observer = new MutationObserver((records) => this.take(records));
    this.observer.observe(document, INIT);
    for (const type of EVENTS) window.addEventListener(type, this.onInput, { capture: true, passive: true });
  }

  stop(): void {
    this.observer?.disconnect();
    this.observer = null;
    for (const type of EVENTS) window.removeEventListener(type, this.onInput, { capture: true });
    this.shadows = new WeakSet();
    this.hiddenByStyle = new WeakSet();
    this.chosen = new WeakSet();
    this.controls.forgetAll();
    this.boxes.stop();
    this.view.stop();
    this.places.clear();
    this.styled.clear();
    this.customElements.clear();
    this.tracked.clear();
    this.trackedTexts.clear();
    this.wake();
  }

  observeShadow(root: ShadowRoot): void {
    if (this.shadows.has(root) || !this.observer) return;
    this.shadows.add(root);
    this.observer.observe(root, INIT);
    this.customElements.delete(root.host);
  }

  noteCustomElement(element: Element): void {
    if (this.customElements.size < MAX_CUSTOM_ELEMENTS) this.customElements.add(element);
  }

  /**
   * Reads the style, which the page may have to compute for it: only for the few kinds of elements that are shown and
   * hidden by a class (dialogs, menus, panels of tabs), and again only after a class or style changed.
   */
  isShown(element: Element): boolean {
    return track(element, this.tracked, MAX_TRACKED);
  }

  isTextShown(element: Element): boolean {
    return track(element, this.trackedTexts, MAX_TRACKED_TEXTS, isSeen);
  }

  /** Visibility may have changed without a mutation. */
  noteRestyled(): void {
    this.isRestyled = true;
  }

  noteChosen(element: Element): void {
    this.chosen.add(element);
  }

  noteStyled(element: Element): void {
    this.hiddenByStyle.add(element);
  }

  /** The places of changes since the last call; null for anywhere, empty for none. */
  takePlaces(): ReadonlySet<Node> | null {
    if (this.observer) this.take(this.observer.takeRecords());
    this.takeStyled();
    this.takeTracked();
    this.boxes.sweep();
    for (const element of this.customElements) {
      if (shadowRootOf(element)) this.places.add(element);
      if (shadowRootOf(element) || !element.isConnected) this.customElements.delete(element);
    }
    const places = this.everything ? null : new Set(this.places);
    this.everything = false;
    this.hadInput = false;
    this.places.clear();
    return places;
  }

  /** Resolves after the next change, or at once if one is pending. */
  changed(): Promise<void> {
    this.renew();
    if (this.everything || this.hadInput || this.places.size > 0) return Promise.resolve();
    this.waiting ??= createWaiting();
    return this.waiting.promise;
  }

  private take(records: readonly MutationRecord[]): void {
    if (this.isOver()) {
      this.stop();
      return;
    }
    for (const record of records) {
      const { type, target, attributeName } = record;
      if (type !== 'characterData' && attributeName !== 'style') this.controls.note(record);
      if (type === 'attributes' && (attributeName === 'class' || attributeName === 'style')) {
        this.isRestyled = true;
        if (attributeName === 'style' && isElement(target) && this.styled.size < MAX_PLACES) this.styled.add(target);
        if (attributeName === 'class' && isElement(target) && this.isOtherwiseChosen(target)) this.places.add(target);
      } else if (!this.everything) this.places.add(target);
    }
    if (this.places.size > MAX_PLACES) {
      this.everything = true;
      this.places.clear();
    }
    if (this.everything || this.places.size > 0 || (this.isRestyled && this.tracked.size > 0)) this.wake();
    else if (this.waiting) this.takeStyled();
  }

  private isOver(): boolean {
    return performance.now() - this.lastAsked > LEASE_MS;
  }

  private isOtherwiseChosen(element: Element): boolean {
    const isNow = element.localName === 'li' && isMarked(element);
    if (isNow === this.chosen.has(element)) return false;
    if (isNow) this.chosen.add(element);
    else this.chosen.delete(element);
    return true;
  }

  /** Animations write styles all the time; only showing and hiding counts. */
  private takeStyled(): void {
    for (const element of this.styled) {
      const hides = hasHidingStyle(element);
      if (hides === this.hiddenByStyle.has(element)) continue;
      if (hides) this.hiddenByStyle.add(element);
      else this.hiddenByStyle.delete(element);
      this.places.add(element);
    }
    this.styled.clear();
    if (this.places.size > 0) this.wake();
  }

  private takeTracked(): void {
    if (!this.isRestyled) return;
    this.isRestyled = false;
    for (const tracked of [this.tracked, this.trackedTexts]) {
      const look = tracked === this.tracked ? isVisible : isSeen;
      for (const [element, wasShown] of tracked) {
        if (!element.isConnected) tracked.delete(element);
        else if (look(element) !== wasShown) {
          tracked.set(element, !wasShown);
          this.places.add(element);
        }
      }
    }
  }

  private readonly onInput = (): void => {
    if (this.isOver()) {
      this.stop();
      return;
    }
    this.hadInput = true;
    this.wake();
  };

  private wake(): void {
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve();
  }
}

function track(element: Element, tracked: Map<Element, boolean>, most: number, look = isVisible): boolean {
  const isShown = look(element);
  if (tracked.size < most || tracked.has(element)) tracked.set(element, isShown);
  return isShown;
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ checkVisibilityCSS: true });
}

/** A fully transparent element is invisible, too, unless it is about to appear or vanish. */
function isSeen(element: Element): boolean {
  if (element.checkVisibility({ checkVisibilityCSS: true, opacityProperty: true })) return true;
  return isVisible(element) && (isPointedAt(element) || isMoving(element));
}

/** It, or an ancestor, is being animated. */
function isMoving(element: Element): boolean {
  return document.getAnimations().some(({ effect }) => {
    const target = effect && 'target' in effect ? effect.target : null;
    return target instanceof Node && target.contains(element);
  });
}

/** Buttons of a row often appear when the pointer is on the row. */
function isPointedAt(element: Element): boolean {
  return element.closest(ROW) !== null;
}

const ROW = 'li,tr,[role=row],[role=listitem],[role=option],[role=treeitem],[role=gridcell]';

function createWaiting(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
