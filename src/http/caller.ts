/** The caller of a request, and the authority on its key. */
import type { KeyRecord } from '../model/key-record.ts';
import type { Permissions } from '../model/permissions.ts';

/** The part of the keys file that requests need. */
export interface KeyAuthority {
  /** Throws `missing_key`, `invalid_key`, `disabled_key` or `expired_key`. */
  authenticate(presented: string | undefined): KeyRecord;
  /** The current version of a record that was accepted; null if it is no longer valid. */
  recheck(record: KeyRecord): KeyRecord | null;
  /** Calls the listener after every change, with a function that checks whether a record is still valid. */
  onChange(listener: (isLive: (record: KeyRecord) => boolean) => void): () => void;
}

export interface Caller {
  /** Identifies the caller in buckets, metrics and logs. */
  readonly keyId: string;
  /** Null if no key is required. */
  readonly record: KeyRecord | null;
  readonly permissions: Permissions;
  /** As of `Date.now()`; null if it does not expire. */
  readonly expiresAt: number | null;
}
