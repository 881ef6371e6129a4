/** Checks the configuration, the data folder and the keys. */

import fs from 'node:fs';
import { ConfigError, type LoadedConfig } from '../../config.ts';
import { codeOf, messageOf } from '../../model/failure.ts';
import { KeyStore } from '../../store/key-store.ts';
import { type Flaw, flawOf } from '../../store/private-path.ts';
import { flawOfSecret } from '../../store/secret-file.ts';
import { STILL_IN_FORCE } from '../keys.ts';
import { type Check, ok, problem, warning } from './check.ts';

export type ConfigResult = { readonly loaded: LoadedConfig } | { readonly failure: unknown };

export function checkConfig(result: ConfigResult): Check[] {
  if ('loaded' in result) {
    const { configFile } = result.loaded.paths;
    const found = ok('configuration', configFile === null ? 'no configuration file: defaults are used' : configFile);
    return [found, ...checkNames(result.loaded)];
  }
  const { failure } = result;
  const problems = failure instanceof ConfigError ? failure.problems : [String(failure)];
  return problems.map((text) =>
    problem('configuration', text, 'Correct it: docs/configuration.md lists what there is.'),
  );
}

/** Requests to a daemon under an unknown name are refused, including those of monitoring. */
function checkNames({ config: { server } }: LoadedConfig): Check[] {
  const isEverywhere = server.host === '0.0.0.0' || server.host === '::';
  if (!isEverywhere || server.allowed_hosts.length > 0) return [];
  const message = `The daemon listens on ${server.host}, but answers to its addresses only, not to the name of this machine.`;
  return [warning('allowed_hosts', message, 'Name it in allowed_hosts of [server], if it is called by a name.')];
}

/** `uid`: of this process; null where users have no numbers. */
export function checkFiles({ config, paths }: LoadedConfig, uid: number | null): Check[] {
  const { storageDir, keysFile } = paths;
  const checks = [
    checkPath('data_folder', storageDir, uid, flawOf),
    checkPath('keys_file', keysFile, uid, flawOfSecret),
  ];
  if (!config.auth.require_key) {
    const message = 'Keys are switched off: every local program can read and control your apps.';
    return [...checks, warning('keys', message, 'Set require_key = true in [auth].')];
  }
  // An unreadable file has been reported.
  return checks.some(({ status }) => status === 'problem') ? checks : [...checks, checkKeys(keysFile)];
}

function checkPath(
  id: string,
  file: string,
  uid: number | null,
  lookAt: (file: string, self: number) => Flaw | null,
): Check {
  let found: fs.Stats;
  try {
    found = fs.statSync(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return ok(id, `${file} is made when it is needed`);
    return problem(id, `${file} cannot be looked at (${String(code)}).`, 'Give it to the user that runs substrate.');
  }
  if (uid === null) return ok(id, file);
  // It must be writable, too, so a file of root is not enough for other users.
  if (found.uid !== uid) return problem(id, `${file} belongs to another user (${found.uid}).`, `chown ${uid} ${file}`);
  const flaw = lookAt(file, uid);
  return flaw === null ? ok(id, file) : problem(id, `${flaw.problem}.`, flaw.remedy);
}

function checkKeys(file: string): Check {
  const remarks: string[] = [];
  const remark = (fields: object, message: string) => remarks.push(`${message}: ${JSON.stringify(fields)}`);
  const store = new KeyStore({ file, logger: { debug: () => {}, info: () => {}, warn: remark, error: remark } });
  try {
    const keys = store.list();
    const [first] = remarks;
    if (first !== undefined) return problem('keys', first, `Correct ${file}, or move it away and make new keys.`);
    const enabled = keys.filter((key) => key.enabled).length;
    if (enabled > 0) return ok('keys', `${enabled} of ${keys.length} keys enabled`);
    return warning('keys', 'No key is enabled: only the commands of this user get in.', 'substrate keygen');
  } catch (error) {
    const why = messageOf(error);
    return problem('keys', `${why} ${STILL_IN_FORCE}`, `Correct ${file}, or move it away and make new keys.`);
  }
}
