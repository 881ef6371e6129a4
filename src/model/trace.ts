/**
 * The steps of what is done to one app, for people who ask why or how long. It is handed to whoever does something. No
 * step carries a key, a value or an address of a page: facts are numbers, and words of the daemon itself.
 */
import { codeOf, messageOf } from './failure.ts';

export interface StepFacts {
  /** Of a message. */
  readonly id?: number;
  readonly pid?: number;
  readonly port?: number;
  /** Bytes. */
  readonly sent?: number;
  readonly received?: number;
  /** Keys, processes, parts: the step says of what. */
  readonly count?: number;
  /** How it ended, or what was found, in the daemon's own words. */
  readonly result?: string;
}

export interface OpenStep {
  end(facts?: StepFacts): void;
  fail(error: unknown): void;
}

export interface Trace {
  /** What begins before it ends is part of it. */
  begin(step: string, facts?: StepFacts): OpenStep;
  /** One message and its answer. Several may be under way; none has parts. */
  call(step: string, facts?: StepFacts): OpenStep;
  /** Something that takes no time. */
  note(step: string, facts?: StepFacts): void;
  /** Something failed, and the work goes on without it. */
  ignored(step: string, error: unknown): void;
}

const nothing = () => undefined;
const NO_STEP: OpenStep = { end: nothing, fail: nothing };
/** For work that nobody asks about. */
export const NO_TRACE: Trace = { begin: () => NO_STEP, call: () => NO_STEP, note: nothing, ignored: nothing };

/** `factsOf`: what is to be said of the result. */
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

/** Parsers quote what they read, and addresses carry data: both are left out. */
export function quotesLeftOut(text: string): string {
  return text
    .replace(/"[^"\n]*"|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)/g, '"…"')
    .replace(/\b((?:https?|wss?|file):\/\/[^\s?#]*)[?#]\S*/g, '$1?…');
}

/** What failed, without what it was about. */
export function problemOf(error: unknown): string {
  const name = error instanceof Error && error.name !== 'Error' ? error.name : null;
  const code = codeOf(error);
  const words = quotesLeftOut(messageOf(error).slice(0, 4 * MAX_PROBLEM));
  const text = code !== null && !words.includes(code) ? `${code}: ${words}` : words;
  return (name === null || name === 'AttachError' ? text : `${name}: ${text}`).slice(0, MAX_PROBLEM);
}
