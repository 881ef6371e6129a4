/** What the names of .NET types tell. */
import type { RootTraits } from '../../insight/roots/root-catalog.ts';
import type { TypeNames } from '../../insight/roots/root-names.ts';

const TYPE_NAMES: TypeNames = {
  /** `Store` for `Shop.Outer+Store`; without the number of type parameters. */
  simple: (type) => partsOf(type).at(-1) ?? type,
  /** `Outer_Store` for a nested type, else `Sales_Store` by the last part of the namespace. */
  withOuter(type) {
    const [outer, own] = partsOf(type).slice(-2);
    return own === undefined ? null : `${outer}_${own}`;
  },
};

/** Of `Shop.Sales.Outer+Store`2[[…]]` all four. */
function partsOf(type: string): string[] {
  return type
    .replace(/\[.*$/, '')
    .split(/[.+]/)
    .map((part) => part.replace(/(?<=.)`.*$/, ''));
}

export const CLR_ROOTS: RootTraits = { types: TYPE_NAMES, reserved: [] };
