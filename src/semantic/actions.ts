/** Turns callable functions into the typed actions that clients see. */
import type { ActionEntry, AppSchema } from '../model/app-schema.ts';
import type { RawAction, RawParameter } from '../model/raw-action.ts';
import type { TypeName } from '../model/scalar.ts';
import type { ActionMap, ActionSchema } from '../model/wire.ts';
import { hasSecretName, NAMED } from './labels.ts';
import { holdsSecret, redactText } from './redact.ts';
import { hasDangerousName, judgeReversibility } from './reversibility.ts';

/** An action under the name that clients use. */
export interface Action {
  readonly schema: ActionSchema;
  /** Its name before any correction, under which corrections are kept. */
  readonly rawName: string;
  /** The target for the probe. */
  readonly binding: string;
  /** Without any correction. */
  readonly inferredConfidence: number;
  /** The id of the key that corrected it. */
  readonly by: string | undefined;
  /** Parameters of unknown type, which accept any JSON value. */
  readonly untyped: ReadonlySet<string>;
  /** Parameters whose values the runtime checks itself. */
  readonly checked: ReadonlySet<string>;
}

/** `confidenceOfName`: the confidence in the app's own name for an action. */
export function buildActions(
  found: readonly RawAction[],
  schema: AppSchema,
  confidenceOfName: (name: string) => number = () => NAMED,
): Map<string, Action> {
  // Dropped, not renamed: the binding, which clients name in corrections, would still be the secret.
  const raw = found.filter((action) => !isNamedBySecret(action));
  const names = new Set(raw.map(({ name }) => name));
  const byName = new Map(raw.flatMap((action) => [[action.name, action] as const, [action.binding, action] as const]));
  const types = typesByName(schema);
  const rawNames = uniqueNames(raw);
  const corrections = rawNames.map((name) => correctionOf(name, schema, byName));
  const actionNames = chooseNames(rawNames, corrections);
  const actions = new Map<string, Action>();
  for (const [at, own] of raw.entries()) {
    const corrected = corrections[at];
    const name = actionNames[at] ?? own.name;
    // A correction may name another method: then everything about the action is about that one.
    const action = (corrected?.binding !== undefined && byName.get(corrected.binding)) || own;
    const untyped = new Set<string>();
    const parameters = action.parameters.map((parameter) => describe(parameter, types, untyped));
    const returns = corrected?.returns ?? action.returns;
    const inferredConfidence = confidenceOfName(own.name);
    const isDangerous = hasDangerousName(name) || hasDangerousName(action.name);
    actions.set(name, {
      rawName: rawNames[at] ?? own.name,
      binding: action.binding,
      inferredConfidence,
      by: corrected?.by,
      untyped,
      checked: new Set(action.parameters.flatMap(({ name, isChecked }) => (isChecked ? [name] : []))),
      schema: {
        signature: `fn(${parameters.map((p) => `${p.name}${p.required ? '' : '?'}: ${p.type_name}`).join(', ')}) -> ${returns}`,
        // A harmless new name does not make the method harmless.
        reversibility: isDangerous ? 'irreversible_write' : judgeReversibility(action, names),
        // Its name decides, whatever its code does.
        ...(action.effect === 'unjudged' && !isDangerous ? { judged: false } : {}),
        description: action.description,
        confidence: corrected === undefined ? inferredConfidence : confidenceOf(corrected, inferredConfidence),
        parameters,
      },
    });
  }
  return actions;
}

function confidenceOf({ confidence, imported }: ActionEntry, inferred: number): number {
  return imported ? Math.min(confidence, inferred) : confidence;
}

/**
 * True if the path to its holder contains a secret: `sessions["eyJ…"].close`, or if one of its parameters is named by
 * one.
 */
export function isNamedBySecret({ name, binding, description, parameters }: RawAction): boolean {
  // A binding is `holder#method` where the probe has such; the name of a method need not be part of a path.
  const holder = binding.slice(0, Math.max(0, binding.lastIndexOf('#')));
  if (hasSecretName(name) || hasSecretName(holder) || holdsSecret(binding) || isSecretValue(name)) return true;
  // The description quotes the source of the name, in which the shape of a secret may be lost.
  if (holdsSecret(description)) return true;
  // A parameter `password` asks for a secret, but is none.
  return parameters.some((parameter) => isSecretValue(parameter.name));
}

/** `4111_1111_1111_1111` was `4111 1111 1111 1111` before it became a name. */
function isSecretValue(name: string): boolean {
  return holdsSecret(name) || holdsSecret(name.replace(/_+/g, ' ').trim());
}

export function actionMap(actions: ReadonlyMap<string, Action>): ActionMap {
  return Object.fromEntries([...actions].map(([name, { schema }]) => [name, schema]));
}

