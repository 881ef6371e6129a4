/** Names and describes parameters. */
import type { RawParameter } from '../../../model/raw-action.ts';
import type { KnownMethod, KnownParameter } from './known-method.ts';

const MAX_NAME = 100;
const MADE_UP = /^(?:arg|p|var|param)[^\p{L}]/u;
const WORDS: Readonly<Record<string, string>> = {
  boolean: 'flag',
  number: 'number',
  array: 'list',
  char: 'character',
  Character: 'character',
  string: 'text',
  String: 'text',
  CharSequence: 'text',
  Object: 'value',
  object: 'value',
};

/** In the order of the method. */
export function parametersOf(method: KnownMethod): RawParameter[] {
  const taken = new Set<string>();
  return method.parameters.map((parameter) => {
    const wish = method.flags.includes('property') ? uncapitalised(method.name) : parameter.name;
    const description = descriptionOf(parameter);
    return {
      name: unique(wish !== null && isTelling(wish) ? wish : nameFromType(parameter), taken),
      // Overloads may differ in it: the value chooses among them.
      type: parameter.json ?? 'any',
      required: !parameter.isOptional,
      isChecked: true,
      ...(description === null ? {} : { description }),
    };
  });
}

/** Joins the parameters of all overloads by name. A parameter is required if all overloads require it. */
export function joinParameters(overloads: readonly (readonly RawParameter[])[]): RawParameter[] {
  const all = new Map<string, RawParameter>();
  for (const parameters of overloads) {
    for (const parameter of parameters) {
      const known = all.get(parameter.name);
      all.set(parameter.name, known ? union(known, parameter) : parameter);
    }
  }
  return [...all.values()].map((parameter) =>
    overloads.every((parameters) => parameters.some(({ name }) => name === parameter.name))
      ? parameter
      : { ...parameter, required: false },
  );
}

function union(one: RawParameter, other: RawParameter): RawParameter {
  const { description, ...rest } = one;
  return {
    ...rest,
    type: one.type === other.type ? one.type : 'any',
    required: one.required && other.required,
    ...(description === undefined || description !== other.description ? {} : { description }),
  };
}

/** Not `arg0`, `p1`, `var2`, nor a name that only a compiler writes. */
function isTelling(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && name.length <= MAX_NAME && !MADE_UP.test(name);
}

function nameFromType({ text, json }: KnownParameter): string {
  const simple = text.replace(/<.*$|\?$/s, '');
  const word = WORDS[simple] ?? (json === null || json === 'string' || json === 'object' ? undefined : WORDS[json]);
  if (word !== undefined) return word;
  if (json === 'object' && /Map$|Dictionary$/.test(simple)) return 'map';
  const lower = uncapitalised(simple);
  return isTelling(lower) ? lower : 'value';
}

/** Describes the parameter further than its JSON type does. */
function descriptionOf({ text, json, hint }: KnownParameter): string | null {
  if (hint !== null) return hint;
  return json === 'object' || json === 'array' ? text : null;
}

function unique(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
  taken.add(free);
  return free;
}

/** `Title` becomes `title`, `URLPath` becomes `urlPath`. */
export function uncapitalised(name: string): string {
  return name.replace(/^(?:\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}+)/u, (capitals) => capitals.toLowerCase());
}
