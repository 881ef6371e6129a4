/** The keys file: decides whose keys are accepted, and makes the CLI's changes. */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { SubstrateError } from '../model/errors.ts';
import { messageOf } from '../model/failure.ts';
import type { KeyRecord, Restrictions } from '../model/key-record.ts';
import type { Logger } from '../model/log.ts';
import { digestOf, generateKey, hashKey } from './api-key.ts';
import { fingerprint, readJson, updateJson } from './atomic-file.ts';
import { type ParsedKeys, parseKeys, resolveId, withChangedRecord, withLastUse, withRecord } from './keys-document.ts';
import { requireTrusted } from './private-path.ts';
import { StoreError, UntrustedError } from './store-error.ts';

interface KeyStoreOptions {
  file: string;
  logger: Logger;
  /** How long uses are collected before they are written back. */
  lastUseDelayMs?: number;
}

/**
 * Whether a record that was accepted still would be: it exists, is enabled, not expired, and its key has the same
 * permissions.
 */
export type IsLive = (record: KeyRecord) => boolean;

const RELOAD_INTERVAL_MS = 5000;
const LAST_USE_DELAY_MS = 5000;
const MAX_LABEL_CHARS = 200;
// A memo entry holds the presented text, so both its size and the number of entries are bounded.
const MAX_PRESENTED_CHARS = 512;
const MAX_REMEMBERED = 256;

export class KeyStore {
  private readonly file: string;
  private readonly logger: Logger;
  private readonly lastUseDelayMs: number;
  private readonly listeners = new Set<(isLive: IsLive) => void>();
  /** The last good content of the file. */
  private known: { record: KeyRecord; digest: Buffer }[] = [];
  /** Presented key -> its record, for the current content: repeated requests neither hash nor search. */
  private readonly remembered = new Map<string, KeyRecord>();
  private seen: string | null = null;
  /**
   * True if the file was checked in this turn of the event loop: all requests of the turn were there before. A check
   * costs a fifth of a cached read.
   */
  private isChecked = false;
  private reported: string | null = null;
  private reloadTimer: NodeJS.Timeout | null = null;
  private readonly lastUse = new Map<string, number>();
  private lastUseTimer: NodeJS.Timeout | null = null;
  private lastUseWrite: Promise<void> | null = null;
  private lastUseFailed = false;

  constructor(options: KeyStoreOptions) {
    this.file = options.file;
    this.logger = options.logger;
    this.lastUseDelayMs = options.lastUseDelayMs ?? LAST_USE_DELAY_MS;
  }

