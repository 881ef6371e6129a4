/** Values that a React context provides: session, theme, settings. */

import type { Found } from '../found.ts';
import { dataOf, isFunction, isObject, own } from '../safe.ts';
import { steady } from './component-registry.ts';
import type { Fiber } from './react-fiber.ts';

/** The look is no state of the app. */
const THEME = new Set([
  'palette',
  'breakpoints',
  'typography',
  'mixins',
  'zIndex',
  'shadows',
  'stylesManager',
  'sheetsManager',
]);

export interface ContextVisitor {
  recognise(value: unknown): boolean;
  isOpen(value: unknown): boolean;
  isSettled(value: unknown): boolean;
}

const shown = new WeakSet<object>();

/** Null if it provides a store, functions, or a single value, which the state above it shows already. */
export function asContext(fiber: Fiber, root: Fiber, visitor: ContextVisitor): Found | null {
  const value = own(fiber.memoizedProps, 'value');
  if (!isObject(value)) return null;
  const identity = isObject(fiber.type) ? fiber.type : value;
  // A context that was shown once provides other objects of its kind.
  if (visitor.isSettled(value)) {
    if (!visitor.isOpen(value) || !isState(value, visitor)) return null;
    if (!Object.keys(value).every((name) => visitor.isSettled(own(value, name))) && !shown.has(identity)) return null;
    shown.add(identity);
  } else if (!shown.has(identity)) return null;
  const name = nameOfContext(fiber.type);
  return {
    kind: 'context',
    id: name,
    wanted: name,
    origin: 'React context',
    identity,
    stable: false,
    mangled: false,
    read: steady(() => own(own(currentOf(fiber, root), 'memoizedProps'), 'value'), visitor.isSettled),
  };
}

function isState(value: object, visitor: ContextVisitor): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  const names = Object.keys(value);
  if (names.some((name) => THEME.has(name)) || !names.some((name) => isShown(own(value, name)))) return false;
  return !names.some((name) => {
    const held = own(value, name);
    return visitor.recognise(held) || (visitor.isOpen(held) && isMachinery(held));
  });
}

/** The visible one of the two alternating fibers: the one reached from the top. */
function currentOf(fiber: Fiber, root: Fiber): Fiber | null {
  const path: Fiber[] = [];
  for (let at: Fiber | null = fiber; at; at = at.return) path.push(at);
  let current = (root.stateNode as { current?: Fiber } | null)?.current ?? root;
  for (let depth = path.length - 2; depth >= 0; depth--) {
    const wanted = path[depth] as Fiber;
    let child = current.child;
    while (child && child !== wanted && child !== wanted.alternate) child = child.sibling;
    if (!child) return null;
    current = child;
  }
  return current;
}

function nameOfContext(type: unknown): string {
  const name = own(own(type, '_context') ?? type, 'displayName');
  return typeof name === 'string' ? name.replace(/Context$/, '') : '';
}

function isShown(value: unknown): boolean {
  return value !== undefined && value !== null && !isFunction(value);
}

/** Routers, clients, stores and subscriptions: objects of classes with methods. */
function isMachinery(value: unknown): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  return ['subscribe', 'getState', 'push', 'addListener', 'dispatch'].some((name) => isFunction(dataOf(value, name)));
}
