/** The events of a watched process, less the keys that nobody asked for, and in their order. */
import type { WatchEvent } from '../daemon/service.ts';
import { inSlices } from '../model/in-slices.ts';
import { KeyFilter, splitGlobs } from '../model/key-filter.ts';

/** Keys that are looked at in one piece; more of them are looked at in slices, for globs may be hard to match. */
const FEW = 64;
/** An app that changes faster than globs can be matched: what is left out is told by the next event that is not. */
const MAX_WAITING = 16;

export class EventFilter {
  private readonly filter: KeyFilter;
  private readonly owner: string;
  private readonly tell: (event: WatchEvent) => void;
  private readonly waiting: WatchEvent[] = [];
  private isAtWork = false;

  /** `tell` is called for events in which a key that is meant has changed. */
  constructor(globs: string, owner: string, tell: (event: WatchEvent) => void) {
    this.owner = owner;
    this.filter = new KeyFilter(splitGlobs(globs));
    this.tell = tell;
  }

  take(told: WatchEvent): void {
    // Whoever names keys means also those that are not shown.
    const event = { ...told, changedKeys: [...told.changedKeys, ...(told.hiddenKeys ?? [])] };
    if (!this.isAtWork && event.changedKeys.length <= FEW) {
      this.pass(
        event,
        event.changedKeys.filter((key) => this.filter.matches(key)),
      );
      return;
    }
    const last = this.waiting.length >= MAX_WAITING ? this.waiting.pop() : undefined;
    this.waiting.push(last === undefined ? event : joined(last, event));
    if (!this.isAtWork) void this.work();
  }

  private async work(): Promise<void> {
    this.isAtWork = true;
    for (let event = this.waiting.shift(); event !== undefined; event = this.waiting.shift()) {
      this.pass(event, await inSlices(this.matching(event), { owner: this.owner }));
    }
    this.isAtWork = false;
  }

  private *matching({ changedKeys }: WatchEvent): Generator<void, string[], void> {
    const kept: string[] = [];
    for (const [at, key] of changedKeys.entries()) {
      if (this.filter.matches(key)) kept.push(key);
      if (at % FEW === 0) yield;
    }
    return kept;
  }

  private pass(event: WatchEvent, changedKeys: readonly string[]): void {
    if (changedKeys.length > 0) this.tell({ ...event, changedKeys });
  }
}

function joined(earlier: WatchEvent, later: WatchEvent): WatchEvent {
  return { ...later, changedKeys: [...new Set([...earlier.changedKeys, ...later.changedKeys])] };
}
