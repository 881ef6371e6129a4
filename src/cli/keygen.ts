/** `substrate keygen`: creates a key, restricted by the flags. */
import type { Restrictions } from '../model/key-record.ts';
import { describePermissions } from '../model/permissions.ts';
import type { Reversibility } from '../model/reversibility.ts';
import type { Scope } from '../model/scope.ts';
import { type KeyCommandOptions, openKeyStore } from './key-command.ts';

export interface KeyFlags {
  readonly label?: string;
  readonly scope?: readonly Scope[];
  readonly app?: readonly string[];
  readonly max?: Reversibility;
  readonly expires?: string;
  readonly confirm?: boolean;
}

/** As `substrate apps` shows it. */
const WHOLE_APP_ID = /^[a-z0-9-]+-[0-9a-f]{16}$/;

/** The only moment at which the plaintext key is shown. */
export async function keygen(options: KeyCommandOptions & { flags?: KeyFlags }): Promise<void> {
  const { store, keysFile } = openKeyStore(options);
  const { label, ...flags } = options.flags ?? {};
  const restrictions = restrictionsOf(flags);
  const { key, record } = await store.create(label, restrictions);
  if (options.json === true) {
    options.stdout(JSON.stringify({ key, id: record.id, keys_file: keysFile, ...restrictions }));
    return;
  }
  options.stdout(`key:       ${key}`);
  options.stdout(`id:        ${record.id}`);
  options.stdout(`may:       ${describePermissions(record)}`);
  if (record.apps?.some((app) => !WHOLE_APP_ID.test(app)))
    options.stdout(
      'apps:      a name means every program of this user that has it; one program: its app_id in substrate apps',
    );
  if (record.expires_at) options.stdout(`expires:   ${record.expires_at}`);
  options.stdout(`keys file: ${keysFile}`);
}

/** An absent flag means no restriction. */
function restrictionsOf({ scope, app, max, expires, confirm }: KeyFlags): Restrictions {
  return {
    ...(scope === undefined ? {} : { scopes: [...new Set(scope)] }),
    ...(app === undefined ? {} : { apps: [...app] }),
    ...(max === undefined ? {} : { max_reversibility: max }),
    ...(confirm === true ? { confirm } : {}),
    ...(expires === undefined ? {} : { expires_at: expires }),
  };
}
