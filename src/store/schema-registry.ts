/** The stored schema of each app, one file per app_id, kept across restarts of the daemon. */

import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { digitsOf, isSameProgram } from '../model/app-id.ts';
import { type AppSchema, appSchema } from '../model/app-schema.ts';
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import { readJson, writeJson } from './atomic-file.ts';
import { isAbsent, StoreError } from './store-error.ts';

// An app_id becomes a file name: it must not lead out of the folder, or be too long for a file system.
const APP_ID = /^[a-z0-9-]{1,200}$/;

export class SchemaRegistry {
  private readonly dir: string;
  private readonly logger: Logger;
  /** Saved schemas that no write has taken yet. */
  private readonly waiting = new Map<string, AppSchema>();
  /** Later ids by an earlier id, and by its digits; read when first needed. */
  private successors: Map<string, Set<string>> | null = null;
  private readonly writing = new Map<string, { schema: AppSchema; done: Promise<void> }>();

  constructor(options: { dir: string; logger: Logger }) {
    this.dir = options.dir;
    this.logger = options.logger;
  }

  /** Null when nothing usable is stored. An unusable file is renamed, for a person to examine. */
  load(appId: string): AppSchema | null {
    // The id comes from a client: a malformed one is no known app.
    if (!APP_ID.test(appId)) return null;
    const file = this.fileOf(appId);
    const unwritten = this.waiting.get(appId) ?? this.writing.get(appId)?.schema;
    if (unwritten !== undefined) return unwritten;
    try {
      const content = readJson(file);
      if (content === undefined) return null;
      const parsed = appSchema.safeParse(content);
      if (!parsed.success) {
        // Only the top-level field is named: the names further down are the app's own data.
        const fields = new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? 'the whole')));
        throw new StoreError(`${file} is not a stored schema: see ${[...fields].join(', ')}`);
      }
      if (parsed.data.app_id !== appId) throw new StoreError(`${file} holds the schema of another app`);
      return parsed.data;
    } catch (error) {
      this.moveAside(file, error);
      return null;
    }
  }

  /** The ids of all apps with stored data. */
  ids(): string[] {
    try {
      const names = readdirSync(this.dir).filter((name) => name.endsWith('.json'));
      return names.map((name) => name.slice(0, -'.json'.length)).filter((id) => APP_ID.test(id));
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  /** Other stored ids of the same program. */
  namesakes(appId: string): string[] {
    return this.ids().filter((id) => id !== appId && isSameProgram(id, appId));
  }

  /** The one id that an earlier one became; the same where none or several did. */
  currentId(appId: string): string {
    this.successors ??= this.readAliases();
    const ids = this.successors.get(appId) ?? this.successors.get(digitsOf(appId) ?? '');
    const [only, ...others] = ids ?? [];
    return only === undefined || others.length > 0 ? appId : only;
  }

  private readAliases(): Map<string, Set<string>> {
    const successors = new Map<string, Set<string>>();
    for (const id of this.ids()) noteAliases(successors, this.load(id));
    return successors;
  }

  /** Returns at once; of several saves of an app during a write only the last is written. */
  save(schema: AppSchema): void {
    this.fileOf(schema.app_id);
    if (this.successors) noteAliases(this.successors, schema);
    this.waiting.set(schema.app_id, schema);
    if (!this.writing.has(schema.app_id)) void this.write(schema.app_id);
  }

  /** Resolves when everything saved so far has been written (or the failure logged). */
  async flush(): Promise<void> {
    while (this.writing.size > 0) await Promise.all([...this.writing.values()].map(({ done }) => done));
  }

  private async write(appId: string): Promise<void> {
    for (let schema = this.take(appId); schema !== undefined; schema = this.take(appId)) {
      const done = this.writeOne(schema);
      this.writing.set(appId, { schema, done });
      await done;
    }
    this.writing.delete(appId);
  }

  private take(appId: string): AppSchema | undefined {
    const schema = this.waiting.get(appId);
    this.waiting.delete(appId);
    return schema;
  }

  private async writeOne(schema: AppSchema): Promise<void> {
    const file = this.fileOf(schema.app_id);
    try {
      await writeJson(file, schema);
    } catch (error) {
      const reason = messageOf(error);
      this.logger.error({ file, reason }, 'the schema cannot be saved');
    }
  }

  private moveAside(file: string, error: unknown): void {
    const aside = `${file}.broken`;
    const reason = messageOf(error);
    this.logger.warn({ file, aside, reason }, 'the stored schema cannot be used and is moved aside');
    try {
      renameSync(file, aside);
    } catch (failure) {
      this.logger.warn({ file, reason: String(failure) }, 'the stored schema cannot be moved aside');
    }
  }

  private fileOf(appId: string): string {
    if (!APP_ID.test(appId)) throw new StoreError(`not an app_id: ${JSON.stringify(appId.slice(0, 80))}`);
    return path.join(this.dir, `${appId}.json`);
  }
}

function noteAliases(successors: Map<string, Set<string>>, schema: AppSchema | null): void {
  for (const alias of schema?.aliases ?? []) {
    if (schema === null || alias === schema.app_id) continue;
    for (const name of isSameProgram(alias, schema.app_id) ? [alias] : [alias, digitsOf(alias) ?? alias]) {
      const ids = successors.get(name) ?? new Set();
      successors.set(name, ids.add(schema.app_id));
    }
  }
}
