/** Sorts the widgets of a window, or of an internal window, by their role for a person. */
import type { Role } from './screen-facts.ts';
import type { Widget } from './widget-tree.ts';

const FIELDS: ReadonlySet<Role> = new Set([
  ...['toggle', 'check', 'radio', 'text', 'password', 'choice', 'list', 'list_box', 'table', 'tree', 'tabs'],
  ...['slider', 'spinner', 'date', 'progress'],
] as Role[]);
const INNER: ReadonlySet<Role> = new Set<Role>(['frame', 'menu', 'popup']);

export class Area {
  /** Widgets that hold a value, in the order of the window; only the first of a group of radio buttons. */
  readonly fields: readonly Widget[];
  readonly buttons: Widget[] = [];
  readonly labels: readonly Widget[];
  readonly menus: Widget[] = [];
  readonly frames: Widget[] = [];
  /** The text of a message dialog. */
  readonly message: string | undefined;
  private readonly radios = new Map<number, Widget[]>();
  /** The title of the border or tab around a widget. */
  private readonly sections = new Map<Widget, string>();
  private readonly fieldCounts = new Map<string, number>();

  constructor(content: Widget) {
    const fields: Widget[] = [];
    const labels: Widget[] = [];
    let message: string | undefined;
    const visit = (widget: Widget, around: string): void => {
      const section = widget.border?.trim() ? widget.border : around;
      for (const part of widget.parts) {
        const { role } = part;
        if (section !== '') this.sections.set(part, section);
        if (role === 'message') message = part.text ?? message;
        if (role === 'frame') this.frames.push(part);
        if (role === 'menu' || role === 'popup') this.menus.push(part);
        if (role === 'button' || role === 'link' || part.presses) this.buttons.push(part);
        if (role === 'label') labels.push(part);
        if (FIELDS.has(role) && this.isFirstRadio(part)) fields.push(part);
        if (INNER.has(role)) continue;
        const tab = role === 'tabs' ? part.rows?.selectedValue : undefined;
        visit(part, typeof tab === 'string' ? tab : section);
      }
    };
    visit(content, '');
    this.fields = fields;
    for (const field of fields) {
      const section = this.sectionOf(field);
      this.fieldCounts.set(section, (this.fieldCounts.get(section) ?? 0) + 1);
    }
    this.message = message;
    // The lines of a message are labels, too.
    this.labels = message === undefined ? labels : labels.filter(({ text = '' }) => !message?.includes(text));
  }

  /** Null if it is not in a group. */
  radiosOf({ role, group = 0 }: Widget): readonly Widget[] | null {
    const radios = role === 'radio' ? (this.radios.get(group) ?? []) : [];
    return radios.length > 1 ? radios : null;
  }

  sectionOf(widget: Widget): string {
    return this.sections.get(widget) ?? '';
  }

  /** The section, if the field is the only one in it. */
  ownSectionOf(field: Widget): string | undefined {
    const section = this.sectionOf(field);
    return this.fieldCounts.get(section) === 1 ? section : undefined;
  }

  private isFirstRadio(widget: Widget): boolean {
    if (widget.role !== 'radio' || widget.group === undefined) return true;
    const radios = this.radios.get(widget.group);
    if (radios) radios.push(widget);
    else this.radios.set(widget.group, [widget]);
    return !radios;
  }
}

/** An on/off control with its own text. */
export function isToggle({ role }: Widget): boolean {
  return role === 'toggle' || role === 'check';
}