  /**
   * Requests notice a change by themselves; the timer is for connections that stay open without any. Throws
   * `UntrustedError`.
   */
  start(): void {
    requireTrusted(this.file);
    this.reload();
    this.reloadTimer ??= setInterval(() => this.reload(), RELOAD_INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    if (this.reloadTimer !== null) clearInterval(this.reloadTimer);
    this.reloadTimer = null;
    this.listeners.clear();
    await this.flush();
  }

  /** The records in force. */
  get records(): readonly KeyRecord[] {
    return this.known.map(({ record }) => record);
  }

  /** Called after every change of the file. Returns a function that unsubscribes. */
  onChange(listener: (isLive: IsLive) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  authenticate(presented: string | undefined): KeyRecord {
    if (presented === undefined || presented === '') {
      throw new SubstrateError(
        'missing_key',
        'No API key: send it in the X-Substrate-Key header. Create one with: substrate keygen',
      );
    }
    if (!this.isChecked || !this.remembered.has(presented)) this.reload();
    const record = this.remembered.get(presented) ?? this.find(presented);
    if (record === null) {
      throw new SubstrateError(
        'invalid_key',
        'The API key matches no record of the keys file. See: substrate keys list; create one with: substrate keygen',
      );
    }
    if (!record.enabled) {
      throw new SubstrateError(
        'disabled_key',
        `The API key with the id ${record.id} is disabled. Enable it with: substrate keys enable ${record.id}`,
      );
    }
    if (hasExpired(record)) {
      const when = `The API key with the id ${record.id} expired at ${record.expires_at}.`;
      throw new SubstrateError('expired_key', `${when} Create another one with: substrate keygen`);
    }
    this.noteUse(record.id);
    return record;
  }

  /** The current version of a record that was accepted; null if it would not be any more. */
  recheck(record: KeyRecord): KeyRecord | null {
    this.reload();
    const live = this.liveOf(record);
    if (live !== null) this.noteUse(live.id);
    return live;
  }

  private noteCheck(): void {
    if (this.isChecked) return;
    this.isChecked = true;
    setImmediate(() => {
      this.isChecked = false;
    });
  }

  /** Checks the file and applies its changes. Never throws. */
  reload(): void {
    this.noteCheck();
    const { id, settled } = fingerprint(this.file);
    if (id === this.seen) return;
    this.seen = settled ? id : null;
    const isNews = id !== this.reported;
    this.reported = id;
    let parsed: ParsedKeys;
    try {
      parsed = this.read();
    } catch (error) {
      // Content stays bad until it changes; a failure to read it may pass, and a folder may be repaired.
      if (!(error instanceof StoreError) || error instanceof UntrustedError) this.seen = null;
      if (isNews) {
        const reason = messageOf(error);
        this.logger.error(
          { file: this.file, reason },
          'the keys file cannot be used; the keys last read from it stay in force, also those that were to be revoked',
        );
      }
      return;
    }
    if (isNews) this.reportMalformed(parsed);
    this.known = parsed.records.map((record) => ({ record, digest: digestOf(record.key_hash) }));
    this.remembered.clear();
    for (const listener of this.listeners) listener((record) => this.isLive(record));
  }

  async create(label?: string, restrictions: Restrictions = {}): Promise<{ key: string; record: KeyRecord }> {
    if (label !== undefined && label.length > MAX_LABEL_CHARS) {
      throw new StoreError(`the label has ${label.length} characters; at most ${MAX_LABEL_CHARS} are kept`);
    }
    const key = generateKey();
    const record: KeyRecord = {
      id: `key_${randomBytes(8).toString('hex')}`,
      key_hash: `blake3:${hashKey(key).toString('hex')}`,
      ...(label === undefined ? {} : { label }),
      created_at: new Date().toISOString(),
      last_used_at: null,
      enabled: true,
      ...restrictions,
    };
    await this.update((document) => withRecord(document, record));
    return { key, record };
  }

  /** Throws when the file cannot be read, unlike the checks of requests. */
  list(): KeyRecord[] {
    const parsed = this.explained(() => this.read());
    this.reportMalformed(parsed);
    return parsed.records;
  }

  /** Takes an id or a unique prefix; returns the id. */
  async setEnabled(wanted: string, enabled: boolean): Promise<string> {
    return this.changeRecord(wanted, (entry) => ({ ...entry, enabled }));
  }

  /** Takes an id or a unique prefix; returns the id. */
  async delete(wanted: string): Promise<string> {
    return this.changeRecord(wanted, () => null);
  }

  /** Writes back the times of the last uses. Times that cannot be written now are kept for the next attempt. */
  async flush(): Promise<void> {
    if (this.lastUseTimer !== null) clearTimeout(this.lastUseTimer);
    this.lastUseTimer = null;
    await this.lastUseWrite;
    if (this.lastUse.size === 0) return;
    this.lastUseWrite = this.writeLastUse().finally(() => {
      this.lastUseWrite = null;
    });
    await this.lastUseWrite;
  }

  private async writeLastUse(): Promise<void> {
    const uses = new Map(this.lastUse);
    const times = new Map([...uses].map(([id, time]) => [id, new Date(time).toISOString()]));
    try {
      // A deleted file must not come back, and one that a person is editing is not touched.
      await this.update((document) => withLastUse(document, times));
      this.lastUseFailed = false;
    } catch (error) {
      const reason = messageOf(error);
      if (!this.lastUseFailed) this.logger.warn({ file: this.file, reason }, 'last_used_at cannot be written');
      this.lastUseFailed = true;
      return;
    }
    for (const [id, time] of uses) if (this.lastUse.get(id) === time) this.lastUse.delete(id);
    // Used again during the write: no further request may come to set the timer.
    if (this.lastUse.size > 0) this.scheduleFlush();
  }

  private noteUse(id: string): void {
    this.lastUse.set(id, Date.now());
    // While a write waits for the lock, further ones must not pile up behind it.
    if (this.lastUseWrite === null) this.scheduleFlush();
  }

  private scheduleFlush(): void {
    this.lastUseTimer ??= setTimeout(() => void this.flush(), this.lastUseDelayMs).unref();
  }

  private read(): ParsedKeys {
    requireTrusted(this.file);
    return parseKeys(readJson(this.file));
  }

  private find(presented: string): KeyRecord | null {
    if (presented.length > MAX_PRESENTED_CHARS) return null;
    const digest = hashKey(presented);
    let found: KeyRecord | null = null;
    // Compared to the end, so that the time reveals nothing about the records.
    for (const candidate of this.known) {
      if (!timingSafeEqual(candidate.digest, digest)) continue;
      // The same key in two records: an accepted one wins.
      if (found === null || !lets(found)) found = candidate.record;
    }
    if (found !== null) {
      const oldest = this.remembered.size < MAX_REMEMBERED ? undefined : this.remembered.keys().next().value;
      if (oldest !== undefined) this.remembered.delete(oldest);
      this.remembered.set(presented, found);
    }
    return found;
  }

  private isLive(record: KeyRecord): boolean {
    const live = this.liveOf(record);
    return live !== null && restrictionsOf(live) === restrictionsOf(record);
  }

  private liveOf({ id, key_hash }: KeyRecord): KeyRecord | null {
    const digest = digestOf(key_hash);
    const live = this.known.find(
      ({ record, digest: known }) => record.id === id && lets(record) && known.equals(digest),
    );
    return live?.record ?? null;
  }

  private reportMalformed({ malformed }: ParsedKeys): void {
    for (const entry of malformed) {
      this.logger.warn({ file: this.file, ...entry }, 'a malformed entry of the keys file is ignored');
    }
  }

  private async changeRecord(wanted: string, change: (entry: object) => object | null): Promise<string> {
    let id = wanted;
    await this.update((document) => {
      id = resolveId(document, wanted);
      return withChangedRecord(document, id, change);
    });
    return id;
  }

  private async update(change: (document: unknown) => unknown): Promise<void> {
    await updateJson(this.file, (document) => {
      requireTrusted(this.file);
      return this.explained(() => change(document));
    });
  }

  /** Puts the file's name before the problem. */
  private explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.message.startsWith(this.file)) throw error;
      throw new StoreError(`${this.file}: ${error.message}`, error);
    }
  }
}

function lets(record: KeyRecord): boolean {
  return record.enabled && !hasExpired(record);
}

/** For comparing the permissions of two records. */
function restrictionsOf({ scopes, apps, max_reversibility, confirm }: KeyRecord): string {
  return JSON.stringify([scopes, apps, max_reversibility, confirm]);
}

function hasExpired({ expires_at }: KeyRecord): boolean {
  return typeof expires_at === 'string' && Date.parse(expires_at) <= Date.now();
}
