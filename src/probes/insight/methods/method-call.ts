/** Decides which method is called on an object, and with which values. */
import type { ActionArguments } from '../../../model/raw-action.ts';
import { chooseOverload, isNarrower, type Overload } from '../arguments/choose-overload.ts';
import { type MadeValue, UnfitValueError } from '../arguments/made-value.ts';
import type { DescribedTypes, TypeDefinition } from '../arguments/type-definition.ts';
import { ValuePlanner } from '../arguments/value-planner.ts';
import type { ValueTable } from '../arguments/value-table.ts';
import type { Candidate, OfferedMethod } from './choose-actions.ts';

/** A method by its type and its key within the type. */
export type MethodKey = readonly [type: number, key: string];

/** All that an agent needs to call a method: the path of the object, and the method. */
export interface MethodCall {
  readonly path: string;
  /** The names of the gaps in the path without an argument: the agent uses the only element that fits. */
  readonly open: readonly string[];
  readonly method: string;
  /** For each type that the object may have: the call, or the reason why there is none. */
  readonly choices: readonly (
    | {
        readonly type: number;
        readonly key: string;
        readonly signature: string;
        readonly values: readonly MadeValue[];
      }
    | { readonly type: number; readonly refusal: string }
  )[];
}

/** The facts that are needed to decide what is called. */
export interface CallQuestion {
  /** Methods with parameters of unknown types. */
  readonly methods: readonly MethodKey[];
  /** Parameter types of this management bean, in its own notation. */
  readonly bean?: { readonly id: number; readonly types: readonly string[] };
  /** Paths whose objects and types are needed. */
  readonly paths: readonly string[];
}

/** The call, the facts that are missing for it, or the reason why there is none. */
export type CallPlan =
  | { readonly call: MethodCall }
  | { readonly question: CallQuestion }
  | { readonly refusal: string };

/** The objects that arguments refer to, as the agent last saw them. */
export type NamedObjects = ReadonlyMap<string, DescribedTypes['named'][number]>;

type MethodOverload = Overload & { readonly key: string };

/** One choice for each type that the object may have. */
export function chooseMethods(
  { path, name, methods }: Candidate,
  args: ActionArguments,
  table: ValueTable,
  definitions: ReadonlyMap<string, TypeDefinition>,
  named: NamedObjects | null,
): MethodCall['choices'] | CallQuestion {
  const known = {
    definition: (key: string) => definitions.get(key),
    named: (object: string) => named?.get(object),
  };
  const planner = new ValuePlanner(table, known);
  const narrower = (one: Overload, other: Overload) => isNarrower(one, other, table, known);
  const types = new Set(methods.map(({ type }) => type.id));
  const choices = [...types].map((type) => {
    const ofType = methods.filter((method) => method.type.id === type);
    const overloads = ofType.map((method) => overloadOf(method, name, (own) => path.nameFor(own)));
    try {
      const { overload, values } = chooseOverload(overloads, args, planner, narrower);
      return { type, key: overload.key, signature: overload.signature, values };
    } catch (error) {
      if (!(error instanceof UnfitValueError)) throw error;
      return { type, refusal: error.message };
    }
  });
  const { unknown } = planner;
  if (named !== null || unknown.types.size + unknown.paths.size === 0) return choices;
  return {
    methods: unknown.types.size === 0 ? [] : methods.map(({ type, facts }) => [type.id, facts.key] as const),
    paths: [...unknown.paths],
  };
}

/** `name`: of the action; `nameFor`: gives the parameter name that callers use. */
function overloadOf(
  { facts, parameters }: OfferedMethod,
  name: string,
  nameFor: (own: string) => string,
): MethodOverload {
  const own = parameters.map((parameter, at) => ({ name: nameFor(parameter.name), facts: facts.parameters[at] }));
  const spoken = own.map((each) => `${each.facts?.text ?? ''} ${each.name}`);
  return {
    key: facts.key,
    signature: `${name}(${spoken.join(', ')}) -> ${facts.returns.text}`,
    parameters: own.flatMap(({ name: called, facts: parameter }) =>
      parameter === undefined ? [] : [{ name: called, use: parameter.use, leftOut: parameter.leftOut }],
    ),
  };
}
