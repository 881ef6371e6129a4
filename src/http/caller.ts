/** Who a request comes from, and who can tell. */
import type { KeyRecord } from '../model/key-record.ts';
import type { Permissions } from '../model/permissions.ts';

/** What is needed of the keys file. */
export interface KeyAuthority {
  /** Throws `missing_key`, `invalid_key`, `disabled_key` or `expired_key`. */
  authenticate(presented: string | undefined): KeyRecord;
  /** A record that let someone in, as it is now; null: it would not any more. */
  recheck(record: KeyRecord): KeyRecord | null;
  /** The listener is told after every change, with a way to ask whether a record still lets its key in. */
  onChange(listener: (isLive: (record: KeyRecord) => boolean) => void): () => void;
}

export interface Caller {
  /** Names the caller in buckets, metrics and logs. */
  readonly keyId: string;
  /** Null when no key is required. */
  readonly record: KeyRecord | null;
  readonly permissions: Permissions;
  /** As of `Date.now()`; null: not by itself. */
  readonly expiresAt: number | null;
}
