/**
 * The steps of the work on one app, for people who ask why or how long. It is passed to the code that does the work. No
 * step contains a key, a value or an address of a page: facts are numbers and the daemon's own words.
 */
import { codeOf, messageOf } from './failure.ts';

export interface StepFacts {
  /** The id of a message. */
  readonly id?: number;
  readonly pid?: number;
  readonly port?: number;
  /** Bytes. */
  readonly sent?: number;
  readonly received?: number;
  /** The number of keys, processes or parts; the step says which. */
  readonly count?: number;
  /** The outcome in the daemon's own words. */
  readonly result?: string;
}

export interface OpenStep {
  end(facts?: StepFacts): void;
  fail(error: unknown): void;
}

export interface Trace {
  /** Steps that begin before it ends become its parts. */
  begin(step: string, facts?: StepFacts): OpenStep;
  /** One message and its answer. Several may run at once; none has parts. */
  call(step: string, facts?: StepFacts): OpenStep;
  /** A step without duration. */
  note(step: string, facts?: StepFacts): void;
  /** A failure that does not stop the work. */
  ignored(step: string, error: unknown): void;
}

const nothing = () => undefined;
const NO_STEP: OpenStep = { end: nothing, fail: nothing };
/** For work that nobody traces. */
export const NO_TRACE: Trace = { begin: () => NO_STEP, call: () => NO_STEP, note: nothing, ignored: nothing };

/** `factsOf` selects the facts of the result. */
export async function traced<Result>(
  trace: Trace,
  step: string,
  work: () => Result | Promise<Result>,
  factsOf: (result: Result) => StepFacts = () => ({}),
): Promise<Result> {
  const open = trace.begin(step);
  try {
    const result = await work();
    open.end(factsOf(result));
    return result;
  } catch (error) {
    open.fail(error);
    throw error;
  }
}

const MAX_PROBLEM = 400;

/** Removes quoted text and addresses: parsers quote their input, and addresses carry data. */
export function quotesLeftOut(text: string): string {
  return text
    .replace(/"[^"\n]*"|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)/g, '"…"')
    .replace(/\b((?:https?|wss?|file):\/\/[^\s?#]*)[?#]\S*/g, '$1?…');
}

/** The kind of an error, without its data. */
export function problemOf(error: unknown): string {
  const name = error instanceof Error && error.name !== 'Error' ? error.name : null;
  const code = codeOf(error);
  const words = quotesLeftOut(messageOf(error).slice(0, 4 * MAX_PROBLEM));
  const text = code !== null && !words.includes(code) ? `${code}: ${words}` : words;
  return (name === null || name === 'AttachError' ? text : `${name}: ${text}`).slice(0, MAX_PROBLEM);
}
