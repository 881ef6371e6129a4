/** `npm run check -- --watch` in a project of one file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from './store/temp-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const GOOD = 'export const cups = (count: number): number => count + 1;\n';
const TEST = `import { expect, it } from 'vitest';
import { cups } from '../../src/cups.ts';

it('counts cups', () => {
  expect(cups(1)).toBe(2);
});
`;

function smallProject(): string {
  const folder = tempFolder();
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  const copy = (name: string) => fs.cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  for (const name of ['scripts', 'test/support', 'vitest.config.ts']) copy(name);
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const { compilerOptions } = JSON.parse(fs.readFileSync(path.join(ROOT, 'tsconfig.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  for (const name of ['tsconfig', 'tsconfig.page', 'tsconfig.page-tests', 'tsconfig.dashboard'])
    write(`${name}.json`, JSON.stringify({ compilerOptions, files: ['src/cups.ts'] }));
  write('biome.json', '{ "files": { "includes": ["src/**"] }, "formatter": { "enabled": false } }');
  write('package.json', '{ "type": "module" }');
  write('src/cups.ts', GOOD);
  write('test/unit/cups.test.ts', TEST);
  return folder;
}

it('checks again after each change, and runs the tests that it concerns', { timeout: 180_000 }, async () => {
  const folder = smallProject();
  const child = spawn(process.execPath, ['-e', "import('./scripts/watch.mjs').then((it) => it.watchChecks([]))"], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', CI: '' },
  });
  onTestFinished(async () => {
    child.kill('SIGTERM'); // it ends vitest, too
    // Its children hold its streams, and write into the folder as long as they live.
    await once(child, 'close');
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const says = async (text: string, change?: string) => {
    printed = change === undefined ? printed : '';
    if (change !== undefined) fs.writeFileSync(path.join(folder, 'src/cups.ts'), change);
    await expect.poll(() => printed, { timeout: 60_000 }).toContain(text);
  };
  await says('lint and types are good');
  await says('Waiting for file changes');
  await says('lint or types failed', GOOD.replace('count + 1', "'one'"));
  await says("Type 'string' is not assignable to type 'number'");
  await says('lint and types are good', `${GOOD}// as before\n`);
  await says('1 failed', GOOD.replace('count + 1', 'count + 2'));
  await says('1 passed', GOOD);
  // A compiler that is still running would write into the folder while it is removed.
  await says('lint and types are good');
});
