/** Merges corrections, imported files and schemas of other hosts into the schemas of apps, and logs that. */
import { type AppSchema, emptySchema } from '../model/app-schema.ts';
import { SubstrateError } from '../model/errors.ts';
import type { ImportRequest, ImportResponse, SchemaDocument } from '../model/schema-document.ts';
import type { Knowledge, Merged, SharedSchema } from '../model/shared-schema.ts';
import type { LearnRequest, LearnResponse } from '../model/wire.ts';
import { learn } from '../semantic/learn.ts';
import { exportSchema, importSchema } from '../semantic/share-schema.ts';
import { mergeShared, sharedSchemaOf, type Taken, takeShared } from '../semantic/shared-schema.ts';
import { type ActionLog, aboutCorrections, eventEntry } from './action-log.ts';
import type { SchemaStore } from './recall.ts';
import type { Session } from './session.ts';
import { TaughtShares } from './taught-shares.ts';
import type { Tracker } from './tracker.ts';

export interface TeachingParts {
  readonly tracker: Pick<Tracker, 'instances' | 'becameKnown'>;
  readonly schemas: SchemaStore;
  readonly actionLog: ActionLog;
}

/** Limit of names in one entry of the log. */
const MAX_NAMED = 3;

export class Teaching {
  private readonly parts: TeachingParts;
  private readonly shares = new TaughtShares();

  constructor(parts: TeachingParts) {
    this.parts = parts;
  }

  learn(session: Session, request: LearnRequest, keyId: string): LearnResponse {
    const { tracker, schemas, actionLog } = this.parts;
    this.shares.take(keyId, request.corrections, false);
    const known = { raw: session.rawActions, named: session.actions };
    const { accepted, rejections, displaced } = learn(session.engine, known, request, keyId);
    if (accepted > 0) {
      for (const instance of tracker.instances(session.appId)) instance.engine.relabelSoon();
      schemas.save(session.engine.schema);
      const about = aboutCorrections(request, accepted);
      actionLog.note(eventEntry('learn', keyId, { pid: session.process.pid, appId: session.appId }, about));
    }
    const parts = [
      `${accepted} accepted${accepted > 0 ? '; keys follow at the next probe cycle' : ''}.`,
      ...displaced.map((key) => `The value that was called ${key} before is opaque now.`),
      ...new Set(rejections.slice(0, 10)),
    ];
    return {
      accepted,
      rejected: rejections.length,
      new_schema_version: session.engine.schema.schema_version,
      message: parts.join(' '),
    };
  }

  exportSchema(appId: string, all: boolean): SchemaDocument {
    const schema = this.knownSchema(appId);
    if (schema === null) throw unknownApp(appId);
    return exportSchema(schema, all);
  }

  importSchema({ document, force, dry_run, create }: ImportRequest, keyId: string): ImportResponse {
    const { tracker, schemas, actionLog } = this.parts;
    const { app_id, app_name } = document;
    const known = this.knownSchema(app_id);
    if (known === null && !create) throw unknownApp(app_id);
    if (!dry_run) this.shares.take(keyId, document, known === null);
    const schema = known ?? emptySchema(app_id, app_name);
    const instances = tracker.instances(app_id);
    const actionNames = new Set(instances.flatMap(({ rawActions }) => rawActions.map(({ name }) => name)));
    const result = importSchema(dry_run ? structuredClone(schema) : schema, document, { force, actionNames });
    if (!dry_run && result.counts.added + result.counts.changed > 0) {
      for (const instance of instances) instance.engine.schemaImported();
      schemas.save(schema);
      const { added, changed } = result.counts;
      const about = `${added} names added, ${changed} changed`;
      actionLog.note(eventEntry('import', keyId, { pid: null, appId: schema.app_id }, about));
    }
    return result;
  }

  /** `host` is the name of this one. */
  knowledgeAs(host: string): Knowledge {
    return { merge: (appId, base, remote) => this.merge(host, appId, base, remote) };
  }

  private merge(host: string, appId: string, base: SharedSchema | null, remote: SharedSchema | null): Merged | null {
    const schema = this.knownSchema(appId);
    if (schema === null && remote === null) return null;
    const own = sharedSchemaOf(schema ?? emptySchema(appId, remote?.app_name ?? ''), host);
    const { shared, refused } = mergeShared(own, base, remote);
    return { shared, take: () => this.take(appId, host, shared, own, refused) };
  }

  private take(appId: string, host: string, shared: SharedSchema, own: SharedSchema, refused: readonly string[]): void {
    const { tracker, schemas, actionLog } = this.parts;
    // Another process of the app may have started meanwhile, or a correction may have come.
    const schema = this.knownSchema(appId) ?? emptySchema(appId, shared.app_name);
    const taken = takeShared(schema, shared, own, host);
    const app = { pid: null, appId };
    if (refused.length > 0) {
      const about = `contradicts another host: ${named(refused)}`;
      actionLog.note({ ...eventEntry('learn', host, app, about), outcome: 'refused' });
    }
    if (taken === null) return;
    for (const instance of tracker.instances(appId)) instance.engine.schemaImported();
    schemas.save(schema);
    for (const [by, names] of byWhom(taken)) actionLog.note(eventEntry('learn', by, app, named(names)));
    tracker.becameKnown(appId);
  }

  /** The schema of a running app is in memory, where it is newer than the stored one. */
  private knownSchema(appId: string): AppSchema | null {
    const { schemas, tracker } = this.parts;
    return tracker.instances(appId)[0]?.engine.schema ?? schemas.load(schemas.currentId(appId));
  }
}

function byWhom(taken: readonly Taken[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { by, what } of taken) found.set(by, [...(found.get(by) ?? []), what]);
  return found;
}

function named(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? `; ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join('; ')}${more}`;
}

function unknownApp(appId: string): SubstrateError {
  return new SubstrateError('not_found', `No app ${appId} is running or known from before.`);
}
