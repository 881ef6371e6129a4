/** What is known of an app, also from the time when it had another id: nothing that was taught is lost by a new one. */
import { type AppSchema, emptySchema } from '../model/app-schema.ts';
import { nextMinor } from '../semantic/schema-notes.ts';

const MAX_ALIASES = 16;

/** Where schemas are kept between starts. */
export interface SchemaStore {
  load(appId: string): AppSchema | null;
  save(schema: AppSchema): void;
  /** The ids of the same program under other names. */
  namesakes(appId: string): readonly string[];
  /** The one id that an earlier one became; the same where none or several did. */
  currentId(appId: string): string;
}

export interface Recalled {
  /** Null: nothing is known, and it had no other id. */
  readonly schema: AppSchema | null;
  /** Something was stored, under whichever id. */
  readonly isKnown: boolean;
  /** It holds something that is not on disk. */
  readonly isChanged: boolean;
}

/** `own`: what is known by the present id. `earlier`: ids that the app had before, or would have had. */
export function recall(
  app: { readonly appId: string; readonly appName: string },
  own: AppSchema | null,
  earlier: readonly string[],
  store: SchemaStore,
): Recalled {
  const { appId, appName } = app;
  const known = new Set([appId, ...(own?.aliases ?? [])]);
  // Of several names that one program had, the present one: with another name it may have been another app.
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

/** What a person said, unless it was said of the new one too. */
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
