/** The method of a class that an operation of a management bean runs: `health(J)Ljava/lang/String;`. */
import type { BeanKind } from './bean-facts.ts';

const LETTERS: Readonly<Record<string, string>> = {
  ...{ int: 'I', long: 'J', short: 'S', byte: 'B', double: 'D', float: 'F', boolean: 'Z', char: 'C', void: 'V' },
};
/** In the notation of beans: `java.lang.String`, `[I`, `[[Ljava.lang.String;`. */
const CLASS = /^[\p{L}\p{N}_$.]+$/u;
const ARRAY = /^\[+(?:[IJSBDFZC]|L[\p{L}\p{N}_$.]+;)$/u;

/** Null if one of its types cannot be parsed. */
export function methodKey({ name, parameters, returns }: BeanKind['operations'][number]): string | null {
  const given = parameters.map(({ type }) => descriptorOf(type));
  const result = descriptorOf(returns);
  return result === null || given.includes(null) ? null : `${name}(${given.join('')})${result}`;
}

function descriptorOf(type: string): string | null {
  const letter = Object.hasOwn(LETTERS, type) ? LETTERS[type] : undefined;
  if (letter !== undefined) return letter;
  if (ARRAY.test(type)) return type.replaceAll('.', '/');
  return CLASS.test(type) ? `L${type.replaceAll('.', '/')};` : null;
}
