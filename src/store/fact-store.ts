/**
 * The drivers' facts about the code of each app, one file per app_id. It only saves time: an unusable file is ignored.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import { readJson, writeJson } from './atomic-file.ts';

const APP_ID = /^[a-z0-9-]{1,200}$/;
/** The limit on disk for one app. */
const MAX_BYTES = 4 * 1024 * 1024;

export class FactStore {
  private readonly dir: string;
  private readonly logger: Logger;
  private readonly waiting = new Map<string, unknown>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(options: { dir: string; logger: Logger }) {
    this.dir = options.dir;
    this.logger = options.logger;
  }

  of(appId: string): { load(): unknown; save(facts: unknown): void } {
    return { load: () => this.load(appId), save: (facts) => this.save(appId, facts) };
  }

  /** Resolves when everything saved so far has been written (or the failure logged). */
  async flush(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  /** Null if nothing usable is stored. */
  private load(appId: string): unknown {
    if (!APP_ID.test(appId)) return null;
    const waiting = this.waiting.get(appId);
    if (waiting !== undefined) return waiting;
    const file = this.fileOf(appId);
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      return size > MAX_BYTES ? null : (readJson(file) ?? null);
    } catch (error) {
      this.logger.debug({ file, reason: messageOf(error) }, 'the stored facts cannot be used');
      return null;
    }
  }

  /** Returns at once; of several saves during a write only the last is written. */
  private save(appId: string, facts: unknown): void {
    if (!APP_ID.test(appId)) return;
    this.waiting.set(appId, facts);
    if (!this.writing.has(appId)) this.writing.set(appId, this.write(appId));
  }

  private async write(appId: string): Promise<void> {
    const file = this.fileOf(appId);
    // Waits until `save` has recorded that the write is running.
    await null;
    while (this.waiting.has(appId)) {
      const facts = this.waiting.get(appId);
      try {
        if (JSON.stringify(facts).length <= MAX_BYTES) await writeJson(file, facts);
        else this.logger.debug({ file }, 'there are too many facts to store');
      } catch (error) {
        this.logger.debug({ file, reason: messageOf(error) }, 'the facts cannot be stored');
      }
      if (this.waiting.get(appId) === facts) this.waiting.delete(appId);
    }
    this.writing.delete(appId);
  }

  private fileOf(appId: string): string {
    return path.join(this.dir, `${appId}.json`);
  }
}
