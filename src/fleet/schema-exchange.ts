/**
 * Shares the schemas of apps through a JetStream bucket with one entry per app_id. A write names the revision that was
 * read: of two daemons that write at the same time, the second reads and merges again.
 */
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { type KV, Kvm, KvWatchInclude } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../model/log.ts';
import { type Knowledge, type SharedSchema, sharedSchema } from '../model/shared-schema.ts';
import { explainJetStream, OPEN_AGAIN_MS, openJetStream } from './jet-stream.ts';
import { roomIn } from './peer.ts';

export const SCHEMA_BUCKET = 'substrate_schemas';

/** Stores the last known content of the bucket between starts. */
export interface BaseStores {
  of(appId: string): { load(): unknown; save(base: unknown): void };
}

interface ExchangeParts {
  readonly knowledge: Knowledge;
  readonly bases: BaseStores;
  readonly log: Logger;
}

/** Revisions per app in the bucket, for an operator who wants to see earlier ones. */
const KEPT_REVISIONS = 5;
const BUCKET_BYTES = 256 * 1024 * 1024;
/** A schema grows in many small steps, which are shared together. */
const SOON_MS = 300;
const PAUSE_MS = 3000;
const RETRY_MS = 10_000;
/** Attempts to write an entry before other daemons do. */
const MAX_TRIES = 8;
/** Limit of followed apps, above the number that runs on any host. */
const MAX_FOLLOWED = 5000;
/** The entry has changed since it was read. */
const WRONG_REVISION: readonly number[] = [
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
];

export class SchemaExchange {
  /** The reason why nothing is shared; null if it is, or before the server was reached. */
  problem: string | null = null;
  private readonly parts: ExchangeParts;
  private connection: NatsConnection | null = null;
  private bucket: KV | null = null;
  private stopWatching: () => void = () => {};
  /** Time of `performance.now()` at which each app was last compared. */
  private readonly followed = new Map<string, number>();
  private readonly due = new Map<string, NodeJS.Timeout>();
  private working: Promise<void> = Promise.resolve();
  private isClosed = false;
  private again: NodeJS.Timeout | undefined;
  /** Counts calls of `open`, of which only the last one may take effect. */
  private opened = 0;

  constructor(parts: ExchangeParts) {
    this.parts = parts;
  }

