/**
 * The JSON text of a part of `objects`. Its keys are chosen once for as long as no key comes or goes, and written once for
 * a snapshot: who reads it again gets the bytes that are there.
 */
import { chooseKeys } from '../model/choose-keys.ts';
import { KeyFilter, splitGlobs } from '../model/key-filter.ts';
import type { KeyList } from '../model/state-look.ts';
import { type UnmatchedGlob, unmatchedGlobs } from '../model/unmatched-globs.ts';
import type { StateTable } from '../semantic/state-table.ts';

/** Keys between two steps. */
const STEP = 64;
/** What changes meanwhile is begun anew; not for ever, for some apps never rest. */
const TRIES = 3;
const EMPTY = Buffer.alloc(0);

export interface PartialSource<Head> {
  readonly table: StateTable;
  keyList(): KeyList;
  /** Another one with each snapshot. */
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

  /** Those of the globs that meant no key when the text was last made. */
  get unmatched(): readonly UnmatchedGlob[] {
    return this.chosen?.unmatched ?? [];
  }

  /** What stands between the braces, of the latest snapshot. */
  bytes(): Buffer {
    // After `preparing` there is little to do: what was found out of a key is remembered.
    for (const _ of this.preparing());
    return this.written?.bytes ?? EMPTY;
  }

  /** The same in steps, as far as the app lets it come to an end. */
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

/** Those that were asked for last are kept ready. */
const MAX_KEPT = 8;

export class PartialStates<Head> {
  private readonly source: PartialSource<Head>;
  /** By the globs that were asked for; the last one is the newest. */
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
