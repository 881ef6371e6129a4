/** An index of widgets by their vertical position, so that a window of thousands is not searched for each of them. */
import type { Widget } from './widget-tree.ts';

const STRIP_PX = 32;
/** Taller widgets are checked each time instead of being listed in many strips. */
const TALLEST_STRIPS = 32;

export class RowIndex {
  private readonly widgets: readonly Widget[];
  private readonly strips = new Map<number, number[]>();
  private readonly tall: number[] = [];

  constructor(widgets: readonly Widget[]) {
    this.widgets = widgets;
    for (const [at, { top, bottom }] of widgets.entries()) {
      const [first, last] = [stripOf(top), stripOf(bottom)];
      if (last - first > TALLEST_STRIPS) this.tall.push(at);
      else for (let strip = first; strip <= last; strip++) this.put(strip, at);
    }
  }

  /** All widgets that reach into this range, and maybe more, in their order. */
  between(top: number, bottom: number): Widget[] {
    const found = new Set(this.tall);
    for (let strip = stripOf(top); strip <= stripOf(bottom); strip++)
      for (const at of this.strips.get(strip) ?? []) found.add(at);
    return [...found].sort((one, other) => one - other).flatMap((at) => this.widgets[at] ?? []);
  }

  private put(strip: number, at: number): void {
    const known = this.strips.get(strip);
    if (known) known.push(at);
    else this.strips.set(strip, [at]);
  }
}

function stripOf(y: number): number {
  return Math.floor(y / STRIP_PX);
}
