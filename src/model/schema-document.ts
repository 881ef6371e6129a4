/** The knowledge of people about an app, as a file to share. Names and types only: never a value or a driver's hint. */
import * as z from 'zod';
import { TYPE_NAMES } from './scalar.ts';

export const SCHEMA_FORMAT = 'substrate-schema/1';
/** More than the daemon ever writes by itself. Also the limit of a schema, so that an export can be imported again. */
export const MAX_ENTRIES = 10_000;
export const MAX_PATH = 2000;
export const MAX_NAME = 500;

const confidence = z.number().min(0).max(1);
const notes = z.string().max(MAX_PATH).optional();

/** Lists, not objects keyed by foreign names: no such name can collide with Object.prototype. */
export const sharedLabel = z.strictObject({
  /** Its path in the app; `[*]` stands for every index. */
  path: z.string().min(1).max(MAX_PATH),
  label: z.string().min(1).max(MAX_PATH),
  type: z.enum([...TYPE_NAMES, 'null']),
  confidence,
  /** True if a person confirmed it; false if the engine inferred it. */
  confirmed: z.boolean(),
  notes,
});
export type SharedLabel = z.infer<typeof sharedLabel>;

export const sharedAction = z.strictObject({
  /** Its name before any correction. */
  action: z.string().min(1).max(MAX_PATH),
  name: z.string().min(1).max(MAX_NAME),
  returns: z.enum(TYPE_NAMES),
  confidence,
  binding: z.string().max(MAX_NAME).optional(),
  notes,
});
export type SharedAction = z.infer<typeof sharedAction>;

const appId = z.string().regex(/^[a-z0-9-]{1,200}$/);

export const schemaDocument = z.strictObject({
  format: z.literal(SCHEMA_FORMAT),
  app_id: appId,
  app_name: z.string().max(MAX_NAME),
  labels: z.array(sharedLabel).max(MAX_ENTRIES),
  actions: z.array(sharedAction).max(MAX_ENTRIES),
});
export type SchemaDocument = z.infer<typeof schemaDocument>;

export const appIdQuery = appId;
export const allQuery = z.enum(['true', 'false']).default('false');

export const importRequest = z.strictObject({
  document: schemaDocument,
  /** Imported entries replace those confirmed here. */
  force: z.boolean().default(false),
  /** Report the result without changing anything. */
  dry_run: z.boolean().default(false),
  /** Also import if no app with this app_id is known here. */
  create: z.boolean().default(false),
});
export type ImportRequest = z.infer<typeof importRequest>;

export const IMPORT_OUTCOMES = ['added', 'changed', 'unchanged', 'conflict', 'rejected'] as const;

export const importResponse = z.object({
  app_id: z.string(),
  schema_version: z.string(),
  counts: z.object({
    added: z.int().min(0),
    changed: z.int().min(0),
    unchanged: z.int().min(0),
    conflict: z.int().min(0),
    rejected: z.int().min(0),
  }),
  /** The entries that differ, up to the first 1,000. */
  entries: z.array(
    z.object({
      kind: z.enum(['label', 'action']),
      path: z.string(),
      outcome: z.enum(IMPORT_OUTCOMES),
      /** The imported name. */
      name: z.string(),
      /** The earlier value, or the reason of a refusal, in words. */
      detail: z.string(),
    }),
  ),
});
export type ImportResponse = z.infer<typeof importResponse>;
