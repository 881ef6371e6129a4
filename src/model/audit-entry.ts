/**
 * A line of the log of actions: who asked for an action, and how it ended. Names only, never a value of an app or
 * request.
 */
import * as z from 'zod';
import { REVERSIBILITIES } from './reversibility.ts';

/** `learn` and `import` change what names mean, `key` is a change of the keys file. */
export const AUDIT_EVENTS = ['action', 'approve', 'deny', 'learn', 'import', 'detach', 'key'] as const;
export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/**
 * `ran`: as requested. `failed`: the app threw. `unverified`: the expected condition is not true. `unknown`: it has
 * begun.
 */
export const AUDIT_OUTCOMES = ['ran', 'failed', 'unverified', 'unknown', 'refused'] as const;

/** Lines of earlier versions lack the fields that have a default. */
export const auditEntry = z.looseObject({
  time: z.iso.datetime(),
  event: z.enum(AUDIT_EVENTS).default('action'),
  key_id: z.string(),
  pid: z.int().nullable(),
  app_id: z.string().nullable(),
  /** The requested name. For other events, the object of the event. */
  action: z.string(),
  /** The method that ran, since a name can be bound to another one. Null if nothing was dispatched. */
  binding: z.string().nullable().default(null),
  reversibility: z.enum(REVERSIBILITIES).nullable().default(null),
  /** Names only. */
  parameters: z.array(z.string()),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** The reason of a refusal or a failed verification. */
  code: z.string().nullable(),
  /** The key of the person who confirmed, if a confirmation was needed. */
  confirmed_by: z.string().nullable(),
  /** Similar refusals share a line; this is their number. */
  count: z.int().min(1).default(1),
});
export type AuditEntry = z.infer<typeof auditEntry>;
