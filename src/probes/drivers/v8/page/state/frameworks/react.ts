/** React: stores that its components hold, and their own state. */

import type { Found } from '../found.ts';
import { isMinified } from '../naming.ts';
import { dataOf, isFunction, isNative, isObject, makerOf, own } from '../safe.ts';
import { asJotai } from '../stores/atoms.ts';
import { type ComponentRegistry, type ComponentSlot, steady } from './component-registry.ts';
import { asContext } from './react-context.ts';
import {
  componentName,
  type Fiber,
  hooksOf,
  isClassComponent,
  isFunctionComponent,
  rootOf,
  TAG,
  walkFibers,
} from './react-fiber.ts';
import { nameFromElement, nameFromPlace, shownBy } from './react-names.ts';

const MAX_FIBERS = 60_000;

export interface ReactVisitor {
  /** Checks a value of a component: a store, a client, an observable. Returns true if it is one, and shown as such. */
  recognise(value: unknown): boolean;
  /** True if a value is known to be no Proxy of the app. */
  isOpen(value: unknown, depth?: number): boolean;
  /** True if its kind is known; false if it will be at the next search. */
  isSettled(value: unknown, depth?: number): boolean;
  /** Receives the dependencies of a hook. */
  dependencies(values: readonly unknown[]): void;
  components: ComponentRegistry;
  add(found: Found): void;
  /** The name of a hook of Preact, from the elements around its value. */
  hookName(hook: object, value: unknown, element: unknown): string | null;
}

/** Names of hooks are chosen once, when they are first met, because the content of a page changes. */
const hookNames = new WeakMap<object, string | null>();
const componentNames = new WeakMap<object, string>();
/** The kind of a hook once its value could be checked; null if it was only met so far. */
const verdicts = new WeakMap<object, 'state' | 'other' | Found | null>();
const stateNames = new WeakMap<object, string[]>();
/** From this level on, the content of a state is checked ahead. */
const AHEAD = 1;
/** The limit for an instance, most of whose fields may be handlers. */
const MAX_FIELDS = 1000;
const REACT_FIELDS = new Set(['props', 'state', 'context', 'refs', 'updater', 'base']);

export function* visitReact(element: object, key: string, visitor: ReactVisitor): Generator<void, void, void> {
  const root = rootOf(element, key);
  if (!root) return;
  let steps = 0;
  for (const fiber of walkFibers(root, MAX_FIBERS)) {
    visitProps(fiber, visitor);
    if (fiber.tag === TAG.provider) visitContext(fiber, root, visitor);
    if (isClassComponent(fiber)) visitInstance(fiber, visitor);
    else if (isFunctionComponent(fiber)) visitHooks(fiber, visitor);
    if (++steps % 32 === 0) yield;
  }
}

function visitProps({ tag, key, memoizedProps }: Fiber, visitor: ReactVisitor): void {
  // A row of a list gets data, not stores.
  if (tag === TAG.host || tag === TAG.text || key !== null || !isObject(memoizedProps)) return;
  const names = Object.keys(memoizedProps);
  for (let at = 0; at < names.length && at < 30; at++) {
    const name = names[at] as string;
    if (name === 'children') continue;
    const value = own(memoizedProps, name);
    if (isObject(value) || isFunction(value)) recogniseWithin(value, visitor);
  }
}

function visitContext(fiber: Fiber, root: Fiber, visitor: ReactVisitor): void {
  // Contexts of the app are above all elements; further down they connect the parts of some widget.
  for (let at = fiber.return; at; at = at.return) if (at.tag === TAG.host) return;
  const found = asContext(fiber, root, visitor);
  if (found) visitor.add(found);
}

/** Contexts often contain `{ store, subscription }` or `{ client }`. */
function recogniseWithin(value: unknown, visitor: ReactVisitor): void {
  if (visitor.recognise(value) || !isObject(value) || !visitor.isOpen(value) || Array.isArray(value)) return;
  for (const name of ['store', 'client', 'storeRef']) {
    const inner = own(value, name);
    if (inner !== undefined) visitor.recognise(inner);
  }
}

