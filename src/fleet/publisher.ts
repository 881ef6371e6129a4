/** Publishes changes of the chosen keys, redacted, on a subject per host and app. */
import type { NatsConnection } from '@nats-io/transport-node';
import type { AppChange, ChangeFeed } from '../model/change-feed.ts';
import type { KeySelection } from '../model/key-selection.ts';
import type { KeyChange } from '../model/state-look.ts';
import { roomIn } from './peer.ts';
import { eventSubject } from './subjects.ts';

interface PublisherParts {
  readonly host: string;
  /** Id of this run of the daemon: sequence numbers restart with each. */
  readonly instance: string;
  readonly chosen: KeySelection;
  /** Null while the server is not reached; changes are lost then. */
  connection(): NatsConnection | null;
}

type Value = NonNullable<KeyChange['after']> | null;

interface Published {
  sequence: number;
  captureId: string | null;
  appId: string;
  /** Current values of all chosen keys. */
  readonly values: Map<string, Value>;
  /** Time of `Date.now()` at which all values were last published. */
  republishedAt: number;
}

/** All values are published again after this time, so that a history need not be read from its beginning. */
export const REPUBLISH_MS = 600_000;
const CHECK_MS = 30_000;

export class Publisher implements ChangeFeed {
  private readonly parts: PublisherParts;
  private readonly published = new Map<number, Published>();
  private timer: NodeJS.Timeout | null = null;

  constructor(parts: PublisherParts) {
    this.parts = parts;
  }

  start(): void {
    this.timer = setInterval(() => this.republish(Date.now() - REPUBLISH_MS), CHECK_MS);
  }

  close(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  changed({ pid, app, captureId, timestamp, changes }: AppChange): void {
    const filter = this.parts.chosen.keysOf(app);
    if (filter === null) return;
    const chosen = changes.filter(({ key }) => filter.matches(key));
    if (chosen.length === 0) return;
    const known = this.published.get(pid);
    const latest = known ?? {
      sequence: 0,
      captureId: null,
      appId: app.appId,
      values: new Map(),
      republishedAt: Date.now(),
    };
    this.published.set(pid, latest);
    const before = latest.captureId;
    Object.assign(latest, { captureId, appId: app.appId });
    const values: [string, Value][] = [];
    const removed: string[] = [];
    for (const { key, after } of chosen)
      if (after === undefined) {
        removed.push(key);
        latest.values.delete(key);
      } else {
        values.push([key, after]);
        latest.values.set(key, after);
      }
    this.publish(pid, latest, { capture_id: captureId, prev_capture_id: before, timestamp }, values, removed);
  }

  forgotten(pid: number): void {
    const latest = this.published.get(pid);
    if (latest === undefined) return;
    this.published.delete(pid);
    latest.sequence += 1;
    this.send(latest.appId, { ...this.headOf(pid, latest), ended: true, timestamp: new Date().toISOString() });
  }

  /** Publishes all values of the apps whose last time was before `until`. */
  republish(until: number): void {
    for (const [pid, latest] of this.published) {
      if (latest.republishedAt > until) continue;
      latest.republishedAt = Date.now();
      const { captureId, values } = latest;
      const timestamp = new Date(latest.republishedAt).toISOString();
      const head = { capture_id: captureId, prev_capture_id: captureId, timestamp, again: true };
      this.publish(pid, latest, head, [...values], []);
    }
  }

  /** Splits the values into as many messages as they need. */
  private publish(
    pid: number,
    latest: Published,
    head: object,
    values: readonly [string, Value][],
    removed: string[],
  ): void {
    // An event that cannot be sent is counted, too: readers notice the missing number.
    latest.sequence += 1;
    const event = { ...this.headOf(pid, latest), ...head, values: Object.fromEntries(values), removed };
    if (this.send(latest.appId, event) || values.length < 2) return;
    latest.sequence -= 1;
    const middle = values.length >> 1;
    this.publish(pid, latest, head, values.slice(0, middle), removed);
    this.publish(pid, latest, head, values.slice(middle), []);
  }

  private headOf(pid: number, { sequence, appId }: Published): object {
    const { host, instance } = this.parts;
    return { host, instance, pid, app_id: appId, sequence };
  }

  /** False if the event is too long for a message. */
  private send(appId: string, event: object): boolean {
    const connection = this.parts.connection();
    if (connection === null || connection.isClosed()) return true;
    const payload = Buffer.from(JSON.stringify(event));
    if (payload.length > roomIn(connection)) return false;
    connection.publish(eventSubject(this.parts.host, appId), payload);
    return true;
  }
}
