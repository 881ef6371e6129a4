/** Who hears of the changes of one app. */
import { aborted } from './pause.ts';
import type { WatchEvent, Watcher } from './service.ts';

export class Watchers {
  private readonly all = new Set<Watcher>();
  private onFirst: () => void = () => undefined;

  get isEmpty(): boolean {
    return this.all.size === 0;
  }

  /** Returns what ends it. */
  add(watcher: Watcher): () => void {
    this.all.add(watcher);
    this.onFirst();
    return () => this.all.delete(watcher);
  }

  /** Resolves when somebody watches. */
  async untilSome(signal: AbortSignal): Promise<void> {
    if (!this.isEmpty) return;
    const some = new Promise<void>((resolve) => {
      this.onFirst = resolve;
    });
    await Promise.race([some, aborted(signal)]);
  }

  changed(event: WatchEvent): void {
    for (const watcher of this.all) watcher.onChange(event);
  }

  /** Nothing follows. */
  ended(): void {
    for (const watcher of [...this.all]) watcher.onExit();
    this.all.clear();
  }
}