function visitHooks(fiber: Fiber, visitor: ReactVisitor): void {
  const states: { queue: object; value: unknown }[] = [];
  for (const { memoizedState, queue } of hooksOf(fiber)) {
    if (isObject(queue) && 'lastRenderedState' in queue) {
      const value = own(queue, 'lastRenderedState');
      if (judgeState(value, queue, fiber, visitor)) states.push({ queue, value });
    } else if (isObject(queue) && 'getSnapshot' in queue) visitor.recognise(memoizedState);
    else if (Array.isArray(memoizedState)) {
      visitor.recognise(memoizedState[0]);
      const dependencies: unknown = memoizedState[1];
      if (Array.isArray(dependencies)) visitDependencies(dependencies, visitor);
    } else if (isObject(memoizedState)) {
      const dependencies = own(memoizedState, 'deps');
      if (Array.isArray(dependencies)) visitDependencies(dependencies, visitor);
      visitor.recognise(own(memoizedState, 'current'));
    }
  }
  if (states.length === 0) return;
  const name = nameOfComponent(fiber, states[0]?.queue ?? fiber);
  const shown = states.some(({ queue }) => !hookNames.has(queue)) ? shownBy(fiber) : [];
  const isNamed = !isMinified(componentName(fiber.type));
  const slots = states.flatMap(({ queue, value }): ComponentSlot[] => {
    if (!hookNames.has(queue) && visitor.isOpen(value)) hookNames.set(queue, nameFromPlace(value, shown));
    const place = hookNames.get(queue) ?? null;
    // An unnamed flag of an unnamed component mostly belongs to some widget.
    if (place === null && !isNamed && (typeof value === 'boolean' || value === null || value === '')) return [];
    return [{ name: place, isGuessed: true, read: () => own(queue, 'lastRenderedState') }];
  });
  const isGuessed = !isNamed;
  visitor.components.add({ identity: states[0]?.queue ?? fiber, name, isGuessed, listed: fiber.key !== null, slots });
}

function visitDependencies(dependencies: readonly unknown[], visitor: ReactVisitor): void {
  visitor.dependencies(dependencies);
  for (const value of dependencies) if (isObject(value) || isFunction(value)) visitor.recognise(value);
}

/** True for a state of the component. Until its value can be checked, it keeps its earlier kind. */
function judgeState(value: unknown, queue: object, fiber: Fiber, visitor: ReactVisitor): boolean {
  if (!visitor.isSettled(value, AHEAD) || !isAtomSettled(value, visitor)) {
    const before = verdicts.get(queue);
    if (isObject(before)) visitor.add(before);
    if (before === undefined) verdicts.set(queue, null);
    return before === 'state' || before === null;
  }
  // A Proxy is shown as one.
  const isOpen = visitor.isOpen(value);
  const isState =
    (!isOpen || isStateHook(value)) &&
    !(isOpen ? recogniseState(value, queue, fiber, visitor) : visitor.recognise(value));
  if (isState) verdicts.set(queue, 'state');
  else if (!isObject(verdicts.get(queue))) verdicts.set(queue, 'other');
  return isState;
}

/** The values that a hook of Jotai keeps beside its value. */
function isAtomSettled(value: unknown, visitor: ReactVisitor): boolean {
  if (!visitor.isOpen(value) || !Array.isArray(value) || value.length !== 3) return true;
  return visitor.isSettled(own(value, 1)) && visitor.isSettled(own(value, 2));
}

/** Libraries keep a store, or a counter that forces a render, in a state hook. */
function recogniseState(value: unknown, queue: object, fiber: Fiber, visitor: ReactVisitor): boolean {
  if (visitor.recognise(value) || isMachine(value, visitor)) return true;
  if (!Array.isArray(value) || !visitor.isOpen(value[1]) || !visitor.isOpen(value[2])) return false;
  const atom = asJotai(value, () => {
    if (!hookNames.has(queue) && visitor.isOpen(value[0]))
      hookNames.set(queue, nameFromPlace(value[0], shownBy(fiber)));
    return hookNames.get(queue) ?? null;
  });
  if (atom) {
    visitor.add(atom);
    verdicts.set(queue, atom);
  }
  return atom !== null || (value.length >= 3 && isFunction(dataOf(value[1], 'sub')));
}

