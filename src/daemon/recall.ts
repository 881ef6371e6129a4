/** The stored knowledge about an app, including that of its earlier ids: a new id loses no correction. */
import { type AppSchema, emptySchema } from '../model/app-schema.ts';
import { nextMinor } from '../semantic/schema-notes.ts';

const MAX_ALIASES = 16;

/** Keeps schemas between starts. */
export interface SchemaStore {
  load(appId: string): AppSchema | null;
  save(schema: AppSchema): void;
  /** The ids of the same program under other names. */
  namesakes(appId: string): readonly string[];
  /** The one id that replaced an earlier one; the same id if none or several did. */
  currentId(appId: string): string;
}

export interface Recalled {
  /** Null if nothing is known, and it had no other id. */
  readonly schema: AppSchema | null;
  /** Something was stored, under any of its ids. */
  readonly isKnown: boolean;
  /** The schema has parts that are not on disk. */
  readonly isChanged: boolean;
}

/** `own`: the knowledge under the current id. `earlier`: ids that the app had before, or would have had. */
export function recall(
  app: { readonly appId: string; readonly appName: string },
  own: AppSchema | null,
  earlier: readonly string[],
  store: SchemaStore,
): Recalled {
  const { appId, appName } = app;
  const known = new Set([appId, ...(own?.aliases ?? [])]);
  // If one program had several names, only the current one counts: with another name it may have been another app.
  const found = [appId, ...earlier].flatMap((id) =>
    id !== appId && store.load(id) !== null ? [id] : [id, ...store.namesakes(id)],
  );
  const former = [...new Set(found)].filter((id) => !known.has(id));
  if (former.length === 0) return { schema: own, isKnown: own !== null, isChanged: false };
  const schema = own ?? emptySchema(appId, appName);
  const aliases = [...known, ...former];
  let isKnown = own !== null;
  for (const id of former) {
    const left = store.load(id);
    if (left === null) continue;
    if (isKnown) takeTaught(schema, left);
    else takeAll(schema, left);
    aliases.push(...(left.aliases ?? []));
    isKnown = true;
  }
  schema.aliases = [...new Set(aliases)].filter((id) => id !== appId).slice(-MAX_ALIASES);
  return { schema, isKnown, isChanged: true };
}

function takeAll(into: AppSchema, from: AppSchema): void {
  const { app_id, app_name } = into;
  Object.assign(into, structuredClone({ ...from }), { app_id, app_name });
}

/** Takes over corrections of people that the new schema lacks. */
function takeTaught(into: AppSchema, from: AppSchema): void {
  let isNew = false;
  for (const [shape, entry] of Object.entries(from.labels)) {
    if (!entry.confirmed || into.labels[shape]?.confirmed) continue;
    into.labels[shape] = structuredClone(entry);
    isNew = true;
  }
  for (const [name, entry] of Object.entries(from.actions)) {
    if (Object.hasOwn(into.actions, name)) continue;
    into.actions[name] = structuredClone(entry);
    isNew = true;
  }
  into.roots = { ...structuredClone(from.roots ?? {}), ...into.roots };
  if (isNew) into.schema_version = nextMinor(into.schema_version);
}
