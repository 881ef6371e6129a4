/** Decides which operation of a management bean is called, and with which values. */
import type { ActionArguments } from '../../../model/raw-action.ts';
import { chooseOverload, isNarrower, type Overload } from '../arguments/choose-overload.ts';
import { type MadeValue, UnfitValueError } from '../arguments/made-value.ts';
import type { TypeDefinition } from '../arguments/type-definition.ts';
import { parseType } from '../arguments/type-text.ts';
import { ValuePlanner } from '../arguments/value-planner.ts';
import type { ValueTable } from '../arguments/value-table.ts';

export interface BeanOperation {
  readonly names: readonly string[];
  readonly types: readonly string[];
  /** The types in the bean's own notation. */
  readonly ownTypes: readonly string[];
}

interface PlannedOperation {
  readonly operation: number;
  readonly values: readonly MadeValue[];
  /** True if asking for the types could still change the result. */
  readonly isUnsure: boolean;
}

/** Returns the reason as text if none can be called; with `isUnsure` that may still change. */
export function planOperation(
  name: string,
  operations: readonly BeanOperation[],
  args: ActionArguments,
  table: ValueTable,
  definitions: ReadonlyMap<string, TypeDefinition>,
): PlannedOperation | { readonly refusal: string; readonly isUnsure: boolean } {
  const known = { definition: (key: string) => definitions.get(key), named: () => null };
  const planner = new ValuePlanner(table, known);
  const overloads = operations.flatMap(({ names, types }, operation) => {
    const uses = types.map(parseType);
    const parameters = names.flatMap((each, at) => {
      const use = uses[at];
      return use ? [{ name: each, use, leftOut: null }] : [];
    });
    const spoken = parameters.map((each) => `${table.spoken(each.use)} ${each.name}`);
    if (parameters.length !== names.length) return [];
    return [{ operation, parameters, signature: `${name}(${spoken.join(', ')})` }];
  });
  try {
    const narrower = (one: Overload, other: Overload) => isNarrower(one, other, table, known);
    const { overload, values } = chooseOverload(overloads, args, planner, narrower);
    return { operation: overload.operation, values, isUnsure: planner.unknown.types.size > 0 };
  } catch (error) {
    if (!(error instanceof UnfitValueError)) throw error;
    return { refusal: error.message, isUnsure: planner.unknown.types.size > 0 };
  }
}
