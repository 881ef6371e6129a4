/** The section `[probe.jvm]` of the configuration. */
import * as z from 'zod';

export const settings = z.strictObject({
  /** Interrupt the app's code when an action exceeds the time of its request. */
  interrupt_actions: z.boolean().default(false),
  /** Read and call the app's management beans. */
  jmx: z.boolean().default(true),
  /** Read and use the app's windows. */
  swing: z.boolean().default(true),
});
export type JvmSettings = z.infer<typeof settings>;
