import { shown } from './json-value.ts';
import type { Finding, OperandFinding } from './outline.ts';
import type { KeyRead, MissingKey, Run } from './run.ts';
import { shortened } from './shortened.ts';
import { contextPaths } from './state-objects.ts';
import type { Steps } from './steps.ts';
import { isObject, type Value } from './value.ts';

const MAX_LENGTH = 1500;
const MAX_PARTS_SHOWN = 4;
const MAX_READS_SHOWN = 3;

/** Explains the result of the predicate in a few sentences. */
export function* explainFinding(run: Run, finding: Finding): Steps<string> {
  return assembled(run, yield* missingSentences(run), sentence(run, finding));
}

export function* explainFailure(run: Run, reason: string): Steps<string> {
  return assembled(run, yield* missingSentences(run), `The predicate could not be evaluated: ${reason}.`);
}

/** Missing keys come first: they are the likeliest cause of a surprise. */
function assembled(run: Run, missing: readonly string[], main: string): string {
  const sentences = [...missing, main];
  const partial = run.partialArray;
  if (partial !== null) {
    sentences.push(`Only the first ${partial.known} of ${partial.length} elements of ${partial.path} are known.`);
  }
  if (run.notWhole !== null) sentences.push(`${shortened(run.notWhole.key)} ${run.notWhole.why}.`);
  const text = sentences.join(' ');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`;
}

function* missingSentences(run: Run): Steps<readonly string[]> {
  const sentences: string[] = [];
  for (const missing of run.missing) sentences.push(yield* missingSentence(run, missing));
  return sentences;
}

function* missingSentence(run: Run, { path, wanted }: MissingKey): Steps<string> {
  const nearest = yield* run.index.seekNearest(wanted, wanted.startsWith('context.') ? contextPaths : []);
  const advice = nearest.length === 0 ? '' : ` Nearest keys: ${nearest.map(shortened).join(', ')}.`;
  return `${shortened(path)} is undefined: there is no such key.${advice}`;
}

/** True if a sentence about the missing key already covers the operand. */
function isExplainedMissing(run: Run, { operand, value }: OperandFinding): boolean {
  return value === undefined && run.missing.some(({ path }) => path === operand.path);
}

function sentence(run: Run, finding: Finding): string {
  switch (finding.kind) {
    case 'logical':
      return logicalSentence(run, finding);
    case 'not':
      return notSentence(run, finding);
    case 'comparison':
      return comparisonSentence(run, finding);
    case 'value':
      return valueSentence(run, finding.operand);
  }
}

function comparisonSentence(run: Run, { outline, left, right, value }: Finding & { kind: 'comparison' }): string {
  const subjects = [left, right].filter((part) => !part.operand.constant && !isExplainedMissing(run, part));
  const subject = subjects.map((part) => description(run, part)).join(' and ');
  const { operator, text } = outline;
  if (value === true) {
    const fact = `${shown(run, left.value)} ${operator} ${shown(run, right.value)} is true`;
    return subject === '' ? `${fact}.` : `${subject}, and ${fact}.`;
  }
  const expected = right.operand.constant ? `${operator} ${shown(run, right.value)}` : text;
  if (subject === '') return left.operand.constant ? `${text} is false.` : `Expected ${expected}.`;
  return `${subject}; expected ${expected}${typeHint(operator, left.value, right.value)}.`;
}

/** `3 === "3"` is the hardest failure to see. */
function typeHint(operator: string, left: Value, right: Value): string {
  if (operator !== '===' || typeof left === typeof right || isObject(left) || isObject(right)) return '';
  if (String(left) !== String(right)) return '';
  return `, but one is a ${typeof left} and the other a ${typeof right}`;
}

function logicalSentence(run: Run, { outline, parts, value }: Finding & { kind: 'logical' }): string {
  const { operator } = outline;
  const total = outline.parts.length;
  const last = parts.at(-1);
  const stopped = Boolean(value) === (operator === '||');
  // `&&` stops at a false part and `||` at a true one; that part is then the whole reason.
  if (stopped && last !== undefined) {
    const side = parts.length === 1 ? 'left' : 'right';
    const which = total === 2 ? `The ${side} side of ${operator}` : `Part ${parts.length} of ${total}`;
    return `${which} is ${Boolean(value)}: ${sentence(run, last)}`;
  }
  const sentences = parts.slice(0, MAX_PARTS_SHOWN).map((part) => sentence(run, part));
  if (parts.length > MAX_PARTS_SHOWN) sentences.push('…');
  return `${allParts(operator, total)}: ${sentences.join(' ')}`;
}

function allParts(operator: '&&' | '||', total: number): string {
  if (operator === '&&') return total === 2 ? 'Both sides of && are true' : `All ${total} parts are true`;
  return total === 2 ? 'Neither side of || is true' : `None of the ${total} parts is true`;
}

function notSentence(run: Run, { outline, operand, value }: Finding & { kind: 'not' }): string {
  if (operand.kind !== 'value') return `${sentence(run, operand)} So ${outline.text} is ${value}.`;
  if (isExplainedMissing(run, operand.operand)) return `So ${outline.text} is ${value}.`;
  return `${description(run, operand.operand)}, so ${outline.text} is ${value}.`;
}

function valueSentence(run: Run, finding: OperandFinding): string {
  const { value } = finding;
  if (isExplainedMissing(run, finding)) return 'That counts as false.';
  const note = typeof value === 'boolean' ? '' : `, which counts as ${Boolean(value)}`;
  return `${description(run, finding)}${note}.`;
}

/** `cart.items.length + 1 is 3 (cart.items.length is 2)`. */
function description(run: Run, { operand, value, reads }: OperandFinding): string {
  return `${operand.text} is ${shown(run, value)}${readsNote(run, reads)}`;
}

function readsNote(run: Run, reads: readonly KeyRead[]): string {
  if (reads.length === 0) return '';
  const distinct = new Map(reads.map(({ key, value }) => [key, `${key} is ${shown(run, value)}`]));
  const notes = [...distinct.values()];
  const more = notes.length > MAX_READS_SHOWN ? ', …' : '';
  return ` (${notes.slice(0, MAX_READS_SHOWN).join(', ')}${more})`;
}
