/** Describes types and values in words. */
import type { TypeDefinition } from './type-definition.ts';
import { ARRAY, NULLABLE, type TypeUse } from './type-text.ts';
import type { JsonType, ValueTable } from './value-table.ts';

const MAX_GIVEN = 80;
const MAX_NAMES = 40;

/** A key that is equal for equal types. */
export function keyOf(use: TypeUse, { isErased }: Pick<ValueTable, 'isErased'>): string {
  const { name, of } = use;
  if (name === ARRAY || name === NULLABLE) return `${of.map((each) => keyOf(each, { isErased })).join('')}${name}`;
  if (isErased || of.length === 0) return name;
  return `${name}<${of.map((each) => keyOf(each, { isErased })).join(',')}>`;
}

/** The JSON type of its values; null if any JSON is accepted. */
export function jsonTypeOf(
  use: TypeUse,
  table: ValueTable,
  definition: (use: TypeUse) => TypeDefinition | undefined,
): JsonType | null {
  const { name, of } = use;
  const [inner] = of;
  if ((name === NULLABLE || table.optionals.has(name)) && inner) return jsonTypeOf(inner, table, definition);
  const scalar = table.scalars.get(name);
  if (scalar) return scalar.json;
  const open = table.open.get(name);
  if (open) return open === 'numbers' ? 'number' : null;
  if (name === ARRAY || table.tuples.has(name) || table.containers.get(name)?.is === 'list') return 'array';
  return definition(use)?.kind === 'enum' ? 'string' : 'object';
}

/** Describes a scalar further than its JSON type does. */
export function hintOf(
  use: TypeUse,
  table: ValueTable,
  definition: (use: TypeUse) => TypeDefinition | undefined,
): string | null {
  const { name, of } = use;
  const [inner] = of;
  if ((name === NULLABLE || table.optionals.has(name)) && inner) return hintOf(inner, table, definition);
  const scalar = table.scalars.get(name);
  if (scalar) return scalar.isHinted ? scalar.wanted : null;
  const known = definition(use);
  return known?.kind === 'enum' ? oneOf(known) : null;
}

export function oneOf({ constants }: TypeDefinition): string {
  return `one of ${joined(constants.map(([name]) => name))}`;
}

/** The JSON value, cut if it is long. */
export function given(json: unknown): string {
  if (typeof json === 'object' && json !== null) return Array.isArray(json) ? 'an array' : 'an object';
  const text = JSON.stringify(json) ?? 'nothing';
  return text.length <= MAX_GIVEN ? text : `${text.slice(0, MAX_GIVEN)}…`;
}

export function joined(names: readonly string[]): string {
  return names.length <= MAX_NAMES ? names.join(', ') : `${names.slice(0, MAX_NAMES).join(', ')}, …`;
}

/** `a Cart`, `an Item`. */
export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}
