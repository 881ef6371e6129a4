/** V8's list of the scopes of a function. */
import { isFunction, isObject, own } from './safe.ts';

const MAX_SCOPES = 20;
/** The first ones of a bundle's thousands of variables are enough. */
const MAX_COMPARED = 100;

export interface Scope {
  /** Its index in the list. */
  readonly at: number;
  /** A copy of the variables, made by V8 at the query. */
  readonly variables: object;
}

/** Listing the names of a bundle's variables is slow. */
export interface NamedScope extends Scope {
  readonly names: readonly string[];
}

export const withNames = (scope: Scope): NamedScope => ({
  ...scope,
  names: Object.getOwnPropertyNames(scope.variables),
});

/** Without those that every script sees. */
export function* scopesOf(scopes: object): Generator<Scope, void, void> {
  for (let at = 0; at < MAX_SCOPES; at++) {
    const scope = (scopes as Record<number, unknown>)[at];
    if (!isObject(scope)) return;
    const description = own(scope, 'description');
    const inner = own(scope, 'object');
    // Newer versions of V8 describe each scope, and hold its variables one level deeper.
    const isDescribed = typeof description === 'string' && isObject(inner);
    if (isDescribed && /^(Global|Script)/.test(description)) continue;
    const variables = isDescribed ? inner : scope;
    if (variables === globalThis || own(variables, 'globalThis') !== undefined) continue;
    yield { at, variables };
  }
}

/** Its own name is a mark: the scope that holds this variable is that of an agent. */
const SUBSTRATE_AGENT_SCOPE = { name: 'SUBSTRATE_AGENT_SCOPE' };

/** True for functions of an agent, ours or that of another daemon: by a name, because reading values could run code. */
export function isOfAgent(scopes: readonly NamedScope[]): boolean {
  return scopes.some(({ names }) => names.includes(SUBSTRATE_AGENT_SCOPE.name));
}

/**
 * A bundle has one scope with thousands of variables, which most of its functions see: some of them are enough to
 * recognise it.
 */
export function isKnownBundle({ names, variables }: NamedScope, scope: Scope): boolean {
  if (names.length < MAX_COMPARED) return false;
  let shared = 0;
  for (const name of names.slice(0, MAX_COMPARED)) {
    if (!Object.hasOwn(scope.variables, name)) return false;
    const value = own(variables, name);
    if ((isObject(value) || isFunction(value)) && value === own(scope.variables, name)) shared++;
  }
  return shared * 2 > MAX_COMPARED;
}

/**
 * Two copies of one scope hold the same objects; without any object they cannot be distinguished from two similar
 * scopes.
 */
export function isSameScope(a: NamedScope, b: NamedScope): boolean {
  if (a.names.length !== b.names.length || a.names.at(-1) !== b.names.at(-1)) return false;
  let shared = 0;
  for (let index = 0; index < Math.min(a.names.length, MAX_COMPARED); index++) {
    const name = a.names[index] as string;
    if (name !== b.names[index]) return false;
    const value = own(a.variables, name);
    const other = own(b.variables, name);
    const isReference = isObject(value) || isFunction(value);
    // Variables may have been assigned between the two copies, but not all of them.
    if (isReference && value === other) shared++;
    else if (isReference && shared === 0 && index > 8) return false;
  }
  return shared > 0;
}
