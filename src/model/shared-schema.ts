/** What the hosts of a fleet know of an app together: names and types with who said so. Never a value. */
import * as z from 'zod';
import { MAX_ENTRIES, MAX_NAME, sharedAction, sharedLabel } from './schema-document.ts';

export const SHARED_FORMAT = 'substrate-fleet-schema/1';

/** `web-3/key_1a2b`: the host, and the id of the key there. */
const by = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,63}\/[^\s/]{1,200}$/)
  .optional();
const taughtLabel = sharedLabel.extend({ by });
const taughtAction = sharedAction.extend({ by });
export type TaughtLabel = z.infer<typeof taughtLabel>;
export type TaughtAction = z.infer<typeof taughtAction>;

/** Not strict: a later version may say more. */
export const sharedSchema = z.object({
  format: z.literal(SHARED_FORMAT),
  app_id: z.string().regex(/^[a-z0-9-]{1,200}$/),
  app_name: z.string().max(MAX_NAME),
  labels: z.array(taughtLabel).max(MAX_ENTRIES),
  actions: z.array(taughtAction).max(MAX_ENTRIES),
  /** Somebody asked for it on one of the hosts. */
  asked: z.boolean(),
  /** Its processes were over soon. */
  short_lived: z.boolean(),
});
export type SharedSchema = z.infer<typeof sharedSchema>;

/** What this daemon knows of apps, for whoever shares it with others. */
export interface Knowledge {
  /**
   * What all know, once this daemon has added what it knows. `base`: what they knew when it last looked, `remote`: what
   * they know now; null: nothing. Null: there is nothing to say.
   */
  merge(appId: string, base: SharedSchema | null, remote: SharedSchema | null): Merged | null;
}

export interface Merged {
  readonly shared: SharedSchema;
  /** Takes it in here. To be called when the others have it. */
  take(): void;
}
