/** `substrate keys list|enable|disable|delete`. Hashes are never shown. */
import type { KeyRecord } from '../model/key-record.ts';
import { type KeyCommandOptions, openKeyStore } from './key-command.ts';

export async function listKeys(options: KeyCommandOptions): Promise<void> {
  const { store, keysFile } = openKeyStore(options);
  const records = store.list();
  if (options.json === true) {
    options.stdout(JSON.stringify({ keys_file: keysFile, keys: records.map(shown) }));
  } else if (records.length === 0) {
    options.stdout(`no keys in ${keysFile}; create one with: substrate keygen`);
  } else {
    for (const line of table(records)) options.stdout(line);
  }
}

/** `id` may be the unique beginning of one. */
export async function setKeyEnabled(options: KeyCommandOptions & { id: string; enabled: boolean }): Promise<void> {
  const { enabled } = options;
  const id = await openKeyStore(options).store.setEnabled(options.id, enabled);
  options.stdout(options.json === true ? JSON.stringify({ id, enabled }) : `${id} ${stateWord(enabled)}`);
}

/** `id` may be the unique beginning of one. */
export async function deleteKey(options: KeyCommandOptions & { id: string }): Promise<void> {
  const id = await openKeyStore(options).store.delete(options.id);
  options.stdout(options.json === true ? JSON.stringify({ id, deleted: true }) : `${id} deleted`);
}

/** Field by field: a record may carry more than is known here, and its hash is nobody's business. */
function shown({ id, label, created_at, last_used_at, enabled }: KeyRecord) {
  return { id, label: label ?? null, created_at, last_used_at, enabled };
}

function table(records: readonly KeyRecord[]): string[] {
  const rows = [
    ['ID', 'STATE', 'CREATED', 'LAST USED', 'LABEL'],
    ...records.map(({ id, enabled, created_at, last_used_at, label }) =>
      [id, stateWord(enabled), created_at, last_used_at ?? 'never', label ?? ''].map(printable),
    ),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function stateWord(enabled: boolean): string {
  return enabled ? 'enabled' : 'disabled';
}

/** The file is written by people too: what would steer the terminal is shown as a question mark. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '?');
}
