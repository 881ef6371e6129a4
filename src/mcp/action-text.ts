/** An action as a call: what it takes, what may be chosen, what a field holds now. */
import type { ActionSchema } from '../client/index.ts';
import type { KeyFilter } from '../model/key-filter.ts';
import type { StateLook } from '../model/state-look.ts';
import { briefText } from './app-data.ts';

type Parameter = ActionSchema['parameters'][number];

const LONGEST_CHOICES = 200;
const LONGEST_VALUE = 40;
const CHOICES = /one of: (.*)$/s;
/** What a field of the screen holds stands below this. */
const FIELDS = 'fields.';
const SETS = /^set_/;
/** Names that a minifier gives, and people do not. */
const SHORT_NAME = /^(?!(?:id|ip|db|to|by|at|on|of|in|up|no|ok|[xyz]|d[xyz]|x[12]|y[12])$)[a-zA-Z_$]{1,2}\d?$/;

/** `set_size(value: "small" | "large" = "small")` */
export function actionText(name: string, action: ActionSchema, look: StateLook): string {
  const now = heldBy(name, look);
  const parameters = action.parameters.map((parameter) => `${nameOf(parameter)}: ${typeOf(parameter)}`);
  return `${name}(${parameters.join(', ')}${now})`;
}

/** `set_size(value = "small")`, `save` */
export function shortText(name: string, action: ActionSchema, look: StateLook): string {
  const now = heldBy(name, look);
  return action.parameters.length === 0 ? name : `${name}(${action.parameters.map(nameOf).join(', ')}${now})`;
}

const nameOf = ({ name, required }: Parameter) => `${name}${required ? '' : '?'}`;

function typeOf(parameter: Parameter): string {
  const choices = choicesOf(parameter);
  const text = choices.map((choice) => (/^…/.test(choice) ? choice : JSON.stringify(choice))).join(' | ');
  return text !== '' && text.length <= LONGEST_CHOICES ? text : parameter.type_name;
}

function choicesOf({ description }: Parameter): string[] {
  return CHOICES.exec(description ?? '')?.[1]?.split(' | ') ?? [];
}

function heldBy(name: string, look: StateLook): string {
  const value = SETS.test(name) ? look.get(`${FIELDS}${name.replace(SETS, '')}`) : undefined;
  return value === undefined || value === null || value === '' ? '' : ` = ${briefText(value, LONGEST_VALUE)}`;
}

/** Actions between two steps. */
const STEP = 16;

export function* meantActions(
  actions: Readonly<Record<string, ActionSchema>>,
  look: StateLook,
  filter: KeyFilter,
): Generator<void, Record<string, ActionSchema>, void> {
  const meant: [string, ActionSchema][] = [];
  for (const [at, [name, action]] of Object.entries(actions).entries()) {
    if (at % STEP === 0) yield;
    if (isMeant(name, action, look, filter)) meant.push([name, action]);
  }
  return Object.fromEntries(meant);
}

/** By its name or words, by what it takes, by what may be chosen, or by what the field holds. */
function isMeant(name: string, action: ActionSchema, look: StateLook, filter: KeyFilter): boolean {
  if (filter.matches(name) || isUnnamed(action)) return filter.matches(name);
  const held = SETS.test(name) ? look.get(`${FIELDS}${name.replace(SETS, '')}`) : undefined;
  if (action.parameters.some((parameter) => filter.matches(parameter.name))) return true;
  // What the control shows, and its title.
  const quoted = [...action.description.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  const texts = [...action.parameters.flatMap(choicesOf), ...quoted, ...(typeof held === 'string' ? [held] : [])];
  const asKeys = texts.map((text) => text.replaceAll('.', '_'));
  return asKeys.some((text) => filter.matches(text) || filter.matches(text.toLowerCase()));
}

/** What is said of it is not what it shows. */
export const isUnnamed = ({ description }: ActionSchema) => /"number \d+, which has no name"/.test(description);

/** Functions that a framework calls at its own times: nobody else should. */
const HOOK =
  /(?:^|\.)(?:render|before(?:Create|Mount|Update|Unmount|Destroy)|created|mounted|updated|unmounted|destroyed|activated|deactivated|errorCaptured|component(?:Did|Will)\w+|UNSAFE_\w+|shouldComponentUpdate|get(?:DerivedState|SnapshotBefore)\w+|ng(?:On|Do|After)\w+)$/;

/** What no reader would call: what it takes cannot be told from its names, or a framework calls it. */
export function isInternal(name: string, action: ActionSchema | undefined): boolean {
  return isMinified(action) || HOOK.test(name);
}

function isMinified(action: ActionSchema | undefined): boolean {
  const parameters = action?.parameters ?? [];
  return parameters.length > 0 && parameters.every(({ name }) => SHORT_NAME.test(name));
}
