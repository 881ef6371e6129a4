/** The text that a person typed into the form of an action, and the values to send. */
import type { ActionParameter } from '../../client/index.ts';

/** The meaning of a field's text: by the type of the parameter, as JSON, as the empty text, or as null. */
export type DraftKind = 'value' | 'json' | 'empty' | 'null';

export interface Draft {
  readonly kind: DraftKind;
  readonly text: string;
}
export type Drafts = Readonly<Record<string, Draft>>;

export const EMPTY_DRAFT: Draft = { kind: 'value', text: '' };

type Reading = { readonly value: unknown } | { readonly problem: string } | 'left out';

/** Its type is unknown: the daemon says so in the description. */
const UNTYPED = /any JSON value is passed on/;
export function kindsOf(parameter: ActionParameter): DraftKind[] {
  const isUntyped = UNTYPED.test(parameter.description ?? '');
  const kinds: DraftKind[] = ['value'];
  if (isUntyped) kinds.push('json');
  // An empty optional text is left out, so the empty text has to be chosen explicitly.
  if (parameter.type_name === 'string' && !parameter.required) kinds.push('empty');
  // The daemon decides whether the parameter accepts null.
  return [...kinds, 'null'];
}

export interface Arguments {
  readonly values: Readonly<Record<string, unknown>>;
  /** Problems by parameter name. */
  readonly problems: Readonly<Record<string, string>>;
}

export function readDrafts(parameters: readonly ActionParameter[], drafts: Drafts): Arguments {
  const values = new Map<string, unknown>();
  const problems = new Map<string, string>();
  for (const parameter of parameters) {
    const draft = Object.hasOwn(drafts, parameter.name) ? drafts[parameter.name] : undefined;
    const reading = readDraft(parameter, draft ?? EMPTY_DRAFT);
    if (reading === 'left out') continue;
    if ('problem' in reading) problems.set(parameter.name, reading.problem);
    else values.set(parameter.name, reading.value);
  }
  return { values: Object.fromEntries(values), problems: Object.fromEntries(problems) };
}

function readDraft(parameter: ActionParameter, { kind, text }: Draft): Reading {
  if (kind === 'null') return { value: null };
  if (kind === 'empty') return { value: '' };
  const { type_name: type, required } = parameter;
  if (kind === 'value' && type === 'string') return text === '' && !required ? 'left out' : { value: text };
  if (text.trim() === '')
    return required ? { problem: `Needed: ${WANTED[kind === 'json' ? 'any' : type]}.` } : 'left out';
  if (kind === 'json') return readJson(text, 'any');
  // A reference to an object of the state, for programs that have objects.
  if (type !== 'boolean' && text.startsWith('[ref] ')) return { value: text };
  return type === 'number' ? readNumber(text.trim()) : readJson(text, type);
}

const WANTED = {
  any: 'a JSON value, such as 3, true or ["a"]',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a JSON list, such as ["a", "b"]',
  object: 'a JSON object, such as {"a": 1}',
} as const;

function readNumber(text: string): Reading {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return { problem: `This is not ${WANTED.number}.` };
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: 'This number is too large.' };
  const isWhole = /^[+-]?\d+$/.test(text);
  if (!isWhole || Number.isSafeInteger(value)) return { value };
  // Whole numbers that JSON cannot represent are sent as text. Some programs accept that, others refuse it.
  return { value: text };
}

function readJson(text: string, type: keyof typeof WANTED): Reading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem: `This is not JSON: ${error instanceof Error ? error.message : error}. Expected ${WANTED[type]}.`,
    };
  }
  const isReference = type === 'array' && typeof value === 'object' && value !== null && '$ref' in value;
  if (type === 'any' || isReference || jsonType(value) === type) return { value };
  return { problem: `This is ${jsonType(value)}. Expected ${WANTED[type]}.` };
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
