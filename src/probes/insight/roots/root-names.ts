/** Names and describes roots. */
import type { RootFacts } from './root-facts.ts';

/** The way a runtime writes the names of types. */
export interface TypeNames {
  /** Without package and outer type; null if it is anonymous. */
  simple(type: string): string | null;
  /** With the outer type, `Outer_Inner`; null if there is none. */
  withOuter(type: string): string | null;
}

export interface WantedName {
  readonly name: string;
  /** The second choice if the name is taken; null to add a number instead. */
  readonly other: string | null;
}

export function wantedName({ kind, type, name }: RootFacts, types: TypeNames): WantedName {
  const simple = type === null ? null : types.simple(type);
  if (kind === 'statics' || kind === 'constants')
    return { name: simple ?? 'object', other: type === null ? null : types.withOuter(type) };
  if (name !== null) return { name: written(kind, name), other: null };
  if (kind === 'variables') return { name: 'script', other: null };
  const own = simple === null ? 'object' : decapitalised(simple);
  return { name: kind === 'elements' ? `${own}s` : own, other: null };
}

function written(kind: RootFacts['kind'], name: string): string {
  if (kind === 'closure') return decapitalised(name);
  return kind === 'bean' ? beanName(name) : name;
}

/** Describes for people where the root comes from. */
export function originOf({ kind, type, name, where }: RootFacts, types: TypeNames): string {
  const ofType = type ?? '';
  switch (kind) {
    case 'statics':
      return `static fields of ${ofType}`;
    case 'constants':
      return `constants of ${ofType}`;
    case 'single':
      return `single object of ${ofType}`;
    case 'bean':
      return `bean ${name ?? ''} of class ${ofType}`;
    case 'service':
      return `service ${types.simple(ofType) ?? ofType}`;
    case 'local':
      return `local variable of ${where ?? ''}`;
    default:
      return where ?? '';
  }
}

/** `shop` for Shop; `URLBook` stays. */
function decapitalised(name: string): string {
  return /^.\p{Uppercase}/u.test(name) ? name : lowered(name);
}

/** A bean without a name of its own has the full name of its class. */
function beanName(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (last === name || last === '') return name;
  return lowered(last.indexOf('#') > 0 ? last.slice(0, last.indexOf('#')) : last);
}

function lowered(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
