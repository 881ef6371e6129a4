/** The meaning of the windows: a root for each of them, its values, and its actions. */

import type { LeafRoot } from '../../../model/leaves.ts';
import { joinPath } from '../../../model/path.ts';
import type { RawAction } from '../../../model/raw-action.ts';
import type { Scalar } from '../../../model/scalar.ts';
import { NameAllocator, type NameMemory } from '../name-allocator.ts';
import { Area } from './area.ts';
import { fillRecord, type ScreenRecord, type ScreenValue } from './area-record.ts';
import { ControlActions } from './control-actions.ts';
import { Labels } from './labels.ts';
import type { Toolkit } from './screen-facts.ts';
import type { UiTarget } from './user-input.ts';
import { nameFields } from './widget-names.ts';
import type { Widget } from './widget-tree.ts';
import { firstName, shorten } from './words.ts';

const MAX_ORIGIN_TITLE = 200;
/** The limit that agents use for other texts. */
const MAX_TEXT = 4096;

export interface Screen {
  readonly leaves: ReadonlyMap<string, Scalar>;
  readonly roots: readonly LeafRoot[];
  readonly actions: readonly RawAction[];
  /** By the bindings of the actions. */
  readonly targets: ReadonlyMap<string, UiTarget>;
  /** The window in front; null if there is none. */
  readonly front: { readonly title: string; readonly name: string } | null;
}

export const NO_SCREEN: Screen = { leaves: new Map(), roots: [], actions: [], targets: new Map(), front: null };

/** `windows`: the oldest first. */
export function readScreen(windows: readonly Widget[], toolkit: Toolkit, memory: NameMemory): Screen {
  const sorted = inOrder(windows);
  const names = nameWindows(sorted, memory);
  const controls = new ControlActions(toolkit, windows.length);
  const leaves = new Map<string, Scalar>();
  const addArea = (record: ScreenRecord, prefix: string, content: Widget): void => {
    const area = new Area(content);
    const labels = new Labels(area);
    const allocator = new NameAllocator();
    for (const reserved of ['title', 'modal', 'message']) allocator.take(reserved);
    const fields = nameFields(area, labels, toolkit, allocator, memory);
    if (area.message !== undefined) record.message = area.message;
    fillRecord(record, area, labels, fields, toolkit, allocator, memory);
    controls.addArea(prefix, area, fields);
    for (const frame of area.frames) {
      const name = allocator.takeFor(frame.id, firstName(frame.name, frame.text) || 'frame', memory);
      const inner: ScreenRecord = { title: frame.text ?? '' };
      record[name] = inner;
      addArea(inner, `${prefix}.${name}`, frame);
      if (frame.closes) controls.addClose(frame, `${prefix}.${name}`);
    }
  };
  const roots = sorted.map((window, at) => {
    const name = names[at] ?? '';
    const { text: title = '', modal, message, className = '' } = window;
    const record: ScreenRecord = { title };
    if (modal !== undefined) record.modal = modal;
    if (message !== undefined) record.message = message;
    controls.begin(window);
    addArea(record, name, window);
    controls.end(window, name);
    flatten(joinPath('', name), record, leaves);
    return { name, origin: `window "${shorten(title, MAX_ORIGIN_TITLE)}" (${className})`, mangled: false };
  });
  const [front] = sorted;
  return {
    leaves,
    roots,
    actions: controls.actions,
    targets: controls.targets,
    front: front ? { title: front.text ?? '', name: names[0] ?? '' } : null,
  };
}

/** The active window first, then the newest; those behind a modal dialog last. */
function inOrder(windows: readonly Widget[]): Widget[] {
  const rank = ({ blocked, active }: Widget) => (blocked ? 2 : active ? 0 : 1);
  return windows.toReversed().sort((one, other) => rank(one) - rank(other));
}

/** Known names come first, so that a new window takes none of them away. */
function nameWindows(windows: readonly Widget[], memory: NameMemory): string[] {
  const allocator = new NameAllocator();
  const given = new Map<Widget, string>();
  const wanted = (window: Widget) =>
    firstName(window.name, window.type) || (window.modal === undefined ? 'window' : 'dialog');
  const isKnown = (window: Widget) => memory.get(window.id)?.wanted === wanted(window);
  for (const window of [...windows.filter(isKnown), ...windows.filter((one) => !isKnown(one))])
    given.set(window, allocator.takeFor(window.id, wanted(window), memory));
  return windows.map((window) => given.get(window) ?? '');
}

function flatten(path: string, value: ScreenValue, leaves: Map<string, Scalar>): void {
  if (Array.isArray(value)) {
    leaves.set(joinPath(path, 'length'), value.length);
    for (const [at, element] of value.entries()) flatten(joinPath(path, at), element, leaves);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) flatten(joinPath(path, name), part, leaves);
  } else {
    leaves.set(path, typeof value === 'string' ? cut(value) : value);
  }
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT;
  return `${text.slice(0, end)}… [${text.length} characters]`;
}
