/** The section `[probe.clr]` of the configuration. */
import * as z from 'zod';

export const settings = z.strictObject({
  /** Cancel the app's code when an action exceeds the time of its request. */
  interrupt_actions: z.boolean().default(false),
  /** Scan the heap of an app where the cheap ways find little (costs a full garbage collection). */
  heap: z.boolean().default(true),
  /** Never scan a heap larger than this: the app is stopped meanwhile. */
  heap_max_mb: z.int().min(1).default(64),
  /** Read and use the app's windows (Windows Forms). */
  forms: z.boolean().default(true),
});
export type ClrSettings = z.infer<typeof settings>;
