/**
 * A daemon leaves unknown programs alone for a while. With a long while, and one known target, it attaches only to that
 * one, whatever else runs on the machine.
 */
import fs from 'node:fs';
import path from 'node:path';
import { emptySchema } from '../../src/model/app-schema.ts';
import { makeAppId } from '../../src/semantic/app-id.ts';

export const LEAVE_OTHERS_ALONE = { SUBSTRATE_PROBE__SETTLE_MS: '3600000', SUBSTRATE_PROBE__INTERVAL_MS: '100' };

/** Makes this target (`shop.cjs`) known; returns its app_id. */
export function knowTarget(home: string, file: string): string {
  const script = fs.realpathSync(path.resolve(import.meta.dirname, '../targets', file));
  const name = path.parse(file).name;
  const appId = makeAppId(name, `node:${script}`, process.getuid?.() ?? -1);
  const folder = path.join(home, '.local/share/substrate/schemas');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(folder, `${appId}.json`), JSON.stringify(emptySchema(appId, name)), { mode: 0o600 });
  return appId;
}
