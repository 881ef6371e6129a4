/** Distinguishes working objects from data: a component that holds a scroll manager shows only that it does. */
import type { TreeNode } from '../../tree/tree-node.ts';
import type { PageClassifier } from './classify.ts';
import { isMinified } from './naming.ts';
import { attempt, isFunction, makerOf, nameOf, own } from './safe.ts';
import type { Unwrapper } from './unwrap.ts';

const { getPrototypeOf, getOwnPropertyNames, prototype: OBJECT } = Object;
const MAX_CLASSES = 16;
/** Roots, the components below them, and their named values. */
const SLOT_DEPTH = 2;

export interface InstanceJudge {
  /** True for places below the state of components. */
  isComponent(node: TreeNode): boolean;
  /** Called for each new object of a guarded root before it is read. */
  judge(value: object, parent: TreeNode): void;
  /** The object to read in place of a wrapper of a library. */
  resolve(value: object): unknown;
}

export const NO_INSTANCES: InstanceJudge = {
  isComponent: () => false,
  judge: () => undefined,
  resolve: (value) => value,
};

export interface InstanceParts {
  readonly classifier: PageClassifier;
  readonly unwrapper: Unwrapper;
  kindOf(rootName: string): string;
  /** True for objects that represent a component, not its content. */
  isHolder(value: object): boolean;
}

export class Instances implements InstanceJudge {
  private readonly parts: InstanceParts;
  private readonly methodical = new WeakMap<object, boolean>();

  constructor(parts: InstanceParts) {
    this.parts = parts;
  }

  isComponent(node: TreeNode): boolean {
    return /^(components|unnamed|context|document)$/.test(this.kindOf(node));
  }

  judge(value: object, parent: TreeNode): void {
    const { classifier } = this.parts;
    const prototype: object | null = getPrototypeOf(value);
    if (prototype === OBJECT || prototype === null || prototype === Array.prototype) return;
    // A variable, a list or a dictionary of the app that holds it shows all of it, whoever else holds it.
    if (this.isComponent(parent) && this.isClosed(value, prototype, parent))
      classifier.closed.set(value, textOf(value));
    else classifier.closed.delete(value);
  }

  resolve(value: object): unknown {
    return this.parts.unwrapper.resolve(value);
  }

  /** Lists and dictionaries of objects are data, and the state of a component is its own. */
  private isClosed(value: object, prototype: object, parent: TreeNode): boolean {
    const { classifier, unwrapper, isHolder } = this.parts;
    const { angular, ember, vue, vue2 } = unwrapper.presence;
    if (angular || ember || vue || vue2) return false;
    if (parent.kind !== 'fields' || parent.depth < SLOT_DEPTH || isHolder(parent.target)) return false;
    if (getPrototypeOf(parent.target) === null) return false;
    const classified = classifier.classify(value);
    if (!classified || !('expand' in classified) || classified.expand !== 'fields') return false;
    return this.hasMethods(prototype) && unwrapper.resolve(value) === value;
  }

  private hasMethods(prototype: object): boolean {
    let known = this.methodical.get(prototype);
    if (known === undefined) {
      known = attempt(() => findsMethod(prototype)) ?? false;
      this.methodical.set(prototype, known);
    }
    return known;
  }

  private kindOf(node: TreeNode): string {
    let at = node;
    while (at.parent?.parent) at = at.parent;
    return this.parts.kindOf(String(at.key));
  }
}

function findsMethod(prototype: object): boolean {
  let at: object | null = prototype;
  for (let depth = 0; at !== null && at !== OBJECT && depth < MAX_CLASSES; depth++, at = getPrototypeOf(at)) {
    const holder = at;
    if (getOwnPropertyNames(holder).some((name) => name !== 'constructor' && isFunction(own(holder, name))))
      return true;
  }
  return false;
}

function textOf(value: object): string {
  const name = nameOf(makerOf(value));
  return isMinified(name) ? '[object]' : `[${name}]`;
}
