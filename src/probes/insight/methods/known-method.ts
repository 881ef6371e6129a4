/** Facts about types and methods, with their consequences for callers. */
import type { LeftOut } from '../arguments/choose-overload.ts';
import { requiredObjects } from '../arguments/required-objects.ts';
import type { TypeDefinition } from '../arguments/type-definition.ts';
import { NULLABLE, parseType, type TypeUse } from '../arguments/type-text.ts';
import { hintOf, jsonTypeOf, keyOf } from '../arguments/type-words.ts';
import type { JsonType, ValueTable } from '../arguments/value-table.ts';
import type { MethodFacts, TypeFacts, TypeMethods } from './method-facts.ts';

/** A type whose methods are known. */
export interface KnownType extends Omit<TypeMethods, 'methods'> {
  readonly id: number;
  /** Without package or outer type. */
  readonly name: string;
  readonly package: string;
}

export interface KnownParameter {
  readonly name: string | null;
  readonly use: TypeUse;
  /** The type in the notation of the language, without packages: `List<Item>`. */
  readonly text: string;
  /** Null if any JSON value is accepted. */
  readonly json: JsonType | null;
  /** Describes a value further than its JSON type does: `one of NEW, PAID`. */
  readonly hint: string | null;
  readonly isOptional: boolean;
  readonly leftOut: LeftOut | null;
  /** Declared as any object. */
  readonly isAny: boolean;
  /** An event, as handlers receive it. */
  readonly isEvent: boolean;
}

export interface KnownMethod extends Omit<MethodFacts, 'parameters' | 'returns'> {
  readonly parameters: readonly KnownParameter[];
  readonly returns: { readonly text: string; readonly json: JsonType | 'void' | 'unknown' };
  /** Types of which the state must show an object before the method can be called. */
  readonly needs: readonly string[];
}

export function knownType(
  { id, name }: TypeFacts,
  { lineage, isValue, isEnum }: Omit<TypeMethods, 'methods'>,
  table: ValueTable,
): KnownType {
  const use = parseType(name);
  const full = use?.name ?? name;
  return {
    ...{ id, lineage, isValue, isEnum },
    name: use === null ? full : table.spoken(use),
    package: full.slice(0, Math.max(0, full.lastIndexOf('.'))),
  };
}

/** Null if one of its types cannot be parsed. */
export function knownMethod(
  facts: MethodFacts,
  table: ValueTable,
  definitions: ReadonlyMap<string, TypeDefinition>,
): KnownMethod | null {
  const definition = (use: TypeUse) => definitions.get(keyOf(use, table));
  const parameters: KnownParameter[] = [];
  for (const { name, type, isOptional, isRest } of facts.parameters) {
    const use = parseType(type);
    if (use === null) return null;
    parameters.push({
      name,
      use,
      text: table.spoken(use),
      json: jsonTypeOf(use, table, definition),
      hint: hintOf(use, table, definition),
      isOptional: isOptional || isRest || mayBeNothing(use, table),
      leftOut: isRest ? 'no-values' : isOptional ? 'default' : mayBeNothing(use, table) ? 'null' : null,
      isAny: use.variable === null && table.open.get(use.name) === 'all',
      isEvent: definition(use)?.lineage.includes(table.event) ?? false,
    });
  }
  const returned = parseType(facts.returns.type);
  if (returned === null) return null;
  const needs = parameters.flatMap(({ isOptional, use }) =>
    isOptional ? [] : requiredObjects(use, table, definition),
  );
  return {
    ...facts,
    parameters,
    returns: { text: table.spoken(returned), json: returnedJson(facts.returns, returned, table, definition) },
    needs,
  };
}

/** `Optional<…>` in Java. */
function mayBeNothing({ name }: TypeUse, table: ValueTable): boolean {
  return name !== NULLABLE && (table.optionals.has(name) || table.scalars.get(name)?.empty !== undefined);
}

function returnedJson(
  { brings, holds }: MethodFacts['returns'],
  returned: TypeUse,
  table: ValueTable,
  definition: (use: TypeUse) => TypeDefinition | undefined,
): JsonType | 'void' | 'unknown' {
  const use = brings === null ? returned : parseType(brings);
  if (use === null) return 'unknown';
  if (table.nothing.has(use.name)) return 'void';
  if (holds !== null) return holds === 'list' ? 'array' : 'object';
  return jsonTypeOf(use, table, definition) ?? 'unknown';
}

/** Its only parameter is a value that the state shows completely, so that a call with the previous value undoes it. */
export function takesScalar({ parameters }: KnownMethod): boolean {
  const [only, ...more] = parameters;
  if (only === undefined || more.length > 0 || only.isOptional) return false;
  return only.json === 'string' || only.json === 'number' || only.json === 'boolean';
}

export function isProperty({ flags }: KnownMethod): boolean {
  return flags.includes('property');
}
