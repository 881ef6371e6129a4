/** The events of a watched process in their order, reduced to the selected keys. */
import type { WatchEvent } from '../daemon/service.ts';
import { inSlices } from '../model/in-slices.ts';
import { KeyFilter, splitGlobs } from '../model/key-filter.ts';

/** Up to this number, keys are filtered at once; more are filtered in slices, because globs may be slow to match. */
const FEW = 64;
/** For an app that changes faster than globs can be matched: the next delivered event covers the dropped ones. */
const MAX_WAITING = 16;

export class EventFilter {
  private readonly filter: KeyFilter;
  private readonly owner: string;
  private readonly deliver: (event: WatchEvent) => void;
  private readonly waiting: WatchEvent[] = [];
  private isAtWork = false;

  /** `deliver` is called for events in which a selected key has changed. */
  constructor(globs: string, owner: string, deliver: (event: WatchEvent) => void) {
    this.owner = owner;
    this.filter = new KeyFilter(splitGlobs(globs));
    this.deliver = deliver;
  }

  take(received: WatchEvent): void {
    // Globs also select keys that are not shown.
    const event = { ...received, changedKeys: [...received.changedKeys, ...(received.hiddenKeys ?? [])] };
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
    if (changedKeys.length > 0) this.deliver({ ...event, changedKeys });
  }
}

function joined(earlier: WatchEvent, later: WatchEvent): WatchEvent {
  return { ...later, changedKeys: [...new Set([...earlier.changedKeys, ...later.changedKeys])] };
}
