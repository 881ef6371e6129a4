/**
 * The changes in the captures of all apps, for subscribers. Subscribing causes no polls and so costs the apps nothing.
 */
import type { AppIdentity } from './permissions.ts';
import type { KeyChange } from './state-look.ts';

export interface AppChange {
  readonly pid: number;
  readonly app: AppIdentity;
  readonly captureId: string;
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
  /** Redacted, like everything that leaves the engine. The first list of an app has all its keys. */
  readonly changes: readonly KeyChange[];
}

export interface ChangeFeed {
  changed(change: AppChange): void;
  /** The app has ended or was detached, so its state is no longer known. */
  forgotten(pid: number): void;
}
