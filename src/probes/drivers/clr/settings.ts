/** The section `[probe.clr]` of the configuration. */
import * as z from 'zod';

export const settings = z.strictObject({
  /** Interrupt what an action does in the app when the time of its request is over. */
  interrupt_actions: z.boolean().default(false),
  /** Look through the heap of an app where the cheap ways find little (costs a full garbage collection). */
  heap: z.boolean().default(true),
  /** Never look through a heap larger than this: the app stands still meanwhile. */
  heap_max_mb: z.int().min(1).default(64),
  /** Read and use the windows of an app that has some (Windows Forms). */
  forms: z.boolean().default(true),
});
export type ClrSettings = z.infer<typeof settings>;
