/** The section `[probe.v8]` of the configuration. */
import path from 'node:path';
import * as z from 'zod';

export const settings = z.strictObject({
  /** Scan the heap for state if the cheap ways find none (costs the app a full garbage collection). */
  heap_scan: z.boolean().default(true),
  /** Never scan a heap larger than this. */
  heap_scan_max_mb: z.int().min(1).default(64),
  /** Pages may receive files in these folders; without any, none. */
  upload_folders: z.array(z.string().refine((folder) => path.isAbsolute(folder), 'expected a whole path')).optional(),
});
export type V8Settings = z.infer<typeof settings>;
