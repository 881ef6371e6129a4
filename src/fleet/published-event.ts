/** Parses a message that the `publisher.ts` of a host has sent. */
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

/** Null if the message is malformed: anybody whom the server permits may have sent it. */
export function eventOf(data: Uint8Array): PublishedEvent | null {
  try {
    return event.parse(JSON.parse(new TextDecoder().decode(data)));
  } catch {
    // A malformed message is skipped.
    return null;
  }
}
