import type { Classification } from './classification.ts';
import type { TreeNode } from './tree-node.ts';

export interface TreeOptions {
  classify(value: object): Classification;
  maxLeaves: number;
  now(): number;
  /** True for objects that represent a scope: they hold variables, not fields. */
  isScope(value: object): boolean;
  /** The value to read in place of a value; absent if it is the value itself. Called for objects and functions only. */
  resolve?(value: object): unknown;
  /** True if the root of this name is a store whose objects are never changed, only replaced. */
  isStable?(rootName: string): boolean;
  /**
   * True if objects below the root of this name may be Proxies of the app: each is read only if `mayRead` allows it.
   */
  isGuarded?(rootName: string): boolean;
  mayRead?(value: object, parent: TreeNode, index: number): boolean;
  /** The label that people see in place of a root's name; absent if it is the name itself. */
  labelOf?(rootName: string): string;
  /** Objects that take longer than this to compare rest for some passes, in ms; absent if none does. */
  restMs?: number;
  /** A variable with an object that is shown elsewhere is not shown at all, however small the object is. */
  variablesHideKnown?: boolean;
}
