/** Finds the label of each field: the one that the app assigned, else the one beside or above it. */
import { type Area, isToggle } from './area.ts';
import { RowIndex } from './row-index.ts';
import type { Widget } from './widget-tree.ts';
import { toName, wordsOf } from './words.ts';

const MAX_GAP_AFTER_COLON = 250;
const MAX_GAP_LEFT = 60;
const MAX_GAP_ABOVE = 28;
const MAX_SHIFT = 60;
const MAX_WORDS = 6;
/** Components may overlap by a few pixels. */
const OVERLAP = 4;
/** Roles whose label stands above. */
const LARGE: ReadonlySet<string> = new Set(['table', 'tree', 'list', 'tabs']);

export class Labels {
  private readonly area: Area;
  private readonly names = new Map<Widget, Widget>();
  private readonly used = new Set<Widget>();
  /** Labels whose text may be a name, computed once. */
  private readonly nameable: ReadonlySet<Widget>;
  private readonly labels: RowIndex;
  /** Widgets that may stand between a label and its field. */
  private readonly others: RowIndex;

  constructor(area: Area) {
    this.area = area;
    this.labels = new RowIndex(area.labels);
    this.others = new RowIndex([...area.fields, ...area.buttons]);
    this.nameable = new Set(area.labels.filter(({ text = '' }) => looksLikeName(text.trim())));
    for (const field of area.fields) this.tie(field, tiedTo(field));
    for (const field of area.fields) {
      if (this.names.has(field) || this.hasOwnWords(field)) continue;
      const left = LARGE.has(field.role) ? null : this.nearestLeft(field);
      this.tie(field, left ?? this.nearestAbove(field));
    }
    // A label that is left over may name the text of the next label.
    for (const label of area.labels) {
      if (this.used.has(label) || !label.text || this.names.has(label)) continue;
      const left = this.nearestLeft(label);
      if (left && endsWithColon(left) && !this.names.has(left)) this.tie(label, left);
    }
  }

  of(field: Widget): string | undefined {
    return this.names.get(field)?.text;
  }

  isUsed(label: Widget): boolean {
    return this.used.has(label);
  }

  private tie(field: Widget, label: Widget | null): void {
    if (!label) return;
    this.names.set(field, label);
    this.used.add(label);
  }

  private hasOwnWords(field: Widget): boolean {
    if (field.accessible !== undefined) return true;
    const isAlone = field.role === 'radio' && !this.area.radiosOf(field);
    return (isToggle(field) || isAlone) && toName(field.text) !== '';
  }

  /** A label without a colon must be close. */
  private nearestLeft(field: Widget): Widget | null {
    let best: Widget | null = null;
    for (const label of this.labels.between(field.top - OVERLAP, field.bottom + OVERLAP)) {
      if (label === field || !label.text || !isOnSameStrip(label, field)) continue;
      const middle = middleOf(label);
      const isBeside = middle >= field.top - OVERLAP && middle <= field.bottom + OVERLAP;
      if (isBeside && field.left - label.right >= -OVERLAP && (!best || label.right > best.right)) best = label;
    }
    if (!best || !this.isFree(best)) return null;
    if (field.left - best.right > (endsWithColon(best) ? MAX_GAP_AFTER_COLON : MAX_GAP_LEFT)) return null;
    return this.isBetween(best, field) ? null : best;
  }

  private nearestAbove(field: Widget): Widget | null {
    let best: Widget | null = null;
    for (const label of this.labels.between(field.top - MAX_GAP_ABOVE, field.top + OVERLAP)) {
      const gap = field.top - label.bottom;
      const isOver = Math.abs(label.left - field.left) <= MAX_SHIFT && gap >= -OVERLAP && gap <= MAX_GAP_ABOVE;
      const isNearer = isOver && (!best || label.bottom > best.bottom);
      if (isNearer && this.isFree(label) && !isOnStrip(label) && !isOnStrip(field)) best = label;
    }
    return best;
  }

  private isBetween(left: Widget, right: Widget): boolean {
    const middle = middleOf(left);
    return this.others
      .between(middle, middle)
      .some(
        (widget) =>
          widget !== right &&
          widget.top <= middle &&
          widget.bottom >= middle &&
          widget.left >= left.right - OVERLAP &&
          widget.right <= right.left + OVERLAP,
      );
  }

  private isFree(label: Widget): boolean {
    return !this.used.has(label) && this.nameable.has(label);
  }
}

/** The label may be assigned to the scroll pane around the field. */
function tiedTo(field: Widget): Widget | null {
  if (field.tiedLabel) return field.tiedLabel;
  for (let at = field.parent; at?.role === 'scroll'; at = at.parent) if (at.tiedLabel) return at.tiedLabel;
  return null;
}

/** `Total: 42` contains its value, and a sentence is no name. */
function looksLikeName(text: string): boolean {
  if (/[\p{Nd}!]|[:\n](?!$)/u.test(text)) return false;
  return toName(text) !== '' && wordsOf(text).length <= MAX_WORDS;
}

function endsWithColon(label: Widget): boolean {
  return label.text?.trim().endsWith(':') ?? false;
}

function isOnStrip({ parent }: Widget): boolean {
  return parent?.role === 'strip';
}

/** A label on a tool bar or status bar names only fields of that bar. */
function isOnSameStrip(label: Widget, field: Widget): boolean {
  return isOnStrip(label) || isOnStrip(field) ? label.parent === field.parent : true;
}

function middleOf({ top, bottom }: Widget): number {
  return top + Math.trunc((bottom - top) / 2);
}
