import { EvaluationError } from './evaluation-error.ts';
import type { Run } from './run.ts';
import { toNumber, toText, type Value } from './value.ts';

type StringMethod = (run: Run, text: string, args: readonly Value[]) => Value;

/** A search may compare the pattern at every position: this many comparisons count as one step. */
const COMPARISONS_PER_STEP = 64;
/** The limit of one search, which cannot pause: some milliseconds at worst. */
const MAX_COMPARISONS = 8_000_000;

function searched(run: Run, text: string, pattern: Value): string {
  const needle = toText(run, pattern);
  run.spendOnText(Math.max(text.length, needle.length));
  if (text.length * needle.length > MAX_COMPARISONS)
    throw new EvaluationError('it searches a long text for a long one, which takes too much time');
  run.spend(Math.floor((text.length * needle.length) / COMPARISONS_PER_STEP));
  return needle;
}

function optionalNumber(run: Run, value: Value): number | undefined {
  return value === undefined ? undefined : toNumber(run, value);
}

function produced(run: Run, text: string): string {
  run.produceText(text.length);
  return text;
}

function concat(run: Run, text: string, args: readonly Value[]): string {
  let result = text;
  for (const arg of args) result = produced(run, result + toText(run, arg));
  return result;
}

function split(run: Run, text: string, [separator, limit]: readonly Value[]): readonly string[] {
  // One more than allowed is enough to detect that it is too many.
  const most = run.elementsLeft + 1;
  const asked = limit === undefined ? most : Math.min(toNumber(run, limit) >>> 0, most);
  const parts = separator === undefined ? [text].slice(0, asked) : text.split(searched(run, text, separator), asked);
  run.produceAtOnce(parts.length);
  return parts;
}

/** Methods that may take more than reading a text once. */
export const longStringMethods: readonly string[] = ['includes', 'indexOf', 'lastIndexOf', 'split'];

/**
 * Omitted on purpose: regular expressions (`match`, `replace`, …) and methods that make much from little (`repeat`,
 * `pad*`).
 */
export const stringMethods: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['includes', (run, text, [part, from]) => text.includes(searched(run, text, part), optionalNumber(run, from))],
  ['startsWith', (run, text, [part, from]) => text.startsWith(searched(run, '', part), optionalNumber(run, from))],
  ['endsWith', (run, text, [part, end]) => text.endsWith(searched(run, '', part), optionalNumber(run, end))],
  ['indexOf', (run, text, [part, from]) => text.indexOf(searched(run, text, part), optionalNumber(run, from))],
  ['lastIndexOf', (run, text, [part, from]) => text.lastIndexOf(searched(run, text, part), optionalNumber(run, from))],
  ['slice', (run, text, [from, to]) => produced(run, text.slice(toNumber(run, from ?? 0), optionalNumber(run, to)))],
  [
    'substring',
    (run, text, [from, to]) => produced(run, text.substring(toNumber(run, from ?? 0), optionalNumber(run, to))),
  ],
  ['at', (run, text, [index]) => text.at(toNumber(run, index ?? 0))],
  ['charAt', (run, text, [index]) => text.charAt(toNumber(run, index ?? 0))],
  ['toLowerCase', (run, text) => produced(run, text).toLowerCase()],
  ['toUpperCase', (run, text) => produced(run, text).toUpperCase()],
  ['trim', (run, text) => produced(run, text.trim())],
  ['trimStart', (run, text) => produced(run, text.trimStart())],
  ['trimEnd', (run, text) => produced(run, text.trimEnd())],
  ['concat', concat],
  ['split', split],
  ['toString', (_run, text) => text],
]);
