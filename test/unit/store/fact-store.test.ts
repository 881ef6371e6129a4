import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FactStore } from '../../../src/store/fact-store.ts';
import { recordingLogger } from './recording-logger.ts';
import { tempFolder } from './temp-folder.ts';

const ID = 'shop-1234abcd';

const storeIn = (dir: string) => new FactStore({ dir, logger: recordingLogger() });

test('saved facts are there at the next start, private, the last ones', async () => {
  const dir = path.join(tempFolder(), 'facts');
  const store = storeIn(dir);
  expect(store.of(ID).load()).toBeNull();
  for (let at = 0; at < 50; at++) store.of(ID).save({ at });
  expect(store.of(ID).load()).toEqual({ at: 49 });
  await store.flush();
  expect(storeIn(dir).of(ID).load()).toEqual({ at: 49 });
  expect(statSync(path.join(dir, `${ID}.json`)).mode & 0o777).toBe(0o600);
});

test('a file that cannot be used is as if there were none', () => {
  const dir = tempFolder();
  const file = path.join(dir, `${ID}.json`);
  for (const content of ['{"a":', '\0\0', '', `"${'x'.repeat(5_000_000)}"`]) {
    writeFileSync(file, content);
    expect(storeIn(dir).of(ID).load()).toBeNull();
  }
  const folder = path.join(dir, 'other-1234abcd.json');
  mkdirSync(folder);
  expect(storeIn(dir).of('other-1234abcd').load()).toBeNull();
});

test('what would fill the disk is not written, and a name leads nowhere else', async () => {
  const dir = tempFolder();
  const store = storeIn(dir);
  store.of(ID).save({ at: 1 });
  await store.flush();
  store.of(ID).save({ much: 'x'.repeat(5_000_000) });
  store.of('../outside').save({ at: 1 });
  await store.flush();
  expect(JSON.parse(readFileSync(path.join(dir, `${ID}.json`), 'utf8'))).toEqual({ at: 1 });
  expect(existsSync(path.join(dir, '../outside.json'))).toBe(false);
  expect(store.of('../outside').load()).toBeNull();
});
