/** A line of the log of actions: who asked for what, and what came of it. Names only: no value of an app or a request. */
import * as z from 'zod';
import { REVERSIBILITIES } from './reversibility.ts';

/** `learn` and `import` change what names mean, `key` is a change of the keys file. */
export const AUDIT_EVENTS = ['action', 'approve', 'deny', 'learn', 'import', 'detach', 'key'] as const;
export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** `ran`: as wanted. `failed`: the app threw. `unverified`: what was to be true is not. `unknown`: it was begun. */
export const AUDIT_OUTCOMES = ['ran', 'failed', 'unverified', 'unknown', 'refused'] as const;

/** Lines of earlier versions lack what has a default. */
export const auditEntry = z.looseObject({
  time: z.iso.datetime(),
  event: z.enum(AUDIT_EVENTS).default('action'),
  key_id: z.string(),
  pid: z.int().nullable(),
  app_id: z.string().nullable(),
  /** The name that was asked for; of other events, what they are about. */
  action: z.string(),
  /** What really ran: a name can be bound to another method. Null: nothing was dispatched. */
  binding: z.string().nullable().default(null),
  reversibility: z.enum(REVERSIBILITIES).nullable().default(null),
  /** Their names. */
  parameters: z.array(z.string()),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** Why it was refused, or failed to be verified. */
  code: z.string().nullable(),
  /** The key of the person who agreed, where one had to. */
  confirmed_by: z.string().nullable(),
  /** How many there were: refusals that are alike share a line. */
  count: z.int().min(1).default(1),
});
export type AuditEntry = z.infer<typeof auditEntry>;
