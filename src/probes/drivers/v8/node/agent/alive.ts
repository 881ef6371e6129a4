/** The objects that keep a Node process alive: the callbacks of its timers, and its servers. */
import type { TreeNode } from '../../tree/shadow-tree.ts';
import { constructorOf } from './classify.ts';
import { quietValue } from './quiet.ts';
import type { Reflecting } from './reflecting.ts';

interface TimerList {
  _idleNext?: TimerList;
  _onTimeout?: unknown;
}

const MAX_FIELDS = 100;
const LISTENERS = /^_?(?:events|listeners|callbacks|handlers)$/;
const REQUEST_EVENTS = ['request', 'connection', 'secureConnection', 'stream', 'session', 'upgrade'] as const;

export function timerCallbacks(reflector: Reflecting, setTimeout: object): unknown[] {
  const callbacks: unknown[] = [];
  for (const { variables } of reflector.inspectFunction(setTimeout)?.scopes ?? []) {
    const lists = variables.timerListMap;
    if (typeof lists !== 'object' || lists === null) continue;
    for (const list of Object.values(lists as Record<string, TimerList>)) {
      // The list is a ring. The walk is limited, because a process can have any number of timers.
      for (let timer = list._idleNext, n = 0; timer && timer !== list && n < 1000; timer = timer._idleNext, n++)
        callbacks.push(timer._onTimeout);
    }
  }
  return callbacks;
}

/** True if the handle listens for connections. */
export function isServer(handle: object): boolean {
  return typeof quietValue(handle, '_connectionKey') === 'string';
}

/** The functions that these servers call for requests. */
export function requestHandlers(servers: readonly object[]): Set<unknown> {
  const handlers = new Set<unknown>();
  for (const server of servers) {
    const events = quietValue(server, '_events');
    if (typeof events !== 'object' || events === null) continue;
    for (const name of REQUEST_EVENTS) {
      const listeners = quietValue(events, name);
      for (const listener of Array.isArray(listeners) ? listeners : [listeners]) handlers.add(listener);
    }
  }
  return handlers;
}

/** The unseen part: the object that handles a server's requests, all objects of the program's own classes, or both. */
export type Unseen = 'nothing' | 'handler' | 'objects' | 'all';

/**
 * The parts of the program that are not among the shown objects. `servers`: those whose handler belongs to an object that
 * was not found; null if there are none. An object that holds the server is as good as the one that handles its requests.
 */
export function unseenBeside(
  shown: readonly TreeNode[],
  servers: readonly unknown[] | null,
  isOwn: (maker: object) => boolean,
  isProxy: (value: unknown) => boolean,
): Unseen {
  const isBlind = servers !== null && !shown.some((node) => holdsOneOf(node, servers));
  const seesNone = !shown.some((node) => {
    const maker = constructorOf(node.target);
    return maker !== null && isOwn(maker) && holdsObjects(node, isProxy);
  });
  if (seesNone) return isBlind ? 'all' : 'objects';
  return isBlind ? 'handler' : 'nothing';
}

/** True if one of its fields holds one of the values, private fields included. */
const holdsOneOf = (node: TreeNode, values: readonly unknown[]) =>
  fieldsOf(node).some(([, value]) => values.includes(value));

/** True if it refers to other objects: an object with data only may be a constant of its module. */
function holdsObjects(node: TreeNode, isProxy: (value: unknown) => boolean): boolean {
  return fieldsOf(node).some(([name, value]) => {
    if (name === '_events') return true;
    if (typeof value !== 'object' || value === null || isProxy(value) || Array.isArray(value)) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype !== null && prototype !== Object.prototype;
  });
}

function fieldsOf({ target, overlay }: TreeNode): (readonly [name: string, value: unknown])[] {
  const read = (holder: object) =>
    Object.keys(holder)
      .slice(0, MAX_FIELDS)
      .map((name) => [name, quietValue(holder, name)] as const);
  return [...read(target), ...(overlay === null ? [] : read(overlay.target))];
}

/** Listeners are held by the objects that raise events, but their variables belong to the code that registered them. */
export function isListenerTable({ key, parent }: TreeNode): boolean {
  return LISTENERS.test(`${key}`) || LISTENERS.test(`${parent?.key}`);
}
