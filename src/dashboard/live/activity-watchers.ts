/** One watch per app, for notifications only, to count changes. */
import type { AppSummary, Substrate } from '../../client/index.ts';

/** A small drawing is not worth more sockets; the newest apps get them. */
const MAX_WATCHED = 32;

export class ActivityWatchers {
  private readonly substrate: Substrate;
  private readonly onChanges: (pid: number, count: number) => void;
  private readonly running = new Map<number, AbortController>();

  constructor(substrate: Substrate, onChanges: (pid: number, count: number) => void) {
    this.substrate = substrate;
    this.onChanges = onChanges;
  }

  /** Watches exactly these. */
  follow(apps: readonly AppSummary[]): void {
    const wanted = new Set(apps.slice(-MAX_WATCHED).map(({ pid }) => pid));
    for (const [pid, controller] of this.running) if (!wanted.has(pid)) controller.abort();
    for (const pid of wanted) if (!this.running.has(pid)) void this.watch(pid);
  }

  private async watch(pid: number): Promise<void> {
    const controller = new AbortController();
    this.running.set(pid, controller);
    try {
      for await (const event of this.substrate.watch(pid, { states: false, signal: controller.signal }))
        if (event.kind === 'change') this.onChanges(pid, event.changed_keys.length);
    } catch {
      // It ended, or is no longer wanted. If it still is, the next list brings it back.
    } finally {
      this.running.delete(pid);
    }
  }
}
