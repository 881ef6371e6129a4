/**
 * The JSON text of a part of `objects`. Its keys are chosen once for as long as no key comes or goes, and written once for
 * a snapshot: who reads it again gets the bytes that are there.
 */
import { chooseKeys } from '../model/choose-keys.ts';
import type { KeyFilter } from '../model/key-filter.ts';
import type { KeyList } from '../model/state-look.ts';
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

export class PartialState<Head> {
  private readonly filter: KeyFilter;
  private readonly source: PartialSource<Head>;
  private chosen: { readonly of: KeyList; readonly keys: readonly string[] } | null = null;
  private written: { readonly of: Head; readonly bytes: Buffer } | null = null;

  constructor(filter: KeyFilter, source: PartialSource<Head>) {
    this.filter = filter;
    this.source = source;
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
      if (this.chosen?.of !== list) this.chosen = { of: list, keys: yield* chooseKeys(list, this.filter) };
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
