/**
 * Adds an entry to a settings file of another program: JSON, perhaps with comments and trailing commas. Everything else
 * stays the same, to the character. JSON with comments is an expression of JavaScript, so acorn finds the positions.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Expression, type ObjectExpression, type Program, type Property, parse, type SpreadElement } from 'acorn';

export type Edit =
  /** The entry exists already. */
  | { readonly kind: 'same' }
  /** Another entry has its name. */
  | { readonly kind: 'different'; readonly current: unknown }
  | { readonly kind: 'changed'; readonly text: string }
  /** A person has to do it. */
  | { readonly kind: 'unsafe'; readonly why: string };

export interface Wanted {
  /** The object at the top level that holds the entries. */
  readonly section: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Replace an existing one. */
  readonly replace: boolean;
}

class NoJson extends Error {}

/** `text` is null if there is no file. */
export function addEntry(text: string | null, wanted: Wanted): Edit {
  const { section, name, entry } = wanted;
  if (text === null || text.trim() === '')
    return { kind: 'changed', text: `${JSON.stringify({ [section]: { [name]: entry } }, null, 2)}\n` };
  try {
    const root = rootOf(text);
    const before = jsonOf(root) as Record<string, Record<string, unknown> | undefined>;
    const held = before[section];
    const current = Object.hasOwn(before, section) ? held?.[name] : undefined;
    if (isDeepStrictEqual(current, entry)) return { kind: 'same' };
    if (current !== undefined && !wanted.replace) return { kind: 'different', current };
    const changed = insert(text, root, wanted);
    const expected = { ...before, [section]: { ...held, [name]: entry } };
    // A last check: the new text has the intended meaning, and nothing else has changed.
    if (!isDeepStrictEqual(jsonOf(rootOf(changed)), expected)) throw new NoJson('it is written in an unusual way');
    return { kind: 'changed', text: changed };
  } catch (error) {
    if (error instanceof NoJson) return { kind: 'unsafe', why: error.message };
    if (error instanceof SyntaxError) return { kind: 'unsafe', why: 'it is no JSON' };
    throw error;
  }
}

/** acorn treats a byte order mark at the beginning as white space. Positions are one too large. */
function rootOf(text: string): ObjectExpression {
  const program: Program = parse(`(${text}\n)`, { ecmaVersion: 'latest' });
  const [statement] = program.body;
  const isOne = program.body.length === 1 && statement?.type === 'ExpressionStatement';
  if (!isOne || statement.expression.type !== 'ObjectExpression') throw new NoJson('it holds no JSON object');
  return statement.expression;
}

function insert(text: string, root: ObjectExpression, { section, name, entry }: Wanted): string {
  const layout = { unit: indentOf(text, root) ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' };
  const held = propertyOf(root, section);
  if (held === null) return append(text, root, section, { [name]: entry }, { ...layout, depth: 1 });
  if (held.value.type !== 'ObjectExpression') throw new NoJson(`${section} is no object`);
  const old = propertyOf(held.value, name);
  if (old === null) return append(text, held.value, name, entry, { ...layout, depth: 2 });
  const { start, end } = old.value;
  return text.slice(0, start - 1) + written(entry, { ...layout, depth: 2 }) + text.slice(end - 1);
}

interface Layout {
  readonly unit: string;
  readonly eol: string;
  /** The nesting depth of the property. */
  readonly depth: number;
}

const written = (value: unknown, { unit, eol, depth }: Layout) =>
  JSON.stringify(value, null, unit).replaceAll('\n', eol + unit.repeat(depth));

/** As the last property, on a line of its own. */
function append(text: string, object: ObjectExpression, name: string, value: unknown, layout: Layout): string {
  const { unit, eol, depth } = layout;
  const line = `${eol}${unit.repeat(depth)}${JSON.stringify(name)}: ${written(value, layout)}`;
  const last = object.properties.at(-1);
  if (last === undefined) {
    // The object may contain comments.
    const [from, to] = [object.start, object.end - 2];
    return text.slice(0, from) + text.slice(from, to).trimEnd() + line + eol + unit.repeat(depth - 1) + text.slice(to);
  }
  const at = last.end - 1;
  // A comment after the last property belongs to it, and stays there.
  const [behind = ''] = /^[ \t]*,?(?:[ \t]*(?:\/\*.*?\*\/|\/\/[^\r\n]*))*/.exec(text.slice(at)) ?? [];
  const hasComma = /^[ \t]*,/.test(behind);
  return `${text.slice(0, at)}${hasComma ? '' : ','}${behind}${line}${hasComma ? ',' : ''}${text.slice(at + behind.length)}`;
}

/** The indentation of the first property, if it has a line of its own. */
function indentOf(text: string, { properties }: ObjectExpression): string | null {
  const [first] = properties;
  const before = first === undefined ? '' : text.slice(0, first.start - 1);
  return /(?:^|\n)([ \t]+)$/.exec(before)?.[1] ?? null;
}

function propertyOf({ properties }: ObjectExpression, name: string): Property | null {
  const found = properties.filter((property) => keyOf(property) === name);
  if (found.length > 1) throw new NoJson(`${name} is there twice`);
  const [property] = found;
  return property?.type === 'Property' ? property : null;
}

function keyOf(property: Property | SpreadElement): string {
  const isPlain = property.type === 'Property' && property.kind === 'init' && !property.computed && !property.method;
  if (isPlain && property.key.type === 'Literal' && isText(property.key.value, property.key.raw))
    return property.key.value;
  throw new NoJson('it holds more than JSON');
}

const isText = (value: unknown, raw = ''): value is string => typeof value === 'string' && raw.startsWith('"');

function jsonOf(node: Expression | SpreadElement | null): unknown {
  if (node?.type === 'ObjectExpression')
    return Object.fromEntries(
      node.properties.map((property) => [
        keyOf(property),
        property.type === 'Property' ? jsonOf(property.value) : null,
      ]),
    );
  if (node?.type === 'ArrayExpression') return node.elements.map(jsonOf);
  if (node?.type === 'UnaryExpression' && node.operator === '-') {
    const value = jsonOf(node.argument);
    if (typeof value === 'number') return -value;
  }
  if (node?.type === 'Literal') {
    const { value, raw } = node;
    if (value === null || typeof value === 'boolean' || typeof value === 'number' || isText(value, raw)) return value;
  }
  throw new NoJson('it holds more than JSON');
}
