/**
 * The package's types are written out from the schemas; they must equal the types that this repository compiles with.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { clientTypes } from '../../../scripts/client-types.mjs';
import { tempFolder } from '../store/temp-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SAME = `
/** Intersections written out, so that equal types also look equal. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
type IsSame<One, Other> = Same<Plain<One>, Plain<Other>>;
`;

/** The compiler's output for these types, beside those of the repository. */
function compared(types: string): string {
  const folder = tempFolder();
  fs.writeFileSync(path.join(folder, 'written.ts'), types);
  const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
  const rows = names.map((name) => `export const of${name}: IsSame<written.${name}, source.${name}> = true;`);
  const imports = `import type * as source from '${ROOT}/src/client/types.ts';\nimport type * as written from './written.ts';`;
  fs.writeFileSync(path.join(folder, 'compare.ts'), [imports, SAME, ...rows].join('\n'));
  const { stdout } = spawnSync(
    path.join(ROOT, 'node_modules/.bin/tsc'),
    [
      ...['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', ''],
      ...['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions', `${folder}/compare.ts`],
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return stdout;
}

it('writes out the types that it is compiled with', async () => {
  const types = await clientTypes();
  expect(types.match(/^export /gm)?.length).toBeGreaterThan(25);
  expect(compared(types)).toBe('');
  expect(compared(types.replace('given_up: boolean', 'given_up: string'))).toContain('error TS2322');
});
