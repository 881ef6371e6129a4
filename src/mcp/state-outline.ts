/** A state on one page: the important values, each object and each row of a list on a line of its own. */
import type { StateLook } from '../model/state-look.ts';
import { briefLine, briefText } from './app-data.ts';
import type { Field, Group, Grouped } from './key-groups.ts';
import { nameOf } from './key-place.ts';

export interface StateOutline {
  readonly lines: readonly string[];
  /** Number of keys in the lines, by pattern. */
  readonly reported: ReadonlyMap<string, number>;
}

interface Line {
  readonly text: string;
  readonly patterns: readonly string[];
  /** The texts in it. */
  readonly says?: readonly string[];
}

/** For content behind a screen: values that are already on the page, and are not repeated. */
type Said = ReadonlySet<unknown> | null;

const LONGEST_LINE = 280;
/** For content behind a screen. */
const BEHIND_LINE = 240;
const LONGEST_VALUE = 70;
/** For the rows after the first. */
const SHORT_VALUE = 40;
const MOST_ROWS = 12;
/** For a list that was requested: as many as fit. */
export const MANY_ROWS = 100;
const FEW_ALIKE = 2;
/**
 * First each object and list gets a line within this share of the room; then lists get more rows; then the rest is
 * filled.
 */
const FIRST_SHARE = 0.65;
/** The salience of content behind a screen: a store, or visible values that change. */
const BEHIND = 0.6;
/** Visible characters above which the rest matters less. */
const MUCH = 150;

/** Looks only at as many groups as there is room for. */
export function outlineState(
  look: StateLook,
  { groups: all }: Grouped,
  room: number,
  mostRows = MOST_ROWS,
): StateOutline {
  const chosen = new Map<Group, string[]>();
  const said = new Set<unknown>();
  const reported = new Map<string, number>();
  let left = room;
  const take = (group: Group, line: Line | null): void => {
    if (line === null || line.text.length + 1 > left || line.text.length > 2 * LONGEST_LINE) return;
    left -= line.text.length + 1;
    const lines = chosen.get(group) ?? [];
    chosen.set(group, lines);
    lines.push(line.text);
    for (const pattern of line.patterns) reported.set(pattern, (reported.get(pattern) ?? 0) + 1);
    for (const text of line.says ?? []) said.add(text);
  };
  const shortest = 10;
  // A caller who requested a list gets its rows.
  const isWhole = mostRows === MOST_ROWS;
  const isSeen = isWhole && showsMuch(look, all);
  // Next to a screen, other content must be important, and must not repeat it.
  const groups = isSeen ? all.filter(({ isScreen, salience }) => isScreen || salience >= BEHIND) : all;
  const saidBefore = ({ isScreen }: Group): Said => (isSeen && !isScreen ? said : null);
  const alike = new Map<string, number>();
  for (const group of groups) {
    if (left < Math.max(shortest, room * (1 - FIRST_SHARE))) break;
    // `list`, `list_2`, `list_3`: a few represent the others.
    const kind = group.container.replace(/_?\d+/g, '');
    const count = (alike.get(kind) ?? 0) + 1;
    alike.set(kind, count);
    if (count <= FEW_ALIKE) take(group, firstLine(look, group, isWhole, saidBefore(group)));
  }
  const lists = [...chosen.keys()].filter(({ isList }) => isList);
  for (let row = 1; row < mostRows && left > shortest; row++)
    for (const group of lists) {
      if (isPlain(group)) continue;
      take(
        group,
        isWhole && isTree(group) ? (treeLines(look, group)[row] ?? null) : rowLine(look, group, row, saidBefore(group)),
      );
    }
  for (const group of groups) {
    if (left < shortest) break;
    if (!chosen.has(group)) take(group, firstLine(look, group, isWhole, saidBefore(group)));
  }
  return { lines: groups.flatMap((group) => chosen.get(group) ?? []), reported };
}

/** A page that draws everything on a canvas shows little more than its heading. */
function showsMuch(look: StateLook, groups: readonly Group[]): boolean {
  let length = 0;
  for (const group of groups) {
    if (group.isScreen) length += firstLine(look, group, true, null)?.text.length ?? 0;
    if (length >= MUCH) return true;
  }
  return false;
}

/** Plain values without names. */
const isPlain = ({ fields }: Group) => fields.length === 1 && fields[0]?.rest === '';

