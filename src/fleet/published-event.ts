/** A message of what a host publishes, as `publisher.ts` makes it. */
import * as z from 'zod';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const event = z.object({
  instance: z.string().max(64),
  pid: z.int(),
  sequence: z.int().min(1),
  timestamp: z.iso.datetime(),
  values: z.record(z.string(), value).optional(),
  removed: z.array(z.string()).optional(),
  ended: z.literal(true).optional(),
});
export type PublishedEvent = z.infer<typeof event>;

/** Null: it is none. Whoever the server lets publish may have sent it. */
export function eventOf(data: Uint8Array): PublishedEvent | null {
  try {
    return event.parse(JSON.parse(new TextDecoder().decode(data)));
  } catch {
    // One that cannot be read says nothing about any key.
    return null;
  }
}
