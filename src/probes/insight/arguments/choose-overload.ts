/** Chooses among methods of one name by what was given: first by the names of the arguments, then by their values. */
import type { ActionArguments } from '../../../model/raw-action.ts';
import { type Fit, type MadeValue, UnfitValueError } from './made-value.ts';
import { ARRAY, NULLABLE, type TypeUse } from './type-text.ts';
import { joined, keyOf } from './type-words.ts';
import type { KnownTypes, ValuePlanner } from './value-planner.ts';
import type { ValueTable } from './value-table.ts';

const MAX_EXPECTED = 1500;
/** A parameter that was left out was probably not meant. */
const LEFT_OUT_COST = 2;

/** The value for a parameter that is left out: null, the default of the method, or an empty list. */
export type LeftOut = 'null' | 'default' | 'no-values';

export interface Overload {
  /** `addItem(String sku, int quantity) -> int`, with the parameter names that callers use. */
  readonly signature: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly use: TypeUse;
    /** Null if the parameter is required. */
    readonly leftOut: LeftOut | null;
  }[];
}

export interface ChosenOverload<Of extends Overload> {
  readonly overload: Of;
  readonly values: readonly MadeValue[];
}

/** Throws UnfitValueError if no overload, or more than one, takes the arguments. */
export function chooseOverload<Of extends Overload>(
  overloads: readonly Of[],
  args: ActionArguments,
  planner: ValuePlanner,
  isNarrower: (one: Of, other: Of) => boolean,
): ChosenOverload<Of> {
  const candidates = overloads.filter((overload) => takes(overload, args));
  let best: (ChosenOverload<Of> & { readonly cost: number }) | null = null;
  let isAmbiguous = false;
  let refusal: UnfitValueError | null = null;
  for (const overload of candidates) {
    try {
      const fits = fitsOf(overload, args, planner);
      const cost = fits.reduce((sum, fit) => sum + fit.cost, 0);
      if (best !== null && (cost > best.cost || (cost === best.cost && isNarrower(best.overload, overload)))) continue;
      isAmbiguous = cost === best?.cost && !isNarrower(overload, best.overload);
      best = { overload, values: fits.map(({ value }) => value), cost };
    } catch (error) {
      if (!(error instanceof UnfitValueError)) throw error;
      refusal = error;
    }
  }
  if (best !== null && !isAmbiguous) return best;
  if (candidates.length === 1 && refusal !== null) throw refusal;
  if (best !== null) throw new UnfitValueError(`these values fit several: ${expected(overloads)}`);
  if (candidates.length > 0) throw new UnfitValueError(`these values fit none of ${expected(overloads)}`);
  const names = Object.keys(args);
  const given = names.length === 0 ? 'nothing' : joined(names);
  throw new UnfitValueError(`given ${given}; expected ${expected(overloads)}`);
}

/** Whether exactly these names can be its arguments. */
function takes({ parameters }: Overload, args: ActionArguments): boolean {
  const names = new Set(parameters.map(({ name }) => name));
  return (
    Object.keys(args).every((name) => names.has(name)) &&
    parameters.every(({ name, leftOut }) => Object.hasOwn(args, name) || leftOut !== null)
  );
}

function fitsOf({ parameters }: Overload, args: ActionArguments, planner: ValuePlanner): Fit[] {
  return parameters.map(({ name, use, leftOut }) => {
    if (Object.hasOwn(args, name)) return planner.plan(args[name] ?? null, use, name);
    if (leftOut === 'default') return { value: { is: 'default' }, cost: LEFT_OUT_COST };
    return { value: planner.plan(leftOut === 'no-values' ? [] : null, use, name).value, cost: LEFT_OUT_COST };
  });
}

function expected(overloads: readonly Overload[]): string {
  let text = '';
  for (const { signature } of overloads) {
    if (text.length > MAX_EXPECTED) return `${text}, …`;
    text += `${text === '' ? '' : ', '}${signature}`;
  }
  return text;
}

/** The one that a compiler would choose: each of its parameters could be passed to the other. */
export function isNarrower(one: Overload, other: Overload, table: ValueTable, known: KnownTypes): boolean {
  if (one.parameters.length !== other.parameters.length) return one.parameters.length < other.parameters.length;
  return one.parameters.every(({ use }, at) => {
    const to = other.parameters[at]?.use;
    return to !== undefined && isAssignable(to, use, table, known);
  });
}

function isAssignable(to: TypeUse, from: TypeUse, table: ValueTable, known: KnownTypes): boolean {
  const key = keyOf(to, table);
  if (key === keyOf(from, table)) return true;
  if (table.primitives.has(from.name) || table.primitives.has(to.name)) return false;
  if (table.open.get(to.name) === 'all') return true;
  if (from.name === ARRAY || from.name === NULLABLE) return false;
  if (known.definition(keyOf(from, table))?.lineage.includes(key)) return true;
  if (!table.isErased && keyOf({ ...to, name: '' }, table) !== keyOf({ ...from, name: '' }, table)) return false;
  const ancestors = new Set([from.name]);
  // The loop also visits what it adds to the set.
  for (const each of ancestors) for (const parent of table.parents.get(each) ?? []) ancestors.add(parent);
  return ancestors.has(to.name);
}
