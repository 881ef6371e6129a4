/** Tells the fleet what changes: the keys that are chosen for it, redacted, on a subject per host and app. */
import type { NatsConnection } from '@nats-io/transport-node';
import type { AppChange, ChangeFeed } from '../model/change-feed.ts';
import type { KeySelection } from '../model/key-selection.ts';
import type { KeyChange } from '../model/state-look.ts';
import { roomIn } from './peer.ts';
import { eventSubject } from './subjects.ts';

interface PublisherParts {
  readonly host: string;
  /** Names this run of the daemon: numbers begin anew with each. */
  readonly instance: string;
  readonly chosen: KeySelection;
  /** Null: the server is not reached, and what happens meanwhile is missing. */
  connection(): NatsConnection | null;
}

type Value = NonNullable<KeyChange['after']> | null;

interface Told {
  sequence: number;
  captureId: string | null;
  appId: string;
  /** All that is chosen and there. */
  readonly values: Map<string, Value>;
  /** When all of it was told, as of `Date.now()`. */
  wholeAt: number;
}

/** What was last told of a key is not older than this, so that a history need not be read from its beginning. */
export const AGAIN_MS = 600_000;
const LOOK_MS = 30_000;

export class Publisher implements ChangeFeed {
  private readonly parts: PublisherParts;
  private readonly told = new Map<number, Told>();
  private timer: NodeJS.Timeout | null = null;

  constructor(parts: PublisherParts) {
    this.parts = parts;
  }

  start(): void {
    this.timer = setInterval(() => this.tellAgain(Date.now() - AGAIN_MS), LOOK_MS);
  }

  close(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  changed({ pid, app, captureId, timestamp, changes }: AppChange): void {
    const filter = this.parts.chosen.keysOf(app);
    if (filter === null) return;
    const chosen = changes.filter(({ key }) => filter.matches(key));
    if (chosen.length === 0) return;
    const known = this.told.get(pid);
    const told = known ?? { sequence: 0, captureId: null, appId: app.appId, values: new Map(), wholeAt: Date.now() };
    this.told.set(pid, told);
    const before = told.captureId;
    Object.assign(told, { captureId, appId: app.appId });
    const values: [string, Value][] = [];
    const removed: string[] = [];
    for (const { key, after } of chosen)
      if (after === undefined) {
        removed.push(key);
        told.values.delete(key);
      } else {
        values.push([key, after]);
        told.values.set(key, after);
      }
    this.tell(pid, told, { capture_id: captureId, prev_capture_id: before, timestamp }, values, removed);
  }

  forgotten(pid: number): void {
    const told = this.told.get(pid);
    if (told === undefined) return;
    this.told.delete(pid);
    told.sequence += 1;
    this.send(told.appId, { ...this.headOf(pid, told), ended: true, timestamp: new Date().toISOString() });
  }

  /** Those that were last told as a whole before `until`. At once when the server is back: something may be missing. */
  tellAgain(until: number): void {
    for (const [pid, told] of this.told) {
      if (told.wholeAt > until) continue;
      told.wholeAt = Date.now();
      const { captureId, values } = told;
      const timestamp = new Date(told.wholeAt).toISOString();
      const head = { capture_id: captureId, prev_capture_id: captureId, timestamp, again: true };
      this.tell(pid, told, head, [...values], []);
    }
  }

  /** In as many messages as it needs. */
  private tell(pid: number, told: Told, head: object, values: readonly [string, Value][], removed: string[]): void {
    // Also of one that is not sent: a number that is missing tells that something is.
    told.sequence += 1;
    const event = { ...this.headOf(pid, told), ...head, values: Object.fromEntries(values), removed };
    if (this.send(told.appId, event) || values.length < 2) return;
    told.sequence -= 1;
    const middle = values.length >> 1;
    this.tell(pid, told, head, values.slice(0, middle), removed);
    this.tell(pid, told, head, values.slice(middle), []);
  }

  private headOf(pid: number, { sequence, appId }: Told): object {
    const { host, instance } = this.parts;
    return { host, instance, pid, app_id: appId, sequence };
  }

  /** False: it is too long for a message. */
  private send(appId: string, event: object): boolean {
    const connection = this.parts.connection();
    if (connection === null || connection.isClosed()) return true;
    const payload = Buffer.from(JSON.stringify(event));
    if (payload.length > roomIn(connection)) return false;
    connection.publish(eventSubject(this.parts.host, appId), payload);
    return true;
  }
}
