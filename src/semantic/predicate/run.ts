import { pathPattern } from '../../model/path.ts';
import { isCutText, type Scalar } from '../../model/scalar.ts';
import { REDACTED } from '../redact.ts';
import { EvaluationError } from './evaluation-error.ts';
import { type KeyIndex, keyIndexOf } from './key-index.ts';
import type { StateView } from './state-view.ts';
import type { PartialArray, Reader, Value } from './value.ts';

/** A typical predicate takes tens of steps; this many end within a fraction of a second. */
const MAX_STEPS = 1_000_000;
/** Characters of the strings and (eight each) elements of the arrays that one evaluation may create. */
const MAX_PRODUCED = 4_000_000;
const ELEMENT_SIZE = 8;
/** Elements that one call of the language itself creates, which cannot pause. */
const MAX_MADE_AT_ONCE = 100_000;
/** Steps between two places where an evaluation can pause. */
const STEPS_BETWEEN_PAUSES = 250;
/** Reading 64 characters of a string counts as one step. */
const CHARACTERS_PER_STEP = 64;

const MAX_READS_PER_OPERAND = 3;
const MAX_KEYS_NOTED = 1000;
const MAX_MISSING = 2;
/** A loop may miss the same property of every element; after this many there is nothing new to learn. */
const MAX_MISSING_NOTES = 50;

export interface KeyRead {
  readonly key: string;
  readonly value: Scalar;
}

export interface MissingKey {
  readonly path: string;
  /** The complete path in the source: `crt.total`, if already `crt` is missing. Suggestions are near this. */
  wanted: string;
}

/** One evaluation: the state it reads, its remaining budget, and the facts for the explanation. */
export class Run implements Reader {
  /** Replaced by an equal one once the evaluation pauses (see `hold`). */
  view: StateView;
  /** Values of arrow function parameters. Each has its own slot, since no arrow function can call itself. */
  readonly locals: Value[] = [];
  readonly reads: KeyRead[] = [];
  readonly missing: MissingKey[] = [];
  /** Keys that were read, searched in vain, or looked into. */
  readonly keys = new Set<string>();
  /** The first key whose value is incomplete, and why. */
  notWhole: { readonly key: string; readonly why: string } | null = null;
  firstRead: KeyRead | null = null;
  severalKeysRead = false;
  partialArray: PartialArray | null = null;
  private knownIndex: KeyIndex | null = null;
  private stepsLeft = MAX_STEPS;
  private producedLeft = MAX_PRODUCED;
  private pauseAt = MAX_STEPS - STEPS_BETWEEN_PAUSES;
  private missingNotes = 0;
  private maxReads = MAX_READS_PER_OPERAND;

  constructor(view: StateView) {
    this.view = view;
  }

  get index(): KeyIndex {
    this.knownIndex ??= keyIndexOf(this.view);
    return this.knownIndex;
  }

  spend(steps: number): void {
    this.stepsLeft -= steps;
    if (this.stepsLeft < 0) throw new EvaluationError(`it takes more than ${MAX_STEPS} steps`);
  }

  /** True if enough was done since the last time for a pause. */
  get isDue(): boolean {
    if (this.stepsLeft > this.pauseAt) return false;
    this.pauseAt = this.stepsLeft - STEPS_BETWEEN_PAUSES;
    return true;
  }

  /** Charges for reading a string. */
  spendOnText(length: number): void {
    if (length >= CHARACTERS_PER_STEP) this.spend(Math.floor(length / CHARACTERS_PER_STEP));
  }

  produceText(length: number): void {
    this.produce(length);
    this.spendOnText(length);
  }

  produceElements(count: number): void {
    this.produce(count * ELEMENT_SIZE);
    this.spend(count);
  }

  produceAtOnce(count: number): void {
    if (count > MAX_MADE_AT_ONCE) throw new EvaluationError(`it makes more than ${MAX_MADE_AT_ONCE} elements at once`);
    this.produceElements(count);
  }

  /** The number of elements that may still be created. */
  get elementsLeft(): number {
    return Math.min(MAX_MADE_AT_ONCE, Math.floor(this.producedLeft / ELEMENT_SIZE));
  }

  private produce(size: number): void {
    this.producedLeft -= size;
    if (this.producedLeft < 0) throw new EvaluationError('it builds strings or arrays that are too large');
  }

  /** The next reads belong to another operand; the first few of each operand are kept. */
  startOperand(): number {
    this.maxReads = this.reads.length + MAX_READS_PER_OPERAND + 1;
    return this.reads.length;
  }

  noteKey(key: string): void {
    if (this.keys.size < MAX_KEYS_NOTED) this.keys.add(key);
  }

  noteRead(key: string, value: Scalar): void {
    this.noteKey(key);
    if (typeof value === 'string' && this.notWhole === null) {
      if (value === REDACTED) this.notWhole = { key, why: 'is a secret and was redacted' };
      else if (isCutText(value)) this.notWhole = { key, why: 'is a long text of which only the beginning is known' };
    }
    if (this.firstRead !== null && this.firstRead.key !== key) this.severalKeysRead = true;
    if (this.reads.length >= this.maxReads) return;
    const read = { key, value };
    this.firstRead ??= read;
    this.reads.push(read);
  }

  noteMissing(path: string, wanted = path): void {
    this.noteKey(path);
    this.missingNotes += 1;
    // If the elements of an array lack a property, one element is enough.
    const pattern = pathPattern(path);
    const noted = this.missing.find((entry) => pathPattern(entry.path) === pattern);
    if (noted !== undefined) noted.wanted = wanted;
    else if (this.missing.length < MAX_MISSING) this.missing.push({ path, wanted });
  }

  get missingIsFull(): boolean {
    return this.missing.length >= MAX_MISSING || this.missingNotes >= MAX_MISSING_NOTES;
  }
}
