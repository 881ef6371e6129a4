/**
 * The objects that the state must show before a method can be called: those that JSON cannot make can only be named.
 */
import type { TypeDefinition } from './type-definition.ts';
import { ARRAY, NULLABLE, parseType, type TypeUse } from './type-text.ts';
import { keyOf } from './type-words.ts';
import type { ValueTable } from './value-table.ts';

const MAX_DEPTH = 3;

/** The keys of the types of which an object is needed. */
export function requiredObjects(
  use: TypeUse,
  table: ValueTable,
  definition: (use: TypeUse) => TypeDefinition | undefined,
): string[] {
  const isPlain = (each: TypeUse): boolean =>
    table.scalars.has(each.name) || table.open.has(each.name) || definition(each)?.kind === 'enum';
  const isFilled = ({ name }: TypeUse): boolean =>
    name === ARRAY || table.containers.has(name) || table.tuples.has(name) || table.optionals.has(name);

  const canBeMade = (each: TypeUse, depth: number): boolean => {
    const known = definition(each);
    if (known?.kind === 'value') return true;
    if (known?.kind !== 'class') return false;
    // A class with only private constructors is not meant to be created by others.
    return known.constructors.some(
      ({ parameters, isPrivate }) =>
        !isPrivate && parameters?.every(({ type, isOptional }) => isOptional || isMade(parseType(type), depth)),
    );
  };
  const isMade = (each: TypeUse | null, depth: number): boolean => {
    if (each === null) return false;
    const [inner] = each.of;
    if (each.name === NULLABLE && inner) return isMade(inner, depth);
    return isPlain(each) || isFilled(each) || (depth < MAX_DEPTH && canBeMade(each, depth + 1));
  };
  const needs = (each: TypeUse, depth: number): string[] => {
    if (depth > MAX_DEPTH || isPlain(each)) return [];
    const [inner] = each.of;
    if (each.name === NULLABLE && inner) return needs(inner, depth);
    if (isFilled(each)) return each.of.flatMap((part) => needs(part, depth + 1));
    return canBeMade(each, depth) ? [] : [keyOf(each, table)];
  };
  return needs(use, 0);
}
