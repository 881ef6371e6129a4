import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { appSchema } from '../../../src/model/app-schema.ts';
import { keysFile as keysDocument } from '../../../src/model/key-record.ts';
import { readJson, updateJson } from '../../../src/store/atomic-file.ts';
import { KeyStore } from '../../../src/store/key-store.ts';
import { recordingLogger } from './recording-logger.ts';
import { bundleWriter, spawnWriter } from './spawn-writer.ts';
import { tempFolder } from './temp-folder.ts';

const KILLS = 16;

test('killed with SIGKILL at random moments, both files stay whole and no reported key is missing', async () => {
  const folder = tempFolder();
  const bundle = await bundleWriter(folder);
  const keys = path.join(folder, 'data', 'keys.json');
  const schemas = path.join(folder, 'data', 'schemas');
  const reported: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const writer = spawnWriter({
      bundle,
      keysFile: keys,
      schemasDir: schemas,
      count: 100_000,
      paddingBytes: 4_000_000,
    });
    await writer.firstReport;
    // Only the moment of the kill varies here; this waits for nothing.
    await delay(Math.random() * 40);
    writer.child.kill('SIGKILL');
    const { complaints } = await writer.ended;
    expect(complaints).toBe('');
    reported.push(...writer.reported);

    const stored = new Set(keysDocument.parse(readJson(keys)).keys.map(({ id }) => id));
    expect(reported.filter((id) => !stored.has(id))).toEqual([]);
    const schema = readJson(path.join(schemas, 'shop-00000001.json'));
    if (schema !== undefined) appSchema.parse(schema);
  }
  expect(reported.length).toBeGreaterThanOrEqual(KILLS);

  // Leftovers of kills do not grow with their number, and the next writer removes them.
  const allowed = ['.keys.json.tmp', 'keys.json', 'keys.json.lock', 'keys.json.lock.break', 'schemas'];
  expect(readdirSync(path.dirname(keys)).filter((name) => !allowed.includes(name))).toEqual([]);
  await new KeyStore({ file: keys, logger: recordingLogger() }).create();
  expect(readdirSync(path.dirname(keys)).sort()).toEqual(['keys.json', 'schemas']);
}, 120_000);

test('two processes creating keys and a daemon noting their use lose no record and no unknown field', async () => {
  const folder = tempFolder();
  const bundle = await bundleWriter(folder);
  const file = path.join(folder, 'keys.json');
  const logger = recordingLogger();
  const store = new KeyStore({ file, logger, lastUseDelayMs: 1 });
  const { key, record } = await store.create('used all the time');
  await updateJson(file, (document) => Object.assign({ comment: 'by hand' }, document));

  const writers = [1, 2].map((n) =>
    spawnWriter({ bundle, keysFile: file, schemasDir: path.join(folder, `schemas-${n}`), count: 60 }),
  );
  let running = true;
  const ends = Promise.all(writers.map(({ ended }) => ended)).finally(() => {
    running = false;
  });
  while (running) {
    expect(store.authenticate(key).id).toBe(record.id);
    await delay(1);
  }
  expect(await ends).toEqual([
    { code: 0, complaints: '' },
    { code: 0, complaints: '' },
  ]);
  await store.close();

  const stored = store.list();
  const created = [record.id, ...writers.flatMap(({ reported }) => reported)];
  expect(created).toHaveLength(121);
  expect(stored.map(({ id }) => id).sort()).toEqual(created.sort());
  expect(stored.find(({ id }) => id === record.id)?.last_used_at).toEqual(expect.any(String));
  expect(readJson(file)).toHaveProperty('comment', 'by hand');
  expect(logger.complaints).toEqual([]);
});

test('the lock of a killed holder does not hold up the next writer', async () => {
  const folder = tempFolder();
  const bundle = await bundleWriter(folder);
  const file = path.join(folder, 'keys.json');
  const writer = spawnWriter({ bundle, keysFile: file, schemasDir: path.join(folder, 'schemas'), count: 100_000 });
  // Stopped first, so that the lock certainly exists when it is killed.
  await writer.firstReport;
  await vi.waitFor(
    () => {
      writer.child.kill('SIGSTOP');
      if (readdirSync(folder).includes('keys.json.lock')) return;
      writer.child.kill('SIGCONT');
      throw new Error('not within the lock');
    },
    { timeout: 10_000, interval: 3 },
  );
  writer.child.kill('SIGKILL');
  await writer.ended;
  await new KeyStore({ file, logger: recordingLogger() }).create();
  expect(readdirSync(folder)).not.toContain('keys.json.lock');
});
