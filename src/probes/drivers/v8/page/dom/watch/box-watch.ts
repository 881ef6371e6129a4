/**
 * Boxes that hide their content: collapsed ones that cut off larger content, and drawers outside the window. The
 * browser reports their sizes with its own frames, so this causes no layout.
 */

const MAX_BOXES = 250;
/** Limits for the search for parts that a collapsed box does not cut off. */
const MAX_CHILDREN = 20;
const MAX_DEPTH = 5;

export class BoxWatch {
  /** Whether each showed something at the last report. */
  private readonly boxes = new Map<Element, boolean>();
  private sizes: ResizeObserver | null = null;
  private places: IntersectionObserver | null = null;
  private readonly onChange: (box: Element) => void;

  constructor(onChange: (box: Element) => void) {
    this.onChange = onChange;
  }

  /** Only the first call for an element reads its style and size. */
  isEmpty(element: Element): boolean {
    const known = this.boxes.get(element);
    if (known !== undefined) return !known;
    if (this.boxes.size >= MAX_BOXES) return false;
    const { overflowX, overflowY, position, display } = getComputedStyle(element);
    if (display === 'inline' || display === 'contents' || element.localName === 'body') return false;
    if (position === 'fixed') {
      this.places ??= new IntersectionObserver((entries) => this.takePlaces(entries));
      this.places.observe(element);
      return this.note(element, isInWindow(element.getBoundingClientRect()));
    }
    if (!cutsOff(overflowX) && !cutsOff(overflowY)) return false;
    this.sizes ??= new ResizeObserver((entries) => this.takeSizes(entries));
    this.sizes.observe(element);
    return this.note(element, showsSomething(element));
  }

  /** Drops elements that the page removed. */
  sweep(): void {
    for (const box of this.boxes.keys()) {
      if (box.isConnected) continue;
      this.sizes?.unobserve(box);
      this.places?.unobserve(box);
      this.boxes.delete(box);
    }
  }

  stop(): void {
    this.sizes?.disconnect();
    this.places?.disconnect();
    this.sizes = null;
    this.places = null;
    this.boxes.clear();
  }

  private note(element: Element, shows: boolean): boolean {
    this.boxes.set(element, shows);
    return !shows;
  }

  private takeSizes(entries: readonly ResizeObserverEntry[]): void {
    for (const { target } of entries) this.take(target, showsSomething(target));
  }

  private takePlaces(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, boundingClientRect } of entries) this.take(target, isInWindow(boundingClientRect));
  }

  private take(box: Element, shows: boolean): void {
    if (this.boxes.get(box) === shows) return;
    this.boxes.set(box, shows);
    this.onChange(box);
  }
}

function cutsOff(overflow: string): boolean {
  return overflow === 'hidden' || overflow === 'clip';
}

function showsSomething(box: Element): boolean {
  const { overflowX, overflowY, position } = getComputedStyle(box);
  const isCut =
    (overflowX !== 'visible' && box.clientWidth === 0) || (overflowY !== 'visible' && box.clientHeight === 0);
  return !isCut || hasEscaped(box, position !== 'static', MAX_DEPTH);
}

/** Elements positioned relative to the window, or to something around the box, are not cut off by it. */
function hasEscaped(box: Element, isPositioned: boolean, depth: number): boolean {
  return [...box.children].slice(0, MAX_CHILDREN).some((child) => {
    const { position } = getComputedStyle(child);
    if (position === 'fixed' || (position === 'absolute' && !isPositioned)) return true;
    return depth > 0 && child.clientHeight === 0 && hasEscaped(child, isPositioned || position !== 'static', depth - 1);
  });
}

function isInWindow({ left, right, top, bottom, width, height }: DOMRectReadOnly): boolean {
  // A box that holds only fixed elements has no size of its own.
  if (width === 0 || height === 0) return true;
  return right > 0 && bottom > 0 && left < window.innerWidth && top < window.innerHeight;
}
