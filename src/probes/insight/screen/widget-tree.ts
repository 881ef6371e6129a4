/** The widgets of all windows as last reported, linked to each other. */
import { isNameOfSwing } from './names.ts';
import type { ScreenUpdate, Toolkit, WidgetFacts } from './screen-facts.ts';

export interface Widget extends WidgetFacts {
  readonly parent: Widget | null;
  readonly parts: readonly Widget[];
  /** Relative to its window; for scrolled content, the position of the visible part. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The app's own class of this widget, or of a panel around it. */
  readonly ownType: string | undefined;
  /** The label that the app itself assigned to it. */
  readonly tiedLabel: Widget | undefined;
}

/** Deeper than any real window. */
const MAX_DEPTH = 200;
/** The limit in case agents forget to remove widgets. */
const MAX_KNOWN = 20_000;

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export class WidgetTree {
  private readonly facts = new Map<number, WidgetFacts>();
  private windowIds: readonly number[] = [];
  private toolkit: Toolkit = 'swing';

  apply({ toolkit, full, windows, widgets, removed }: ScreenUpdate): void {
    this.toolkit = toolkit;
    if (full) this.facts.clear();
    for (const id of removed) this.facts.delete(id);
    for (const widget of widgets) this.facts.set(widget.id, widget);
    if (this.facts.size > MAX_KNOWN) throw new Error('the target sent too many widgets');
    this.windowIds = windows;
  }

  has(id: number): boolean {
    return this.facts.has(id);
  }

  /** The oldest first, without widgets that are named twice or were not reported. */
  windows(): Widget[] {
    const seen = new Set<number>();
    const labels = new Map<number, Widget>();
    const all: { tiedLabel: Widget | undefined; id: number }[] = [];
    const link = (id: number, parent: Widget | null, depth: number): Widget | null => {
      const facts = this.facts.get(id);
      if (!facts || seen.has(id) || depth > MAX_DEPTH) return null;
      seen.add(id);
      const { left, top, width, height } = placeOf(facts, parent);
      const parts: Widget[] = [];
      const isInWindow = parent !== null && parent.role !== 'window';
      const widget = {
        ...facts,
        // The toolkit's own names for its parts say nothing.
        name: this.toolkit === 'swing' && isNameOfSwing(facts.name) ? undefined : facts.name,
        ...{ parent, parts, left, top, right: left + width, bottom: top + height },
        ownType: facts.type ?? (isInWindow ? parent.ownType : undefined),
        tiedLabel: undefined,
      };
      all.push(widget);
      if (facts.labelFor !== undefined) labels.set(facts.labelFor, widget);
      for (const child of facts.children ?? []) {
        const part = link(child, widget, depth + 1);
        if (part) parts.push(part);
      }
      return widget;
    };
    const windows = this.windowIds.map((id) => link(id, null, 0)).filter((window) => window !== null);
    for (const widget of all) widget.tiedLabel = labels.get(widget.id);
    return windows;
  }
}

function placeOf({ x = 0, y = 0, width = 0, height = 0 }: WidgetFacts, parent: Widget | null): Place {
  if (!parent) return { left: 0, top: 0, width, height };
  if (parent.role !== 'scroll') return { left: parent.left + x, top: parent.top + y, width, height };
  return {
    left: parent.left,
    top: parent.top,
    width: Math.min(width, parent.right - parent.left),
    height: Math.min(height, parent.bottom - parent.top),
  };
}
