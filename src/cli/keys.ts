/** `substrate keys list|enable|disable|delete`. Hashes are never shown. */
import type { KeyRecord } from '../model/key-record.ts';
import { describePermissions } from '../model/permissions.ts';
import type { KeyStore } from '../store/key-store.ts';
import { StoreError } from '../store/store-error.ts';
import { type KeyCommandOptions, openKeyStore } from './key-command.ts';
import { table } from './table.ts';

export const STILL_IN_FORCE =
  'As long as the file cannot be used, a running daemon keeps the keys that it read last, revoked ones included.';

export async function listKeys(options: KeyCommandOptions): Promise<void> {
  const { store, keysFile } = openKeyStore(options);
  const records = listed(store, options.stderr);
  if (options.json === true) {
    options.stdout(JSON.stringify({ keys_file: keysFile, keys: records.map(shown) }));
  } else if (records.length === 0) {
    options.stderr(`no keys in ${keysFile}; create one with: substrate keygen`);
  } else {
    for (const line of lines(records, options.width ?? Number.POSITIVE_INFINITY)) options.stdout(line);
  }
}

/** A user who broke the file by revoking a key has not revoked it. */
function listed(store: KeyStore, note: (line: string) => void): KeyRecord[] {
  try {
    return store.list();
  } catch (error) {
    if (error instanceof StoreError) note(STILL_IN_FORCE);
    throw error;
  }
}

/** A unique prefix of an `id` is enough. */
export async function setKeyEnabled(options: KeyCommandOptions & { id: string; enabled: boolean }): Promise<void> {
  const { enabled } = options;
  const id = await openKeyStore(options).store.setEnabled(options.id, enabled);
  options.stdout(options.json === true ? JSON.stringify({ id, enabled }) : `${id} ${stateWord(enabled)}`);
}

/** A unique prefix of an `id` is enough. */
export async function deleteKey(options: KeyCommandOptions & { id: string }): Promise<void> {
  const id = await openKeyStore(options).store.delete(options.id);
  options.stdout(options.json === true ? JSON.stringify({ id, deleted: true }) : `${id} deleted`);
}

/** Field by field: a record may have unknown fields, and its hash stays private. */
function shown({ id, label, created_at, last_used_at, enabled, ...record }: KeyRecord) {
  const { expires_at = null, scopes = null, apps = null, max_reversibility = null, confirm = null } = record;
  const restrictions = { scopes, apps, max_reversibility, confirm: confirm === true };
  return { id, label: label ?? null, created_at, last_used_at, enabled, expires_at, ...restrictions };
}

function lines(records: readonly KeyRecord[], width: number): string[] {
  const rows = records.map((record) => [
    record.id,
    record.enabled && hasExpired(record) ? 'expired' : stateWord(record.enabled),
    describePermissions(record),
    record.expires_at ?? 'never',
    record.created_at,
    record.last_used_at ?? 'never',
    record.label ?? '',
  ]);
  return table(['ID', 'STATE', 'MAY', 'EXPIRES', 'CREATED', 'LAST USED', 'LABEL'], rows, (_, text) => text, width, [
    'CREATED',
    'LAST USED',
    'EXPIRES',
    'MAY',
  ]);
}

function hasExpired({ expires_at }: KeyRecord): boolean {
  return typeof expires_at === 'string' && Date.parse(expires_at) <= Date.now();
}

function stateWord(enabled: boolean): string {
  return enabled ? 'enabled' : 'disabled';
}
