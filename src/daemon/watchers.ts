/** The watchers of one app. */
import { pause } from './pause.ts';
import type { WatchEvent, Watcher } from './service.ts';

export class Watchers {
  private readonly all = new Set<Watcher>();
  private onFirst: () => void = () => undefined;

  get isEmpty(): boolean {
    return this.all.size === 0;
  }

  /** Returns a function that removes it. */
  add(watcher: Watcher): () => void {
    this.all.add(watcher);
    this.onFirst();
    return () => this.all.delete(watcher);
  }

  /**
   * Resolves when somebody watches, after `ms` at the latest. This one timer is all that an idle app costs between
   * polls.
   */
  async untilSome(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isEmpty) return;
    await pause(ms, signal, (end) => {
      this.onFirst = end;
    });
  }

  changed(event: WatchEvent): void {
    for (const watcher of this.all) watcher.onChange(event);
  }

  /** The last call. */
  ended(): void {
    for (const watcher of [...this.all]) watcher.onExit();
    this.all.clear();
  }
}
