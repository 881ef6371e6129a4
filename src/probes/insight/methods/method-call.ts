/** Which method is called on an object, and with which values. */
import type { ActionArguments } from '../../../model/raw-action.ts';
import { chooseOverload, isNarrower, type Overload } from '../arguments/choose-overload.ts';
import { type MadeValue, UnfitValueError } from '../arguments/made-value.ts';
import type { DescribedTypes, TypeDefinition } from '../arguments/type-definition.ts';
import { ValuePlanner } from '../arguments/value-planner.ts';
import type { ValueTable } from '../arguments/value-table.ts';
import type { Candidate, OfferedMethod } from './choose-actions.ts';

/** A method, by its type and what the agent knows it by there. */
export type MethodKey = readonly [type: number, key: string];

/** What an agent needs to call a method: where the object is, and what is called on it. */
export interface MethodCall {
  readonly path: string;
  /** What the gaps in the path are called for which nothing was given: the agent finds the only one that fits. */
  readonly open: readonly string[];
  readonly method: string;
  /** By the type that the object may have: what is called, or why nothing can be. */
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

/** What has to be known before it is decided what a call calls. */
export interface CallQuestion {
  /** Whose parameters are of types that were not told of. */
  readonly methods: readonly MethodKey[];
  /** Types of parameters of this management bean, as it writes them. */
  readonly bean?: { readonly id: number; readonly types: readonly string[] };
  /** Whether there are objects, and of which types. */
  readonly paths: readonly string[];
}

/** The objects that arguments name, as the agent last saw them. */
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

/** `name`: of the action; `nameFor`: what callers call its parameters. */
function overloadOf(
  { facts, parameters }: OfferedMethod,
  name: string,
  nameFor: (own: string) => string,
): MethodOverload {
  const own = parameters.map((parameter, at) => ({ name: nameFor(parameter.name), told: facts.parameters[at] }));
  const spoken = own.map((each) => `${each.told?.text ?? ''} ${each.name}`);
  return {
    key: facts.key,
    signature: `${name}(${spoken.join(', ')}) -> ${facts.returns.text}`,
    parameters: own.flatMap(({ name: called, told }) =>
      told === undefined ? [] : [{ name: called, use: told.use, leftOut: told.leftOut }],
    ),
  };
}
