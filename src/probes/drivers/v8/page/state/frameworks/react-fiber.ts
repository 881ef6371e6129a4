/** The parts of React's fibers that are read here. Their names are the same in production builds. */
import { isObject, nameOf, own } from '../safe.ts';

export interface Fiber {
  readonly tag: number;
  readonly key: string | null;
  readonly type: unknown;
  readonly stateNode: unknown;
  readonly return: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
  readonly memoizedProps: unknown;
  readonly memoizedState: unknown;
}

export interface Hook {
  readonly memoizedState: unknown;
  readonly queue: unknown;
  readonly next: Hook | null;
}

export const TAG = {
  func: 0,
  class: 1,
  root: 3,
  host: 5,
  text: 6,
  provider: 10,
  forwardRef: 11,
  memo: 14,
  simpleMemo: 15,
};

const MAX_HOOKS = 200;
/** Some of a long list of the same component are enough to find their shared objects. */
const MAX_ALIKE = 200;
const MAX_PASSED_BY = 2000;

/** The current fiber at the top. */
export function rootOf(element: object, key: string): Fiber | null {
  const held = (element as Record<string, unknown>)[key];
  if (!isObject(held)) return null;
  // Before version 18 the container holds the root, or a wrapper of it, instead of a fiber.
  const { _internalRoot: inner, current } = held as { _internalRoot?: { current?: Fiber }; current?: Fiber };
  let fiber = (inner?.current ?? current ?? held) as Fiber | null;
  if (!isObject(fiber)) return null;
  for (let steps = 0; fiber.return && steps < 100_000; steps++) fiber = fiber.return;
  return (fiber.stateNode as { current?: Fiber } | null)?.current ?? fiber;
}

/** The first versions have another tag number. */
export function isClassComponent({ type }: Fiber): boolean {
  return typeof type === 'function' && isObject(type.prototype) && 'isReactComponent' in type.prototype;
}

export function isFunctionComponent({ tag }: Fiber): boolean {
  return tag === TAG.func || tag === TAG.forwardRef || tag === TAG.simpleMemo || tag === TAG.memo;
}

export function hooksOf(fiber: Fiber): Hook[] {
  const hooks: Hook[] = [];
  let hook = fiber.memoizedState as Hook | null;
  while (isObject(hook) && 'next' in hook && hooks.length < MAX_HOOKS) {
    hooks.push(hook);
    hook = hook.next;
  }
  return hooks;
}

/** All fibers below one, in the order of the page. */
export function* walkFibers(root: Fiber, limit: number): Generator<Fiber, void, void> {
  const pending: Fiber[] = [root];
  for (let count = 0; count < limit; count++) {
    const fiber = pending.pop();
    if (!fiber) return;
    yield fiber;
    const children: Fiber[] = [];
    let alike = 0;
    for (let child = fiber.child; child && alike < MAX_PASSED_BY; child = child.sibling) {
      const before = children[children.length - 1];
      alike = before && before.type === child.type && child.type !== null ? alike + 1 : 0;
      if (alike < MAX_ALIKE) children.push(child);
    }
    for (let at = children.length - 1; at >= 0; at--) pending.push(children[at] as Fiber);
  }
}

/** The name of a component in the app's source, or empty. */
export function componentName(type: unknown): string {
  let at = type;
  for (let depth = 0; depth < 4; depth++) {
    const displayName = own(at, 'displayName');
    if (typeof displayName === 'string') return displayName;
    if (typeof at === 'function') return nameOf(at);
    if (!isObject(at)) return '';
    at = own(at, 'render') ?? own(at, 'type');
  }
  return '';
}
