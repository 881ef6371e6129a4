/** The section `[probe.jvm]` of the configuration. */
import * as z from 'zod';

export const settings = z.strictObject({
  /** Interrupt what an action does in the app when the time of its request is over. */
  interrupt_actions: z.boolean().default(false),
  /** Read and call the management beans that an app has. */
  jmx: z.boolean().default(true),
  /** Read and use the windows of an app that has some. */
  swing: z.boolean().default(true),
});
export type JvmSettings = z.infer<typeof settings>;
