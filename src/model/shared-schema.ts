/** The schema of an app that the hosts of a fleet share: names and types, each with its author. Never a value. */
import * as z from 'zod';
import { MAX_ENTRIES, MAX_NAME, sharedAction, sharedLabel } from './schema-document.ts';

export const SHARED_FORMAT = 'substrate-fleet-schema/1';

/** The author, `web-3/key_1a2b`: a host, and the id of a key there. */
const by = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,63}\/[^\s/]{1,200}$/)
  .optional();
const taughtLabel = sharedLabel.extend({ by });
const taughtAction = sharedAction.extend({ by });
export type TaughtLabel = z.infer<typeof taughtLabel>;
export type TaughtAction = z.infer<typeof taughtAction>;

/** Unknown fields are ignored, because a later version may add some. */
export const sharedSchema = z.object({
  format: z.literal(SHARED_FORMAT),
  app_id: z.string().regex(/^[a-z0-9-]{1,200}$/),
  app_name: z.string().max(MAX_NAME),
  labels: z.array(taughtLabel).max(MAX_ENTRIES),
  actions: z.array(taughtAction).max(MAX_ENTRIES),
  /** True if a client asked for the app on one of the hosts. */
  asked: z.boolean(),
  /** True if its processes ended soon after their start. */
  short_lived: z.boolean(),
});
export type SharedSchema = z.infer<typeof sharedSchema>;

/** The schemas of this daemon, for the exchange with other hosts. */
export interface Knowledge {
  /**
   * Adds this daemon's schema of the app to the shared one. `base` is the shared schema as this daemon last saw it,
   * `remote` the current one; both are null if there is none. Returns null if no host knows the app.
   */
  merge(appId: string, base: SharedSchema | null, remote: SharedSchema | null): Merged | null;
}

export interface Merged {
  readonly shared: SharedSchema;
  /** Merges the shared schema into the one of this daemon. To be called after the shared one was written. */
  take(): void;
}
