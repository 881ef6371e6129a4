/**
 * Limits how much each key teaches by imports and corrections: all of it stays on disk, even for apps that nobody has.
 */
import { SubstrateError } from '../model/errors.ts';

const WINDOW_MS = 24 * 3_600_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_CREATED = 200;

interface Share {
  readonly since: number;
  bytes: number;
  created: number;
}

export class TaughtShares {
  private readonly shares = new Map<string, Share>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Throws `overloaded` if the key has no room left. `creates`: nothing is known of the app yet. */
  take(keyId: string, taught: object, creates: boolean): void {
    const share = this.shareOf(keyId);
    const bytes = share.bytes + JSON.stringify(taught).length;
    const created = share.created + (creates ? 1 : 0);
    if (bytes > MAX_BYTES || created > MAX_CREATED) {
      const what = bytes > MAX_BYTES ? '64 MiB of names' : `names of ${MAX_CREATED} unknown apps`;
      const message = `This key has taught ${what} within 24 hours, which is the most. Nothing was taken in.`;
      throw new SubstrateError('overloaded', message, { retryAfterMs: share.since + WINDOW_MS - this.now() });
    }
    Object.assign(share, { bytes, created });
  }

  private shareOf(keyId: string): Share {
    for (const [id, { since }] of this.shares) if (this.now() - since >= WINDOW_MS) this.shares.delete(id);
    const share = this.shares.get(keyId) ?? { since: this.now(), bytes: 0, created: 0 };
    this.shares.set(keyId, share);
    return share;
  }
}