/** Objects of libraries that notify others of changes, and records that lead to one. */
function isMachine(value: unknown, visitor: ReactVisitor): boolean {
  if (!isObject(value) || Array.isArray(value)) return false;
  if (['subscribe', 'addListener', 'notify'].some((name) => isFunction(dataOf(value, name)))) return true;
  return Object.keys(value)
    .slice(0, 20)
    .some((name) => visitor.recognise(own(value, name)));
}

function isStateHook(value: unknown): boolean {
  if (value === undefined || isFunction(value) || typeof value === 'symbol') return false;
  // `useReducer((n) => n + 1, 0)` and `useState({})` only force a render.
  return !(
    isObject(value) &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0
  );
}

function visitInstance(fiber: Fiber, visitor: ReactVisitor): void {
  const instance = fiber.stateNode;
  if (!isObject(instance)) return;
  const slots = slotsOfState(instance, visitor);
  visitDocuments(instance, visitor);
  visitor.components.add({
    identity: instance,
    name: nameOfComponent(fiber, instance),
    isGuessed: isMinified(componentName(fiber.type)),
    listed: fiber.key !== null,
    slots,
  });
}

/** The fields of the state of an instance: React creates a new object at each change. */
export function slotsOfState(instance: object, visitor: ReactVisitor): ComponentSlot[] {
  const state = own(instance, 'state');
  if (isObject(state) && visitor.isOpen(state, AHEAD)) {
    const names = Object.keys(state);
    for (const name of names) visitor.recognise(own(state, name));
    stateNames.set(instance, names);
  }
  const read = steady(() => own(instance, 'state'), visitor.isOpen);
  return (stateNames.get(instance) ?? []).map((name) => ({ name, read: () => own(read(), name) }));
}

/** Objects of the app's own classes that keep a collection of records: a drawing, a library, an order book. */
export function visitDocuments(instance: object, visitor: ReactVisitor): void {
  if (!visitor.isOpen(instance)) return;
  for (const name of Object.keys(instance).slice(0, MAX_FIELDS)) {
    if (name.startsWith('_') || REACT_FIELDS.has(name) || isMinified(name)) continue;
    const value = own(instance, name);
    if (!isObject(value) || !visitor.isOpen(value, AHEAD) || !isOwnInstance(value) || visitor.recognise(value))
      continue;
    if (holdsRecords(value, visitor)) visitor.add(asDocument(value, name));
  }
}

function asDocument(value: object, name: string): Found {
  return {
    kind: 'document',
    id: '',
    wanted: name,
    origin: 'document of a component',
    identity: value,
    stable: false,
    mangled: false,
    read: () => value,
  };
}

function isOwnInstance(value: object): boolean {
  if (Array.isArray(value)) return false;
  const maker = makerOf(value);
  if (maker === null || maker === Object || isNative(maker)) return false;
  // Another component, which is visited separately.
  return own(value, 'updater') === undefined && own(value, '_reactInternals') === undefined;
}

function holdsRecords(value: object, visitor: ReactVisitor): boolean {
  return Object.keys(value)
    .slice(0, MAX_FIELDS)
    .some((name) => {
      const field = own(value, name);
      if (!isObject(field) || !visitor.isOpen(field) || !Array.isArray(field)) return false;
      const first = own(field, 0);
      return visitor.isOpen(first) && isPlain(first);
    });
}

function isPlain(value: unknown): boolean {
  return isObject(value) && makerOf(value) === Object;
}

function nameOfComponent(fiber: Fiber, identity: object): string {
  let name = componentNames.get(identity);
  if (name === undefined) {
    name = componentName(fiber.type);
    if (isMinified(name)) name = nameFromElement(shownBy(fiber));
    componentNames.set(identity, name);
  }
  return name;
}