/** Nodes of a tree: their texts and levels. */
const isTree = ({ isList, fields }: Group) =>
  isList && ['.text', '.level'].every((name) => fields.some(({ rest }) => rest === name));

function firstLine(look: StateLook, group: Group, isWhole: boolean, said: Said): Line | null {
  if (isWhole && isTree(group)) return treeLines(look, group)[0] ?? null;
  if (group.isList) return isPlain(group) ? plainLine(look, group, said) : rowLine(look, group, 0, said);
  return fieldsLine(look, group.container, group.fields, '', LONGEST_VALUE, said);
}

function rowLine(look: StateLook, group: Group, row: number, said: Said): Line | null {
  const [first = '', ...others] = rowsOf(look, group);
  const container = row === 0 ? first : others[row - 1];
  if (container === undefined || first === '') return null;
  const widest = group.fields.reduce((most, { places }) => Math.max(most, places.length), others.length + 1);
  const note = row === 0 && widest > 1 ? ` (of ${sizeOf(look, group, widest)})` : '';
  const fields =
    row === 0 ? distinctiveFirst(look, group, first, others[0]) : distinctive(look, group, first, container);
  const line = fieldsLine(look, container, fields, note, row === 0 ? LONGEST_VALUE : SHORT_VALUE, said);
  return row === 0 ? withSize(line, group) : line;
}

const rows = new WeakMap<Group, readonly string[]>();

/** The first rows, whichever fields each has. */
function rowsOf(look: StateLook, group: Group): readonly string[] {
  const known = rows.get(group);
  if (known) return known;
  const places = new Map<string, number>();
  for (const { rest, places: all } of group.fields) {
    for (const place of all.slice(0, MANY_ROWS)) {
      const key = look.keys.keys[place] ?? '';
      const row = key.slice(0, key.length - rest.length);
      places.set(row, Math.min(places.get(row) ?? place, place));
    }
  }
  const found = [...places].sort(([, one], [, other]) => one - other).map(([row]) => row);
  rows.set(group, found);
  return found;
}

/** Fields that distinguish two rows come before common ones. */
function distinctiveFirst(look: StateLook, group: Group, first: string, second: string | undefined): readonly Field[] {
  if (second === undefined) return group.fields;
  const apart = new Set(distinctive(look, group, first, second));
  return [...group.fields.filter((field) => apart.has(field)), ...group.fields.filter((field) => !apart.has(field))];
}

/** Values equal to those of the first row are left out. */
function distinctive(look: StateLook, { fields }: Group, first: string, container: string): readonly Field[] {
  const others = fields.filter(({ rest }) => look.get(`${container}${rest}`) !== look.get(`${first}${rest}`));
  return others.length === 0 ? fields : others;
}

/** There may be more elements than were read. */
function sizeOf(look: StateLook, { size }: Group, read: number): number {
  const reported = size === null ? undefined : look.get(size);
  return typeof reported === 'number' && reported > read ? reported : read;
}

const withSize = (line: Line | null, { size }: Group): Line | null =>
  line && (size === null ? line : { ...line, patterns: [...line.patterns, size] });

function fieldsLine(
  look: StateLook,
  container: string,
  fields: readonly Field[],
  note: string,
  room: number,
  saidBefore: Said,
): Line | null {
  const parts: string[] = [];
  const patterns: string[] = [];
  let length = container.length + note.length + 2;
  let left = 0;
  const said = new Set<unknown>();
  const longest = saidBefore === null ? LONGEST_LINE : BEHIND_LINE;
  for (const { rest, pattern } of saidBefore === null ? fields : informativeFields(look, container, fields)) {
    const value = look.get(`${container}${rest}`);
    // A repeated value (`text` and `originalText`) is shown once.
    if (value === undefined || (isWord(value) && (said.has(value) || saidBefore?.has(value)))) continue;
    if (saidBefore !== null && (value === null || value === '' || (value === 0 && /\.(?:length|size)$/.test(rest))))
      continue;
    said.add(value);
    const part = rest === '' ? briefText(value, room) : briefLine(nameOf(rest), value, room);
    if (parts.length > 0 && length + part.length > longest) {
      left++;
      continue;
    }
    parts.push(part);
    patterns.push(pattern);
    length += part.length + 2;
  }
  if (parts.length === 0) return null;
  const says = [...said].filter(isWord);
  if (fields.length === 1 && note === '') {
    const key = `${container}${fields[0]?.rest}`;
    return { text: briefLine(key, look.get(key) ?? null, 2 * LONGEST_VALUE), patterns, says };
  }
  const more = left === 0 ? '' : `, … ${left} more`;
  return { text: `${container}${note}: ${parts.join(', ')}${more}`, patterns, says };
}

