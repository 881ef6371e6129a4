/** `substrate keygen [--label TEXT] [--json]` */
import { type KeyCommandOptions, openKeyStore } from './key-command.ts';

/** The only moment at which the plaintext key is seen. */
export async function keygen(options: KeyCommandOptions & { label?: string | undefined }): Promise<void> {
  const { store, keysFile } = openKeyStore(options);
  const { key, record } = await store.create(options.label);
  if (options.json === true) {
    options.stdout(JSON.stringify({ key, id: record.id, keys_file: keysFile }));
    return;
  }
  options.stdout(`key:       ${key}`);
  options.stdout(`id:        ${record.id}`);
  options.stdout(`keys file: ${keysFile}`);
}
