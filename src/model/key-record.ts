import * as z from 'zod';
import { REVERSIBILITIES } from './reversibility.ts';
import { SCOPES } from './scope.ts';

const MAX_APPS = 100;
const MAX_GLOB = 200;

/** The fields of a record that restrict its key. */
export type Restrictions = Pick<KeyRecord, 'scopes' | 'apps' | 'max_reversibility' | 'confirm' | 'expires_at'>;

/** An entry of the keys file. The plaintext key is never stored. */
export const keyRecord = z.looseObject({
  id: z.string().min(1),
  key_hash: z.string().regex(/^(?:blake3|hash):[0-9a-f]{64}$/, 'expected blake3:<64 hex digits>'),
  label: z.string().optional(),
  created_at: z.string(),
  last_used_at: z.string().nullable().default(null),
  enabled: z.boolean(),
  /** The key is refused from then on. Absent if it never expires. */
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  /** Permissions, as permissions.ts explains. Absent if unrestricted. A record with an invalid field admits nobody. */
  scopes: z.array(z.enum(SCOPES)).nullable().optional(),
  /** Globs on app_id and app_name. */
  apps: z.array(z.string().min(1).max(MAX_GLOB)).max(MAX_APPS).nullable().optional(),
  max_reversibility: z.enum(REVERSIBILITIES).nullable().optional(),
  confirm: z.boolean().nullable().optional(),
});
export type KeyRecord = z.infer<typeof keyRecord>;

export const keysFile = z.looseObject({ keys: z.array(keyRecord) });
