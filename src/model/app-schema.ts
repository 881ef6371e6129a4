/** What is known of an app, kept on disk per app_id and reused at its next start. */
import * as z from 'zod';
import { BUDGET_PARTS } from './budget.ts';
import { TYPE_NAMES } from './scalar.ts';

/** One mapping. Its key in `labels` is the raw path with every array index written `[*]`, or one exact raw path. */
const labelEntry = z.object({
  label: z.string(),
  type: z.enum([...TYPE_NAMES, 'null']),
  confidence: z.number().min(0).max(1),
  confirmed: z.boolean(),
  notes: z.string().optional(),
  /** Came in a file: nobody here looked at it, so it makes nothing surer than it is without it. */
  imported: z.literal(true).optional(),
  /** The id of the key that said so: it opens no gate for that key itself. Of another host: `host/key`. */
  by: z.string().optional(),
  /** Said of a root of another name, in an earlier build: where, and how sure. Gates open no wider by it. */
  moved: z.object({ from: z.string(), confidence: z.number().min(0).max(1) }).optional(),
});
export type LabelEntry = z.infer<typeof labelEntry>;

/** A person's word on an action: the key in `actions` is the action's raw name. */
const actionEntry = z.object({
  name: z.string(),
  returns: z.enum(TYPE_NAMES),
  confidence: z.number().min(0).max(1),
  binding: z.string().optional(),
  notes: z.string().optional(),
  /** Came from another host: nobody here looked at it. */
  imported: z.literal(true).optional(),
  by: z.string().optional(),
});
export type ActionEntry = z.infer<typeof actionEntry>;

/** By what a root that has another name in each build is known again: hashes of the names below it. */
const rootPrint = z.object({ family: z.string(), names: z.array(z.string()) });

export const appSchema = z.object({
  format: z.literal(1),
  app_id: z.string(),
  app_name: z.string(),
  /** Ids that the app had before, the newest last: requests, keys and the log of actions may still name them. */
  aliases: z.array(z.string()).optional(),
  schema_version: z.string().regex(/^\d+\.\d+\.\d+$/),
  labels: z.record(z.string(), labelEntry),
  actions: z.record(z.string(), actionEntry),
  /** Those of roots below which a person confirmed something. */
  roots: z.record(z.string(), rootPrint).optional(),
  /** The daemon's own notes for the next attach. Without them all still works, so that odd ones are dropped. */
  hints: z
    .object({
      /** Somebody asked for it: it is attached to by itself. */
      asked: z.boolean().optional(),
      /** Somebody asked for it on another host: it is attached to by itself unless it is a tool. */
      asked_elsewhere: z.boolean().optional(),
      /** Its last process was over soon. */
      short_lived: z.boolean().optional(),
      /** The part of the budget that ended the last search; null: none did. */
      stopped_by: z.enum(BUDGET_PARTS).nullable().optional(),
      /** Whether the last look through the heap found anything. */
      deep: z.boolean().optional(),
    })
    .catch({}),
});
export type AppSchema = z.infer<typeof appSchema>;

export function emptySchema(appId: string, appName: string): AppSchema {
  return {
    format: 1,
    app_id: appId,
    app_name: appName,
    schema_version: '1.0.0',
    labels: Object.create(null),
    actions: Object.create(null),
    hints: {},
  };
}
