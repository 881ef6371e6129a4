/** Finds callable functions: methods that a source names, and functions in the objects of its state. */
import { joinPath, type Segment } from '../../../../../model/path.ts';
import { SOURCE_LIMIT } from '../../js/source-limit.ts';
import { type Accessor, accessorsUsed } from '../../tree/accessors.ts';
import type { ShadowTree, TreeNode } from '../../tree/shadow-tree.ts';
import type { InvokeResult, PageAction } from '../protocol.ts';
import type { Method } from './found.ts';
import { isMinified } from './naming.ts';
import type { RootRegistry } from './root-registry.ts';
import { attempt, isFunction, isNative, own, sourceText } from './safe.ts';
import { isSignal } from './unwrap.ts';

const MAX_ACTIONS = 200;
const MAX_HOLDERS = 5000;
const MAX_RESULT_TEXT = 500;
/** Objects that are processed without checking the clock. */
const AT_ONCE = 32;

/** Deeper objects are mere parts of others. */
const MAX_SEGMENTS = 4;

const { getOwnPropertyNames, getPrototypeOf } = Object;

interface Known {
  readonly method: Method;
  readonly action: PageAction;
}

export class Actions {
  private known = new Map<string, Known>();
  private readonly registry: RootRegistry;
  private readonly tree: ShadowTree;

  constructor(registry: RootRegistry, tree: ShadowTree) {
    this.registry = registry;
    this.tree = tree;
  }

  /** Yields where it can be interrupted. */
  *collect(): Generator<void, PageAction[], void> {
    const known = new Map<string, Known>();
    const labels = new Map(
      this.registry.roots().map((root) => [root.name, root.mangled ? null : (root.label ?? root.name)]),
    );
    const add = (path: string, shown: string, method: Method): void => {
      const binding = `${path}#${method.name}`;
      if (known.size >= MAX_ACTIONS || known.has(binding) || isMinified(method.name)) return;
      known.set(binding, { method, action: describe(binding, shown, method) });
    };
    for (const found of this.registry.founds()) {
      const name = this.registry.nameOf(found);
      const label = name === undefined ? undefined : labels.get(name);
      if (name === undefined || label === undefined || label === null) continue;
      for (const method of attempt(() => [...(found.methods?.() ?? [])], 'Actions.collect') ?? [])
        add(name, label === '' && found.kind === 'redux' ? found.kind : label, method);
      yield;
    }
    yield* this.collectFromState(labels, add);
    this.known = known;
    return [...known.values()].map(({ action }) => ({
      ...action,
      parameters: action.parameters.map((p) => ({ ...p })),
    }));
  }

  async invoke(binding: string, args: unknown[]): Promise<InvokeResult> {
    const known = this.known.get(binding);
    const refused = (text: string): InvokeResult => ({ ok: false, dispatched: false, text });
    if (!known) return refused('the object that has this action is gone');
    const before = known.action.source;
    const now = this.current(binding, known.method);
    if (!now) return refused('the object that has this action is gone');
    // The judgement is about the function of that time, not about its replacement.
    const isSame =
      before === null
        ? targetOf(known.method) === targetOf(now)
        : before === sourceOf(now) &&
          JSON.stringify(known.action.accessors) === JSON.stringify(accessorsOf(now, before));
    if (!isSame) return refused('the app has replaced this method since it was judged');
    try {
      const result: unknown = await Reflect.apply(now.fn, now.holder, args);
      return { ok: true, dispatched: true, text: shortText(result) };
    } catch (error) {
      return { ok: false, dispatched: true, text: describeError(error) };
    }
  }

  /** The current method. */
  private current(binding: string, method: Method): Method | null {
    const [path = ''] = binding.split('#');
    for (const found of this.registry.founds()) {
      if (this.registry.nameOf(found) !== path || !found.methods) continue;
      for (const candidate of attempt(() => [...(found.methods?.() ?? [])], 'Actions.find') ?? [])
        if (candidate.name === method.name) return candidate;
    }
    for (const node of this.tree.holders) {
      if (node.dead || pathOf(this.tree.segmentsOf(node)) !== path) continue;
      const fn = findMethod(node.target, method.name);
      return isFunction(fn) ? { name: method.name, holder: node.target, fn } : null;
    }
    return null;
  }

  private *collectFromState(
    labels: ReadonlyMap<string, string | null>,
    add: (path: string, shown: string, method: Method) => void,
  ): Generator<void, void, void> {
    let holders = 0;
    for (const node of this.tree.holders) {
      if (++holders > MAX_HOLDERS) return;
      if (holders % AT_ONCE === 0) yield;
      if (node.dead || !node.parent) continue;
      const segments = this.tree.segmentsOf(node);
      // Elements of lists are data; actions on one take its id, in a method further up.
      if (segments.some((segment) => typeof segment === 'number') || segments.length > MAX_SEGMENTS) continue;
      const label = labels.get(String(segments[0]));
      if (label === null || label === undefined) continue;
      const shown = segments.slice(1).reduce<string>((path, segment) => joinPath(path, segment), label);
      for (const [name, fn] of methodsOf(node)) add(pathOf(segments), shown, { name, holder: node.target, fn });
    }
  }
}

function describe(binding: string, shown: string, method: Method): PageAction {
  const source = sourceOf(method);
  return {
    binding,
    name: shown === '' ? method.name : `${shown}.${method.name}`,
    description: shown === '' ? `Function ${method.name} of the app.` : `Method ${method.name} of ${shown}.`,
    source,
    accessors: source === null ? [] : accessorsOf(method, source),
    parameters: (method.parameters ?? []).map(({ name, required }) => ({ name, type: null, required })),
    effect: 'unknown',
  };
}

/** Null if the agent itself knows the parameters. */
function sourceOf(method: Method): string | null {
  return method.parameters ? null : (method.text ?? sourceText(method.original ?? method.fn)).slice(0, SOURCE_LIMIT);
}

function accessorsOf({ holder }: Method, source: string): Accessor[] {
  return attempt(() => accessorsUsed(holder, source), 'Actions.accessors') ?? [];
}

function targetOf({ target, fn }: Method): object {
  return target ?? fn;
}

function* methodsOf({ target, kind }: TreeNode): Generator<[string, Method['fn']]> {
  if (kind !== 'fields') return;
  // Its own and those of its class. Methods that the class itself inherits mostly belong to a library.
  for (const at of [target, getPrototypeOf(target)]) {
    if (at === null || at === Object.prototype) continue;
    for (const name of getOwnPropertyNames(at)) {
      // `new` creates objects, it does nothing with existing ones.
      if (name === 'constructor' || /^[_A-Z]/.test(name)) continue;
      const fn = own(at, name);
      if (isFunction(fn) && !isNative(fn) && !isSignal(fn) && !sourceText(fn).startsWith('class')) yield [name, fn];
    }
  }
}

function findMethod(holder: object, name: string): unknown {
  for (let at: object | null = holder; at !== null; at = getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor) return descriptor.value;
  }
  return undefined;
}

function pathOf(segments: readonly Segment[]): string {
  return segments.reduce<string>((path, segment) => joinPath(path, segment), '');
}

function describeError(error: unknown): string {
  return (
    attempt(() =>
      (error instanceof Error ? `${error.name}: ${error.message}` : shortText(error)).slice(0, MAX_RESULT_TEXT),
    ) ?? 'an error that cannot be described'
  );
}

function shortText(value: unknown): string {
  if (value === undefined) return '';
  const text =
    attempt(() => (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))) ?? typeof value;
  return text.length > MAX_RESULT_TEXT ? `${text.slice(0, MAX_RESULT_TEXT)}…` : text;
}
