/** V8's list of the scopes of a function. */
import { isFunction, isObject, own } from './safe.ts';

const MAX_SCOPES = 20;

export interface Scope {
  /** Its place in the list. */
  readonly at: number;
  /** A copy of the variables, made when it was asked for. */
  readonly variables: object;
  readonly names: readonly string[];
}

/** Without those that every script sees. */
export function* scopesOf(scopes: object): Generator<Scope, void, void> {
  for (let at = 0; at < MAX_SCOPES; at++) {
    const scope = (scopes as Record<number, unknown>)[at];
    if (!isObject(scope)) return;
    const description = own(scope, 'description');
    const inner = own(scope, 'object');
    // Newer versions of V8 say what each scope is, and hold its variables one level further down.
    const isDescribed = typeof description === 'string' && isObject(inner);
    if (isDescribed && /^(Global|Script)/.test(description)) continue;
    const variables = isDescribed ? inner : scope;
    if (variables === globalThis || own(variables, 'globalThis') !== undefined) continue;
    yield { at, variables, names: Object.getOwnPropertyNames(variables) };
  }
}

/** Its own name says where we are: the scope that holds this variable is that of an agent. */
const SUBSTRATE_AGENT_SCOPE = { name: 'SUBSTRATE_AGENT_SCOPE' };

/** True for functions of an agent, ours or that of another daemon: by a name, for a look at values could run code. */
export function isOfAgent(scopes: readonly Scope[]): boolean {
  return scopes.some(({ names }) => names.includes(SUBSTRATE_AGENT_SCOPE.name));
}

/** Two copies of one scope hold the same objects; without any object they cannot be told from two alike. */
export function isSameScope(a: Scope, b: Scope): boolean {
  if (a.names.length !== b.names.length) return false;
  let shared = 0;
  for (let index = 0; index < a.names.length; index++) {
    const name = a.names[index] as string;
    if (name !== b.names[index]) return false;
    const value = own(a.variables, name);
    const other = own(b.variables, name);
    const isReference = isObject(value) || isFunction(value);
    // Variables may have been assigned between the two looks, but not all of them.
    if (isReference && value === other) shared++;
    else if (isReference && shared === 0 && index > 8) return false;
  }
  return shared > 0;
}
