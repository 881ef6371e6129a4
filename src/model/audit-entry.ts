/** A line of the log of actions: who asked for what, and what came of it. Names only: no value of an app or a request. */
import * as z from 'zod';

/** `ran`: as wanted. `failed`: the app threw. `unverified`: what was to be true is not. `unknown`: it was begun. */
export const AUDIT_OUTCOMES = ['ran', 'failed', 'unverified', 'unknown', 'refused'] as const;

export const auditEntry = z.looseObject({
  time: z.iso.datetime(),
  key_id: z.string(),
  pid: z.int().nullable(),
  app_id: z.string().nullable(),
  action: z.string(),
  /** Their names. */
  parameters: z.array(z.string()),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** Why it was refused, or failed to be verified. */
  code: z.string().nullable(),
  /** The key of the person who agreed, where one had to. */
  confirmed_by: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;
