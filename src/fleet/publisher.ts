/** Tells the fleet what changes: the keys that are chosen for it, redacted, on a subject per host and app. */
import type { NatsConnection } from '@nats-io/transport-node';
import type { AppChange, ChangeFeed } from '../model/change-feed.ts';
import type { KeySelection } from '../model/key-selection.ts';
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

interface Told {
  sequence: number;
  captureId: string | null;
  appId: string;
}

export class Publisher implements ChangeFeed {
  private readonly parts: PublisherParts;
  private readonly told = new Map<number, Told>();

  constructor(parts: PublisherParts) {
    this.parts = parts;
  }

  changed({ pid, app, captureId, timestamp, changes }: AppChange): void {
    const filter = this.parts.chosen.keysOf(app);
    if (filter === null) return;
    const chosen = changes.filter(({ key }) => filter.matches(key));
    if (chosen.length === 0) return;
    const told = this.told.get(pid) ?? { sequence: 0, captureId: null, appId: app.appId };
    this.told.set(pid, told);
    const before = told.captureId;
    // Also of one that is not sent: a number that is missing tells that something is.
    Object.assign(told, { sequence: told.sequence + 1, captureId, appId: app.appId });
    const values = chosen.flatMap(({ key, after }) => (after === undefined ? [] : [[key, after] as const]));
    this.send(app.appId, {
      ...this.headOf(pid, told),
      capture_id: captureId,
      prev_capture_id: before,
      timestamp,
      values: Object.fromEntries(values),
      removed: chosen.flatMap(({ key, after }) => (after === undefined ? [key] : [])),
    });
  }

  forgotten(pid: number): void {
    const told = this.told.get(pid);
    if (told === undefined) return;
    this.told.delete(pid);
    told.sequence += 1;
    this.send(told.appId, { ...this.headOf(pid, told), ended: true, timestamp: new Date().toISOString() });
  }

  private headOf(pid: number, { sequence, appId }: Told): object {
    const { host, instance } = this.parts;
    return { host, instance, pid, app_id: appId, sequence };
  }

  private send(appId: string, event: object): void {
    const connection = this.parts.connection();
    if (connection === null) return;
    const payload = Buffer.from(JSON.stringify(event));
    if (payload.length > roomIn(connection) || connection.isClosed()) return;
    connection.publish(eventSubject(this.parts.host, appId), payload);
  }
}
