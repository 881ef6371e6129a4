/**
 * The JSON text of a part of `objects`. Its keys are selected once while no key is added or removed, and written once
 * per snapshot: repeated reads get the same bytes.
 */
import { chooseKeys } from '../model/choose-keys.ts';
import { KeyFilter, splitGlobs } from '../model/key-filter.ts';
import type { KeyList } from '../model/state-look.ts';
import { type UnmatchedGlob, unmatchedGlobs } from '../model/unmatched-globs.ts';
import type { StateTable } from '../semantic/state-table.ts';

/** Keys per step. */
const STEP = 64;
/** A change meanwhile restarts the work; only a few times, because some apps change all the time. */
const TRIES = 3;
const EMPTY = Buffer.alloc(0);

export interface PartialSource<Head> {
  readonly table: StateTable;
  keyList(): KeyList;
  /** The head of the state, which is another object for each snapshot: identity shows whether the text is current. */
  head(): Head;
}

interface Chosen {
  readonly of: KeyList;
  readonly keys: readonly string[];
  readonly unmatched: readonly UnmatchedGlob[];
}

class PartialState<Head> {
  private readonly globs: readonly string[];
  private readonly filter: KeyFilter;
  private readonly source: PartialSource<Head>;
  private chosen: Chosen | null = null;
  private written: { readonly of: Head; readonly bytes: Buffer } | null = null;

  constructor(globs: readonly string[], source: PartialSource<Head>) {
    this.globs = globs;
    this.filter = new KeyFilter(globs);
    this.source = source;
  }

  /** Globs that matched no key when the text was last made. */
  get unmatched(): readonly UnmatchedGlob[] {
    return this.chosen?.unmatched ?? [];
  }

  /** The text between the braces, for the latest snapshot. */
  bytes(): Buffer {
    // After `preparing` there is little to do, because the results per key are cached.
    for (const _ of this.preparing());
    return this.written?.bytes ?? EMPTY;
  }

  /** Makes the text in steps, and gives up after some tries if the app changes all the time. */
  *preparing(): Generator<void, void, void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const head = this.source.head();
      if (this.written?.of === head) return;
      const list = this.source.keyList();
      if (this.chosen?.of !== list) {
        const keys = yield* chooseKeys(list, this.filter);
        this.chosen = { of: list, keys, unmatched: yield* unmatchedGlobs(this.globs, keys, list.places) };
      }
      const texts: string[] = [];
      for (const key of this.chosen.keys) {
        const value = this.source.table.get(key);
        if (value !== undefined) texts.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
        if (texts.length % STEP === 0) yield;
      }
      if (this.source.head() === head) this.written = { of: head, bytes: Buffer.from(texts.join(',')) };
    }
  }
}

/** The most recently requested parts are kept. */
const MAX_KEPT = 8;

export class PartialStates<Head> {
  private readonly source: PartialSource<Head>;
  /** By the requested globs; the last one is the newest. */
  private readonly parts = new Map<string, PartialState<Head>>();

  constructor(source: PartialSource<Head>) {
    this.source = source;
  }

  of(globs: string): PartialState<Head> {
    const part = this.parts.get(globs) ?? new PartialState(splitGlobs(globs), this.source);
    this.parts.delete(globs);
    this.parts.set(globs, part);
    const [oldest] = this.parts.keys();
    if (this.parts.size > MAX_KEPT && oldest !== undefined) this.parts.delete(oldest);
    return part;
  }

  clear(): void {
    this.parts.clear();
  }
}
