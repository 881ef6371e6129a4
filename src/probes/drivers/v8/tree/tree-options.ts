import type { Classification } from './classification.ts';
import type { TreeNode } from './tree-node.ts';

export interface TreeOptions {
  classify(value: object): Classification;
  maxLeaves: number;
  now(): number;
  /** True for objects that stand for a scope: what they hold is a variable, not a field. */
  isScope(value: object): boolean;
  /** What to read in the place of a value; without it the value itself. Called for objects and functions alone. */
  resolve?(value: object): unknown;
  /** True when the root of this name is a store whose objects are never changed, only replaced. */
  isStable?(rootName: string): boolean;
  /** True when objects below the root of this name may be Proxies of the app: each is read after `mayRead` said so. */
  isGuarded?(rootName: string): boolean;
  mayRead?(value: object, parent: TreeNode, index: number): boolean;
  /** What people see in the place of a root's name; without it the name itself. */
  labelOf?(rootName: string): string;
  /** Objects that take longer than this to compare rest for some passes, in ms; without it none does. */
  restMs?: number;
  /** A variable that holds an object which is shown elsewhere is not shown at all, however small the object is. */
  variablesHideKnown?: boolean;
}