/** A sentence for each problem of the arguments; empty if they are valid. */
export function checkArguments(
  { schema, untyped, checked }: Action,
  args: Readonly<Record<string, unknown>>,
): string[] {
  const problems: string[] = [];
  const known = new Map(schema.parameters.map((parameter) => [parameter.name, parameter]));
  for (const name of Object.keys(args)) {
    if (!known.has(name)) problems.push(`parameters.${name} is unknown; expected ${schema.signature}`);
  }
  for (const { name, type_name, required } of schema.parameters) {
    const given = Object.hasOwn(args, name) ? args[name] : undefined;
    if (given === undefined) {
      if (required) problems.push(`parameters.${name} is missing; expected ${type_name}`);
    } else if (checked.has(name) && isForRuntime(given, type_name)) {
      // Only the runtime knows whether this parameter accepts it.
    } else if (!untyped.has(name) && jsonType(given) !== type_name) {
      problems.push(`parameters.${name} is ${jsonType(given)}; expected ${type_name}`);
    }
  }
  return problems;
}

/** Null, a whole or decimal number that JSON cannot hold, and a reference to an object of the state. */
function isForRuntime(given: unknown, type: TypeName): boolean {
  if (given === null) return true;
  if (typeof given !== 'string') return type === 'array' && typeof given === 'object' && '$ref' in given;
  return type === 'number' ? /^[+-]?\d+(?:\.\d+)?$/.test(given) : type !== 'boolean' && given.startsWith('[ref] ');
}

function describe(
  parameter: RawParameter,
  types: ReadonlyMap<string, TypeName>,
  untyped: Set<string>,
): ActionSchema['parameters'][number] {
  const { name, required } = parameter;
  const known =
    parameter.type === 'any' ? null : (parameter.type ?? types.get(name.toLowerCase()) ?? typeFromName(name));
  if (known === null) untyped.add(name);
  const notes = [
    // It may quote the page: choices, the rows of a list.
    parameter.description === undefined ? undefined : redactText(parameter.description),
    known === null ? `${parameter.type === null ? 'type not known: any' : 'any'} JSON value is passed on` : undefined,
  ].filter((note) => note !== undefined);
  return {
    name,
    type_name: known ?? 'string',
    required,
    ...(notes.length > 0 ? { description: notes.join('; ') } : {}),
  };
}

/** A parameter with the name of a state key has its type, if all such keys agree. */
function typesByName(schema: AppSchema): Map<string, TypeName> {
  const types = new Map<string, TypeName>();
  const disputed = new Set<string>();
  for (const [shape, { type }] of Object.entries(schema.labels)) {
    const name = /([A-Za-z_$][\w$]*)$/.exec(shape)?.[1]?.toLowerCase();
    if (name === undefined || type === 'null') continue;
    if (types.has(name) && types.get(name) !== type) disputed.add(name);
    types.set(name, type);
  }
  for (const name of disputed) types.delete(name);
  return types;
}

const BOOLEAN_FIRST = new Set(['is', 'has', 'can', 'should']);
const BOOLEAN_LAST = new Set(['enabled', 'visible', 'checked', 'active']);
const NUMBER_LAST = new Set('index count quantity qty amount price size length offset limit percent ms'.split(' '));
const STRING_LAST = /(?:name|title|text|label|subject|description|email|url|path)$/i;
const OBJECT_NAMES = new Set(['options', 'opts', 'config', 'settings', 'params']);

function typeFromName(name: string): TypeName | null {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/_+/)
    .filter((word) => word !== '');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if ((words.length > 1 && BOOLEAN_FIRST.has(first)) || BOOLEAN_LAST.has(last)) return 'boolean';
  if (NUMBER_LAST.has(last)) return 'number';
  if (STRING_LAST.test(name)) return 'string';
  return OBJECT_NAMES.has(name.toLowerCase()) ? 'object' : null;
}

function jsonType(value: unknown): TypeName | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as TypeName;
}

/** Two methods can have one name (`orders.cancel` and `orders[*].cancel`). */
function uniqueNames(raw: readonly RawAction[]): string[] {
  const taken = new Set<string>();
  return raw.map(({ name }) => {
    const free = freeName(name, taken);
    taken.add(free);
    return free;
  });
}

/** A correction for a vanished method is void: the action must not call another one in its place. */
function correctionOf(
  rawName: string,
  schema: AppSchema,
  byName: ReadonlyMap<string, RawAction>,
): ActionEntry | undefined {
  const corrected = Object.hasOwn(schema.actions, rawName) ? schema.actions[rawName] : undefined;
  return corrected?.binding === undefined || byName.has(corrected.binding) ? corrected : undefined;
}

/** Names that a person chose come first; the others yield. */
function chooseNames(
  rawNames: readonly string[],
  corrections: readonly (ActionEntry | undefined)[],
): readonly (string | undefined)[] {
  const taken = new Set<string>();
  const names: string[] = [];
  const choose = (at: number, wanted: string) => {
    const name = freeName(wanted, taken);
    taken.add(name);
    names[at] = name;
  };
  for (const [at, corrected] of corrections.entries()) if (corrected) choose(at, corrected.name);
  for (const [at, name] of rawNames.entries()) if (!corrections[at]) choose(at, name);
  return names;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(`${wanted}_${number}`)) return `${wanted}_${number}`;
}