const isWord = (value: unknown): value is string => typeof value === 'string' && value.length > 2;

/** Ids, seeds and times in milliseconds mean nothing to a reader. */
function informativeFields(look: StateLook, container: string, fields: readonly Field[]): readonly Field[] {
  const isOpaque = ({ rest }: Field) => {
    const value = look.get(`${container}${rest}`);
    return typeof value === 'number' ? Math.abs(value) >= 1e8 : typeof value === 'string' && OPAQUE.test(value);
  };
  const informative = fields.filter((field) => !isOpaque(field));
  return informative.length > 0 ? informative : fields;
}

const OPAQUE = /^(?=[^\s]*\d)(?=[^\s]*[a-zA-Z])[\w-]{16,}$/;

const trees = new WeakMap<Group, readonly Line[]>();
const LONGEST_TREE_LINE = 190;

/**
 * `lists.files[0] (tree of 4): "src", "- main.ts *", "- page.ts"` and `lists.files[3]: "test +"`: nodes from that index
 * on, with a dash for each level; `*` is selected, `+` closed.
 */
function treeLines(look: StateLook, group: Group): readonly Line[] {
  const known = trees.get(group);
  if (known) return known;
  const containers = rowsOf(look, group);
  const lines: { text: string; patterns: string[] }[] = [];
  for (const container of containers) {
    const node = treeNode(look, container);
    const patterns = group.fields.flatMap(({ rest, pattern }) =>
      look.get(`${container}${rest}`) === undefined ? [] : [pattern],
    );
    const last = lines.at(-1);
    if (last && last.text.length + node.length < LONGEST_TREE_LINE) {
      last.text += `, ${node}`;
      last.patterns.push(...patterns);
    } else {
      const note = last ? '' : ` (tree of ${sizeOf(look, group, containers.length)})`;
      lines.push({ text: `${container}${note}: ${node}`, patterns: [...patterns] });
    }
  }
  if (group.size !== null) lines[0]?.patterns.push(group.size);
  trees.set(group, lines);
  return lines;
}

function treeNode(look: StateLook, container: string): string {
  const of = (name: string) => look.get(`${container}.${name}`);
  const level = Math.max(1, Number(of('level') ?? 1));
  const marks = `${of('selected') === true ? ' *' : ''}${of('expanded') === false ? ' +' : ''}`;
  return briefText(`${'- '.repeat(level - 1)}${of('text') ?? ''}${marks}`, LONGEST_VALUE);
}

/** `tags[*] (first 2 of 9) = "a", "b"`, and of a map `rates[*]: "USD" = 1, "EUR" = 2` */
function plainLine(look: StateLook, group: Group, said: Said): Line | null {
  const { container, fields } = group;
  const [field] = fields;
  if (!field) return null;
  const values: string[] = [];
  const says: string[] = [];
  const keys = field.places.map((place) => look.keys.keys[place] ?? '');
  const isMap = keys[0]?.endsWith('"]') === true;
  let length = container.length + 20;
  for (const key of keys) {
    const value = look.get(key);
    if (value === undefined || (said !== null && isWord(value) && (said.has(value) || says.includes(value)))) continue;
    const text = isMap ? briefLine(entryOf(key), value, LONGEST_VALUE) : briefText(value, LONGEST_VALUE);
    if (values.length > 0 && length + text.length > LONGEST_LINE) break;
    values.push(text);
    if (isWord(value)) says.push(value);
    length += text.length + 2;
  }
  const [only = ''] = keys;
  if (values.length === 0) return null;
  const patterns = values.map(() => field.pattern);
  if (keys.length === 1)
    return withSize({ text: briefLine(only, look.get(only) ?? null, 2 * LONGEST_VALUE), patterns, says }, group);
  const count = sizeOf(look, group, keys.length);
  const which = said === null ? 'first ' : '';
  const note = values.length === count ? '' : ` (${which}${values.length} of ${count})`;
  return withSize({ text: `${container}${note}${isMap ? ':' : ' ='} ${values.join(', ')}`, patterns, says }, group);
}

/** The content of the last brackets. */
const entryOf = (key: string) => key.slice(key.lastIndexOf('["') + 1, -1);
