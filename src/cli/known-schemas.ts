/** The schemas of apps: from the daemon, whose memory is newer than the disk, or from disk if none runs. */

import { ConnectionError, type ImportResponse, type Substrate } from '../client/node.ts';
import { emptySchema } from '../model/app-schema.ts';
import { codeOf } from '../model/failure.ts';
import type { SchemaDocument } from '../model/schema-document.ts';
import { exportSchema, importSchema } from '../semantic/share-schema.ts';
import { SchemaRegistry } from '../store/schema-registry.ts';
import { inTime } from './connection.ts';
import { partsOf } from './schema-file.ts';

export interface ImportOptions {
  readonly force: boolean;
  readonly dryRun: boolean;
  /** Also if no such app is known. */
  readonly create: boolean;
}

export interface KnownSchemas {
  /** Every app_id with a schema, as far as known. */
  ids(): Promise<string[]>;
  export(appId: string, all: boolean): Promise<SchemaDocument | null>;
  /** Null if no such app is known. */
  import(document: SchemaDocument, options: ImportOptions): Promise<ImportResponse | null>;
}

/** `schemasDir`: null if the daemon was given on the command line, and its disk may be another one. */
export async function openSchemas(substrate: Substrate, schemasDir: string | null): Promise<KnownSchemas> {
  try {
    await substrate.health(inTime());
    return new AskedSchemas(substrate, schemasDir);
  } catch (error) {
    if (schemasDir === null || !(error instanceof ConnectionError)) throw error;
    return new StoredSchemas(schemasDir);
  }
}

class AskedSchemas implements KnownSchemas {
  private readonly substrate: Substrate;
  private readonly stored: StoredSchemas | null;

  constructor(substrate: Substrate, schemasDir: string | null) {
    this.substrate = substrate;
    this.stored = schemasDir === null ? null : new StoredSchemas(schemasDir);
  }

  async ids(): Promise<string[]> {
    const running = (await this.substrate.apps()).map(({ app_id }) => app_id);
    return [...new Set([...running, ...((await this.stored?.ids()) ?? [])])];
  }

  export(appId: string, all: boolean): Promise<SchemaDocument | null> {
    return this.substrate.exportSchema(appId, { all }).catch(nullIfUnknown);
  }

  async import(document: SchemaDocument, options: ImportOptions): Promise<ImportResponse | null> {
    let sum: ImportResponse | null = null;
    for (const part of partsOf(document)) {
      const next = await this.substrate.importSchema(part, options).catch(nullIfUnknown);
      if (next === null) return null;
      sum = sum === null ? next : joined(sum, next);
    }
    return sum;
  }
}

function nullIfUnknown(error: unknown): null {
  if (codeOf(error) === 'not_found') return null;
  throw error;
}

function joined(one: ImportResponse, next: ImportResponse): ImportResponse {
  return {
    ...next,
    counts: {
      added: one.counts.added + next.counts.added,
      changed: one.counts.changed + next.counts.changed,
      unchanged: one.counts.unchanged + next.counts.unchanged,
      conflict: one.counts.conflict + next.counts.conflict,
      rejected: one.counts.rejected + next.counts.rejected,
    },
    entries: [...one.entries, ...next.entries],
  };
}

class StoredSchemas implements KnownSchemas {
  private readonly registry: SchemaRegistry;
  private readonly problems: string[] = [];

  constructor(dir: string) {
    const complain = (fields: object, message: string) => {
      this.problems.push(`${message}: ${'reason' in fields ? String(fields.reason) : ''}`);
    };
    const logger = { debug: () => {}, info: () => {}, warn: complain, error: complain };
    this.registry = new SchemaRegistry({ dir, logger });
  }

  async ids(): Promise<string[]> {
    return this.registry.ids();
  }

  async export(appId: string, all: boolean): Promise<SchemaDocument | null> {
    const schema = this.load(appId);
    return schema === null ? null : exportSchema(schema, all);
  }

  async import(document: SchemaDocument, { force, dryRun, create }: ImportOptions): Promise<ImportResponse | null> {
    const known = this.load(document.app_id);
    if (known === null && !create) return null;
    const schema = known ?? emptySchema(document.app_id, document.app_name);
    const result = importSchema(schema, document, { force });
    if (dryRun || result.counts.added + result.counts.changed === 0) return result;
    this.registry.save(schema);
    await this.registry.flush();
    this.complain();
    return result;
  }

  private load(appId: string) {
    const schema = this.registry.load(appId);
    this.complain();
    return schema;
  }

  /** The daemon logs it and goes on; a person who asked for it must know. */
  private complain(): void {
    if (this.problems.length > 0) throw new Error(this.problems.join('; '));
  }
}
