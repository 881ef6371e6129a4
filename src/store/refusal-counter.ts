/** Similar refusals share a line: the first is written at once, the others are counted for a minute. */
import type { AuditEntry } from '../model/audit-entry.ts';

const WINDOW_MS = 60_000;
/** The limit per key, so that made-up names do not fill the log: further refusals are counted together. */
const MAX_KINDS_OF_KEY = 30;
const OTHERS = '(others)';

interface Counted {
  readonly keyId: string;
  last: AuditEntry;
  /** The count since the written line. */
  more: number;
  readonly timer: NodeJS.Timeout;
}

export class RefusalCounter {
  private readonly write: (entry: AuditEntry) => void;
  private readonly counted = new Map<string, Counted>();

  constructor(write: (entry: AuditEntry) => void) {
    this.write = write;
  }

  note(entry: AuditEntry): void {
    const kind = this.kindOf(entry);
    const known = this.counted.get(kind.name);
    if (known !== undefined) {
      known.last = kind.entry;
      known.more++;
      return;
    }
    this.write(kind.entry);
    const timer = setTimeout(() => this.end(kind.name), WINDOW_MS);
    // The daemon writes the counts when it stops.
    timer.unref();
    this.counted.set(kind.name, { keyId: entry.key_id, last: kind.entry, more: 0, timer });
  }

  flush(): void {
    for (const name of [...this.counted.keys()]) this.end(name);
  }

  private kindOf(entry: AuditEntry): { name: string; entry: AuditEntry } {
    const { key_id, app_id, pid, action, code } = entry;
    const name = JSON.stringify([key_id, app_id, pid, action, code]);
    if (this.counted.has(name)) return { name, entry };
    const own = [...this.counted.values()].filter(({ keyId }) => keyId === key_id).length;
    if (own < MAX_KINDS_OF_KEY) return { name, entry };
    return { name: JSON.stringify([key_id]), entry: { ...entry, action: OTHERS, parameters: [] } };
  }

  private end(name: string): void {
    const counted = this.counted.get(name);
    if (counted === undefined) return;
    clearTimeout(counted.timer);
    this.counted.delete(name);
    if (counted.more > 0) this.write({ ...counted.last, count: counted.more });
  }
}
