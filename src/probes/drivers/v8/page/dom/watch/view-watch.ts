/**
 * Which rows of lists and tables, and which headings, lie in view: the others are scrolled away, and still there. The
 * browser reports it with its own frames, so that no layout is computed for this; a scroll changes one text per list.
 */
import type { Data, RowsShown } from '../screen.ts';

/** Shorter lists say little by where they are. */
const FEWEST_ROWS = 5;
const MAX_ROWS = 800;
/** Between two reports of a page that scrolls. */
const DELAY_MS = 250;

/** `delay` is Chromium's. More than an edge has to be seen; of a row that is higher than the window it may be little. */
const OPTIONS: IntersectionObserverInit & { readonly delay: number } = { delay: DELAY_MS, threshold: 0.01 };

export class ViewWatch {
  private observer: IntersectionObserver | null = null;
  /** Whether each is in view; absent: not told yet. */
  private inView = new WeakMap<Element, boolean>();
  private watched = new Set<Element>();
  private rows: readonly RowsShown[] = [];
  private data: Data = {};
  private isStale = false;
  private readonly onChange: () => void;

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** To be called with each screen that was read. */
  watch(all: readonly RowsShown[]): void {
    const rows = all.filter(({ elements }) => elements.length >= FEWEST_ROWS);
    if (isSame(rows, this.rows)) return;
    this.rows = rows;
    this.isStale = true;
    const wanted = new Set(rows.flatMap(({ elements }) => elements).slice(0, MAX_ROWS));
    for (const element of this.watched) if (!wanted.has(element)) this.observer?.unobserve(element);
    if (wanted.size > 0) this.observer ??= new IntersectionObserver((entries) => this.take(entries), OPTIONS);
    for (const element of wanted) if (!this.watched.has(element)) this.observer?.observe(element);
    this.watched = wanted;
  }

  /** `{"lists":{"orders":"[12] to [23] of 40"}}`, of those that are not all in view. The same object while nothing changes. */
  told(): Data {
    if (!this.isStale) return this.data;
    this.isStale = false;
    const data: { [root: string]: Data | string } = {};
    for (const { root, name, elements } of this.rows) {
      const text = this.rangeOf(elements);
      if (text === null) continue;
      const record = data[root];
      if (name === '') data[root] = text;
      else data[root] = { ...(typeof record === 'object' ? record : {}), [name]: text };
    }
    this.data = data;
    return data;
  }

  stop(): void {
    this.observer?.disconnect();
    this.observer = null;
    this.inView = new WeakMap();
    this.watched = new Set();
    this.rows = [];
    this.data = {};
  }

  /** null: all are in view, or it is not known. */
  private rangeOf(elements: readonly Element[]): string | null {
    const known = elements.map((element) => this.inView.get(element));
    if (known.every((isIn) => isIn !== false)) return null;
    const first = known.indexOf(true);
    return first === -1
      ? `none of ${elements.length}`
      : `[${first}] to [${known.lastIndexOf(true)}] of ${elements.length}`;
  }

  private take(entries: readonly IntersectionObserverEntry[]): void {
    let isChanged = false;
    for (const { target, isIntersecting, boundingClientRect: box } of entries) {
      // An element without a box (`display: contents`) looks like one that is scrolled away.
      const isIn = isIntersecting || (box.width === 0 && box.height === 0);
      if (this.inView.get(target) !== isIn) isChanged = true;
      this.inView.set(target, isIn);
    }
    if (!isChanged) return;
    this.isStale = true;
    this.onChange();
  }
}

function isSame(some: readonly RowsShown[], others: readonly RowsShown[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ root, name, elements }, at) => {
      const other = others[at];
      return (
        other !== undefined &&
        root === other.root &&
        name === other.name &&
        elements.length === other.elements.length &&
        elements.every((element, place) => element === other.elements[place])
      );
    })
  );
}