  /** To be called when the server was reached. Never rejects. */
  async open(connection: NatsConnection): Promise<void> {
    this.stopWatching();
    clearTimeout(this.again);
    this.bucket = null;
    this.opened += 1;
    const own = this.opened;
    try {
      await openJetStream(connection);
      const bucket = await new Kvm(connection).create(SCHEMA_BUCKET, {
        description: 'What is known of apps: names and types.',
        history: KEPT_REVISIONS,
        max_bytes: BUCKET_BYTES,
      });
      const changes = await bucket.watch({ include: KvWatchInclude.UpdatesOnly, headers_only: true });
      // The server may have been lost and reached again meanwhile.
      if (this.isClosed || own !== this.opened) return changes.stop();
      this.stopWatching = () => changes.stop();
      this.connection = connection;
      this.bucket = bucket;
      this.problem = null;
      void this.follow(changes);
      for (const appId of this.followed.keys()) this.compareSoon(appId, Math.random() * SOON_MS);
    } catch (error) {
      this.note(explainJetStream(error));
      // A cluster may be electing a leader, or an operator may turn JetStream on.
      if (!this.isClosed && own === this.opened)
        this.again = setTimeout(() => void this.open(connection), OPEN_AGAIN_MS);
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.stopWatching();
    clearTimeout(this.again);
    for (const timer of this.due.values()) clearTimeout(timer);
    this.due.clear();
    return this.working;
  }

  /** To be called when the app starts here or its schema changes. */
  changed(appId: string): void {
    const last = this.followed.get(appId);
    if (last === undefined) {
      const [oldest] = this.followed.keys();
      if (this.followed.size >= MAX_FOLLOWED && oldest !== undefined) this.followed.delete(oldest);
      this.followed.set(appId, Number.NEGATIVE_INFINITY);
      this.compareSoon(appId, 0);
    } else this.compareSoon(appId, Math.max(SOON_MS, last + PAUSE_MS - performance.now()));
  }

  private async follow(changes: AsyncIterable<{ readonly key: string }>): Promise<void> {
    try {
      // A random delay spreads the load when many hosts run the app.
      for await (const { key } of changes) if (this.followed.has(key)) this.compareSoon(key, Math.random() * SOON_MS);
    } catch (error) {
      this.parts.log.debug({ err: error }, 'changes of the shared schemas are not followed any more');
    }
  }

  private compareSoon(appId: string, ms: number): void {
    if (this.isClosed || this.bucket === null || this.due.has(appId)) return;
    const timer = setTimeout(() => {
      this.due.delete(appId);
      this.working = this.working.then(() => this.compare(appId));
    }, ms);
    this.due.set(appId, timer);
  }

  /** Never rejects. */
  private async compare(appId: string): Promise<void> {
    if (this.isClosed || this.bucket === null) return;
    this.followed.set(appId, performance.now());
    try {
      for (let tries = 0; tries < MAX_TRIES; tries++) if (await this.agree(appId, this.bucket)) return;
      throw new Error('other hosts wrote first each time');
    } catch (error) {
      this.parts.log.debug({ err: error, app_id: appId }, 'the schema could not be shared; it is tried again');
      this.compareSoon(appId, RETRY_MS * (1 + Math.random()));
    }
  }

  /** False if another daemon has written meanwhile. */
  private async agree(appId: string, bucket: KV): Promise<boolean> {
    const { knowledge, bases, log } = this.parts;
    const entry = await bucket.get(appId);
    const remote = entry === null || entry.operation !== 'PUT' ? null : parsed(entry.value);
    if (remote === 'unusable' || (remote !== null && remote.app_id !== appId)) {
      // A later version may have written it, so it is not overwritten.
      log.warn({ app_id: appId }, 'the shared schema of this app cannot be read');
      return true;
    }
    const base = sharedSchema.safeParse(bases.of(appId).load());
    const merged = knowledge.merge(appId, base.success ? base.data : null, remote);
    if (merged === null) return true;
    const text = this.fitting(merged.shared);
    if (text === null) {
      log.warn({ app_id: appId }, 'the schema of this app does not fit into a NATS message and is not shared');
      return true;
    }
    if (remote === null || text !== JSON.stringify(remote)) {
      const isWritten = await bucket.put(appId, text, { previousSeq: entry?.revision ?? 0 }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof JetStreamApiError && WRONG_REVISION.includes(error.code)) return false;
          throw error;
        },
      );
      if (!isWritten) return false;
    }
    bases.of(appId).save(JSON.parse(text));
    merged.take();
    return true;
  }

  /** Unconfirmed names are left out if there is no room. Null if the confirmed ones alone do not fit. */
  private fitting(shared: SharedSchema): string | null {
    const room = this.connection === null ? 0 : roomIn(this.connection);
    const whole = JSON.stringify(sharedSchema.parse(shared));
    if (Buffer.byteLength(whole) <= room) return whole;
    const confirmedOnly = { ...shared, labels: shared.labels.filter(({ confirmed }) => confirmed) };
    const text = JSON.stringify(sharedSchema.parse(confirmedOnly));
    return Buffer.byteLength(text) <= room ? text : null;
  }

  private note(problem: string): void {
    if (this.problem !== problem) this.parts.log.warn({}, `${problem} Corrections are not shared with other hosts.`);
    this.problem = problem;
  }
}

function parsed(value: Uint8Array): SharedSchema | 'unusable' {
  try {
    return sharedSchema.parse(JSON.parse(new TextDecoder().decode(value)));
  } catch {
    // Anybody whom the server permits may have written it.
    return 'unusable';
  }
}
