/** An action as a call: its parameters, their choices, and the current value of a field. */
import type { ActionSchema } from '../client/index.ts';
import type { KeyFilter } from '../model/key-filter.ts';
import type { StateLook } from '../model/state-look.ts';
import { briefText } from './app-data.ts';

type Parameter = ActionSchema['parameters'][number];

const LONGEST_CHOICES = 200;
const LONGEST_VALUE = 40;
const CHOICES = /one of: (.*)$/s;
/** The values of fields on the screen are below this key. */
const FIELDS = 'fields.';
const SETS = /^set_/;
/** Names typical of minifiers, not of people. */
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

/** Actions per step. */
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

/** Matches by name or words, parameters, choices, or the current value of the field. */
function isMeant(name: string, action: ActionSchema, look: StateLook, filter: KeyFilter): boolean {
  if (filter.matches(name) || isUnnamed(action)) return filter.matches(name);
  const held = SETS.test(name) ? look.get(`${FIELDS}${name.replace(SETS, '')}`) : undefined;
  if (action.parameters.some((parameter) => filter.matches(parameter.name))) return true;
  // The text of the control, and its title.
  const quoted = [...action.description.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  const texts = [...action.parameters.flatMap(choicesOf), ...quoted, ...(typeof held === 'string' ? [held] : [])];
  const asKeys = texts.map((text) => text.replaceAll('.', '_'));
  return asKeys.some((text) => filter.matches(text) || filter.matches(text.toLowerCase()));
}

/** Such a description is not the text of the control. */
export const isUnnamed = ({ description }: ActionSchema) => /"number \d+, which has no name"/.test(description);

/** Hooks that only a framework should call. */
const HOOK =
  /(?:^|\.)(?:render|before(?:Create|Mount|Update|Unmount|Destroy)|created|mounted|updated|unmounted|destroyed|activated|deactivated|errorCaptured|component(?:Did|Will)\w+|UNSAFE_\w+|shouldComponentUpdate|get(?:DerivedState|SnapshotBefore)\w+|ng(?:On|Do|After)\w+)$/;

/** Actions that no reader would call: their names explain nothing, or a framework calls them. */
export function isInternal(name: string, action: ActionSchema | undefined): boolean {
  return isMinified(action) || HOOK.test(name);
}

function isMinified(action: ActionSchema | undefined): boolean {
  const parameters = action?.parameters ?? [];
  return parameters.length > 0 && parameters.every(({ name }) => SHORT_NAME.test(name));
}
