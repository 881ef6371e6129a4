import * as z from 'zod';

/** An entry of the keys file. The plaintext key is never stored. */
export const keyRecord = z.looseObject({
  id: z.string().min(1),
  key_hash: z.string().regex(/^(?:blake3|hash):[0-9a-f]{64}$/, 'expected blake3:<64 hex digits>'),
  label: z.string().optional(),
  created_at: z.string(),
  last_used_at: z.string().nullable().default(null),
  enabled: z.boolean(),
  /** From then on it lets nobody in. Absent: never. */
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
});
export type KeyRecord = z.infer<typeof keyRecord>;

export const keysFile = z.looseObject({ keys: z.array(keyRecord) });
