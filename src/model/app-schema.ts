/** The schema of an app: kept on disk per app_id and reused at the next start of the app. */
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
  /** Imported from a file, so nobody here has checked it: it never raises the confidence. */
  imported: z.literal(true).optional(),
  /** The id of the key that taught it, `host/key` if it is of another host. It opens no gate for that key. */
  by: z.string().optional(),
  /**
   * Taught for a root that had another name in an earlier build, and with which confidence. It opens no gate further.
   */
  moved: z.object({ from: z.string(), confidence: z.number().min(0).max(1) }).optional(),
});
export type LabelEntry = z.infer<typeof labelEntry>;

/** A person's correction of an action. The key in `actions` is the action's raw name. */
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

/** The fingerprint of a root whose name differs in each build: hashes of the names below it. */
const rootPrint = z.object({ family: z.string(), names: z.array(z.string()) });

export const appSchema = z.object({
  format: z.literal(1),
  app_id: z.string(),
  app_name: z.string(),
  /** Earlier ids of the app, the newest last: requests, keys and the log of actions may still use them. */
  aliases: z.array(z.string()).optional(),
  schema_version: z.string().regex(/^\d+\.\d+\.\d+$/),
  labels: z.record(z.string(), labelEntry),
  actions: z.record(z.string(), actionEntry),
  /** The fingerprints of roots below which a person confirmed something. */
  roots: z.record(z.string(), rootPrint).optional(),
  /** The daemon's own notes for the next attach. They are optional, so invalid ones are dropped. */
  hints: z
    .object({
      /** Somebody asked for its state before, so it is attached to without being asked. */
      asked: z.boolean().optional(),
      /** Somebody asked for its state on another host, so it is attached to without being asked unless it is a tool. */
      asked_elsewhere: z.boolean().optional(),
      /** Its last process ended soon after its start. */
      short_lived: z.boolean().optional(),
      /** The part of the budget that ended the last search, or null. */
      stopped_by: z.enum(BUDGET_PARTS).nullable().optional(),
      /** True if the last scan of the heap found anything. */
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
