import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type AppSchema, emptySchema } from '../../../src/model/app-schema.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { recordingLogger } from './recording-logger.ts';
import { tempFolder } from './temp-folder.ts';

const ID = 'shop-1234abcd';

function registryIn(dir: string) {
  const logger = recordingLogger();
  return { registry: new SchemaRegistry({ dir, logger }), logger };
}

function schemaVersion(version: string): AppSchema {
  return { ...emptySchema(ID, 'Shop'), schema_version: version, hints: { deep: true } };
}

test('a saved schema is there at the next start, private', async () => {
  const dir = path.join(tempFolder(), 'schemas');
  const { registry } = registryIn(dir);
  expect(registry.load(ID)).toBeNull();
  registry.save(schemaVersion('1.0.1'));
  await registry.flush();
  expect(registryIn(dir).registry.load(ID)).toEqual(schemaVersion('1.0.1'));
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(dir, `${ID}.json`)).mode & 0o777).toBe(0o600);
});

test('one with notes of another version of the daemon keeps its names', () => {
  const dir = tempFolder();
  const labels = { shop: { label: 'store', type: 'string', confidence: 1, confirmed: true } };
  const content = { ...schemaVersion('1.0.1'), labels, hints: { asked: 'yes', root: 'window.store' } };
  writeFileSync(path.join(dir, `${ID}.json`), JSON.stringify(content), { mode: 0o600 });
  expect(registryIn(dir).registry.load(ID)).toEqual({ ...schemaVersion('1.0.1'), labels, hints: {} });
});

test('of many saves the last wins, and is seen before it is written', async () => {
  const dir = tempFolder();
  const { registry, logger } = registryIn(dir);
  for (let patch = 0; patch < 200; patch++) registry.save(schemaVersion(`1.0.${patch}`));
  expect(registry.load(ID)?.schema_version).toBe('1.0.199');
  await registry.flush();
  expect(registryIn(dir).registry.load(ID)?.schema_version).toBe('1.0.199');
  expect(readdirSync(dir)).toEqual([`${ID}.json`]);
  expect(logger.complaints).toEqual([]);
});

test.each([
  ['no JSON', '{"format": 1, "app'],
  ['no schema', '{"format": 1, "labels": {"secret.path": 3}}'],
  ['a later format', JSON.stringify({ ...emptySchema(ID, 'Shop'), format: 2 })],
  ['the schema of another app', JSON.stringify(emptySchema('other-1234abcd', 'Other'))],
])('a file that is %s is moved aside and logged', async (_, content) => {
  const dir = tempFolder();
  const { registry, logger } = registryIn(dir);
  writeFileSync(path.join(dir, `${ID}.json`), content);
  expect(registry.load(ID)).toBeNull();
  expect(readFileSync(path.join(dir, `${ID}.json.broken`), 'utf8')).toBe(content);
  expect(logger.complaints).toHaveLength(1);
  expect(logger.complaints[0]).not.toContain('secret.path');
  expect(registry.load(ID)).toBeNull();
  expect(logger.complaints).toHaveLength(1);
  registry.save(schemaVersion('1.0.0'));
  await registry.flush();
  expect(registryIn(dir).registry.load(ID)).toEqual(schemaVersion('1.0.0'));
});

test('a folder in the place of the file does not stop anything', () => {
  const dir = tempFolder();
  const { registry, logger } = registryIn(dir);
  mkdirSync(path.join(dir, `${ID}.json`));
  expect(registry.load(ID)).toBeNull();
  expect(logger.complaints).toHaveLength(1);
});

test('a save that fails is logged, and flush still ends', async () => {
  const file = path.join(tempFolder(), 'not-a-folder');
  writeFileSync(file, '');
  const { registry, logger } = registryIn(path.join(file, 'schemas'));
  registry.save(schemaVersion('1.0.0'));
  await registry.flush();
  expect(logger.complaints.join()).toContain('cannot be saved');
});

test.each(['../escape', 'a/b', '', 'UPPER', 'a.b', `${'x'.repeat(201)}`, 'a\0b', 'a\n'])(
  'refuses %j as an app_id',
  (appId) => {
    const { registry } = registryIn(tempFolder());
    expect(registry.load(appId)).toBeNull();
    expect(() => registry.save(emptySchema(appId, 'x'))).toThrow(StoreError);
  },
);
