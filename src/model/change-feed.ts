/** What the captures of all apps change, for those who pass it on. To follow costs the apps nothing: nobody polls for it. */
import type { AppIdentity } from './permissions.ts';
import type { KeyChange } from './state-look.ts';

export interface AppChange {
  readonly pid: number;
  readonly app: AppIdentity;
  readonly captureId: string;
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
  /** Redacted, as everything is that leaves the engine. The first of an app has all its keys. */
  readonly changes: readonly KeyChange[];
}

export interface ChangeFeed {
  changed(change: AppChange): void;
  /** The app has ended, or was detached: nothing of its state is known any more. */
  forgotten(pid: number): void;
}
