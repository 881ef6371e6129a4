import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SubstrateError } from '../../../src/model/errors.ts';
import type { KeyRecord } from '../../../src/model/key-record.ts';
import { hashKey } from '../../../src/store/api-key.ts';
import { readJson } from '../../../src/store/atomic-file.ts';
import { KeyStore } from '../../../src/store/key-store.ts';
import { recordingLogger } from './recording-logger.ts';
import { tempFolder } from './temp-folder.ts';

function storeIn(folder: string, lastUseDelayMs = 60_000) {
  const logger = recordingLogger();
  const file = path.join(folder, 'keys.json');
  return { file, logger, store: new KeyStore({ file, logger, lastUseDelayMs }) };
}

/** A request that is sent after a change comes in a later turn of the event loop. */
const laterTurn = () => new Promise((resolve) => setImmediate(resolve));

async function writeAndTurn(file: string, content: object): Promise<void> {
  writeFileSync(file, JSON.stringify(content));
  await laterTurn();
}

function refusal(store: KeyStore, presented: string | undefined): SubstrateError {
  try {
    store.authenticate(presented);
  } catch (error) {
    if (error instanceof SubstrateError) return error;
    throw error;
  }
  throw new Error('the key was let in');
}

function recordFor(key: string, extra: object = {}): object {
  const key_hash = `blake3:${hashKey(key).toString('hex')}`;
  return { id: `id-of-${key}`, key_hash, created_at: '2025-01-01T00:00:00Z', enabled: true, ...extra };
}

test('BLAKE3 as published: the hash of the empty text and of "abc"', () => {
  expect(hashKey('').toString('hex')).toBe('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262');
  expect(hashKey('abc').toString('hex')).toBe('6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85');
});

describe('authenticate', () => {
  test('lets a created key in and gives its record', async () => {
    const { store, file } = storeIn(path.join(tempFolder(), 'data'));
    const { key, record } = await store.create('laptop');
    expect(key).toMatch(/^sk_substrate_[0-9A-Za-z]{40}$/);
    expect(store.authenticate(key)).toMatchObject({ id: record.id, label: 'laptop', enabled: true });
    expect(store.authenticate(key).id).toBe(record.id);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(key);
    expect(text).toContain(`blake3:${hashKey(key).toString('hex')}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  test('tells a missing, an unknown and a disabled key apart, and never repeats the key', async () => {
    const { store } = storeIn(tempFolder());
    const { key, record } = await store.create();
    expect(refusal(store, undefined).code).toBe('missing_key');
    expect(refusal(store, '').code).toBe('missing_key');
    const wrong = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
    for (const presented of [wrong, key.toUpperCase(), `${key} `, 'x'.repeat(100_000)]) {
      const error = refusal(store, presented);
      expect(error.code).toBe('invalid_key');
      expect(error.message).not.toContain(presented);
    }
    await store.setEnabled(record.id, false);
    const error = refusal(store, key);
    expect([error.code, error.status]).toEqual(['disabled_key', 401]);
    expect(error.message).toContain(record.id);
    expect(error.message).not.toContain(key);
  });

  test('refuses a key from the time on at which it expires', async () => {
    const { store, file } = storeIn(tempFolder());
    const ends = (expires_at: unknown) => recordFor('k', { expires_at });
    const write = (...keys: object[]) => writeAndTurn(file, { keys });
    for (const never of [null, '2999-01-01T00:00:00Z', '2999-01-01T00:00:00+02:00']) {
      await write(ends(never));
      expect(store.authenticate('k').id).toBe('id-of-k');
    }
    await write(ends('2025-01-01T00:00:00Z'));
    const record = store.list()[0];
    expect([refusal(store, 'k').code, refusal(store, 'k').status]).toEqual(['expired_key', 401]);
    expect(record && store.recheck(record)).toBe(null);
    // An unreadable entry gives no access.
    await write(ends('tomorrow'));
    expect(refusal(store, 'k').code).toBe('invalid_key');
    await write(ends('2025-01-01T00:00:00Z'), { ...recordFor('k'), id: 'lasting' });
    expect(store.authenticate('k').id).toBe('lasting');
  });

  test('reads hash: like blake3:, and prefers the enabled one of two records of a key', () => {
    const { store, file } = storeIn(tempFolder());
    const enabled = { ...recordFor('k'), id: 'on', key_hash: `hash:${hashKey('k').toString('hex')}` };
    writeFileSync(file, JSON.stringify({ keys: [recordFor('k', { enabled: false }), enabled] }));
    expect(store.authenticate('k').id).toBe('on');
  });

  test('the very next request sees each change of the file', async () => {
    const { store, file } = storeIn(tempFolder());
    expect(refusal(store, 'k').code).toBe('invalid_key');
    for (let round = 0; round < 20; round++) {
      await writeAndTurn(file, { keys: [recordFor('k')] });
      expect(store.authenticate('k').id).toBe('id-of-k');
      await writeAndTurn(file, { keys: [recordFor('k', { enabled: false })] });
      expect(refusal(store, 'k').code).toBe('disabled_key');
      // The same size as before, within the same tick of the file system's clock.
      await writeAndTurn(file, { keys: [recordFor('j', { enabled: false })] });
      expect(refusal(store, 'k').code).toBe('invalid_key');
    }
    rmSync(file);
    await laterTurn();
    expect(refusal(store, 'j').code).toBe('invalid_key');
  });

  test('requests of one turn of the event loop share a look at the file', async () => {
    const { store, file } = storeIn(tempFolder());
    writeFileSync(file, JSON.stringify({ keys: [recordFor('k')] }));
    store.authenticate('k');
    writeFileSync(file, JSON.stringify({ keys: [recordFor('new')] }));
    expect(store.authenticate('k').id).toBe('id-of-k');
    // An unknown key is looked up at once.
    expect(store.authenticate('new').id).toBe('id-of-new');
    expect(refusal(store, 'k').code).toBe('invalid_key');
  });

  test('a change that keeps size and mtime is seen', async () => {
    const { store, file } = storeIn(tempFolder());
    const time = new Date('2025-01-01T00:00:00Z');
    writeFileSync(file, JSON.stringify({ keys: [recordFor('k')] }));
    utimesSync(file, time, time);
    await expect.poll(() => Date.now() - statSync(file).ctimeMs).toBeGreaterThan(60);
    expect(store.authenticate('k').id).toBe('id-of-k');
    writeFileSync(file, JSON.stringify({ keys: [recordFor('j')] }));
    utimesSync(file, time, time);
    await laterTurn();
    expect(refusal(store, 'k').code).toBe('invalid_key');
  });
});

describe('a keys file in disorder', () => {
  test.each([
    ['torn', '{"keys": [{"id": "a"'],
    ['empty', ''],
    ['of another shape', '[]'],
    ['without a list', '{"keys": {}}'],
  ])('that is %s keeps the last good set in force, logged once', async (_, broken) => {
    const { store, file, logger } = storeIn(tempFolder());
    const { key, record } = await store.create();
    expect(store.authenticate(key).id).toBe(record.id);
    writeFileSync(file, broken);
    for (let i = 0; i < 5; i++) {
      expect(store.authenticate(key).id).toBe(record.id);
      expect(refusal(store, 'other').code).toBe('invalid_key');
    }
    expect(logger.complaints).toHaveLength(1);
    await store.flush();
    expect(readFileSync(file, 'utf8')).toBe(broken);
    await expect(store.create()).rejects.toThrow(file);
    expect(() => store.list()).toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe(broken);
  });

  test('that is broken from the start lets nobody in', () => {
    const { store, file, logger } = storeIn(tempFolder());
    writeFileSync(file, '{"keys": [');
    expect(refusal(store, 'k').code).toBe('invalid_key');
    expect(refusal(store, '').code).toBe('missing_key');
    expect(logger.complaints).toHaveLength(1);
  });

  test('that is a folder lets nobody in', () => {
    const { store, file, logger } = storeIn(tempFolder());
    mkdirSync(file);
    expect(refusal(store, 'k').code).toBe('invalid_key');
    expect(logger.complaints).toHaveLength(1);
  });

  test('that is not there lets nobody in and comes into being with the first key', async () => {
    const { store } = storeIn(path.join(tempFolder(), 'not', 'yet'));
    expect(refusal(store, 'k').code).toBe('invalid_key');
    const { key, record } = await store.create();
    expect(store.authenticate(key).id).toBe(record.id);
  });

  test('one malformed entry does not shut out the others, is logged without its content, and can be deleted', async () => {
    const { store, file, logger } = storeIn(tempFolder());
    const pasted = { id: 'pasted', key_hash: 'sk_substrate_plaintext', created_at: '', enabled: true };
    writeFileSync(file, JSON.stringify({ keys: [pasted, 7, null, recordFor('k')] }));
    expect(store.authenticate('k').id).toBe('id-of-k');
    expect(logger.complaints).toHaveLength(3);
    expect(logger.complaints[0]).toContain('"id":"pasted"');
    expect(logger.complaints.join()).not.toContain('plaintext');
    expect(await store.delete('pasted')).toBe('pasted');
    expect(readJson(file)).toEqual({ keys: [7, null, recordFor('k')] });
  });

  test('is not written through a symbolic link', async () => {
    const folder = tempFolder();
    const { store, file } = storeIn(folder);
    const target = path.join(folder, 'elsewhere.json');
    writeFileSync(target, JSON.stringify({ keys: [recordFor('k')] }));
    symlinkSync(target, file);
    expect(store.authenticate('k').id).toBe('id-of-k');
    await expect(store.create()).rejects.toThrow(/symbolic link/);
  });
});

describe('a keys file that others could have written', () => {
  const NOBODY = 65534;

  test('is not started with, and the way out is told', async () => {
    const { store, file } = storeIn(tempFolder());
    const { key } = await store.create();
    chmodSync(file, 0o620);
    const fresh = new KeyStore({ file, logger: recordingLogger() });
    expect(() => fresh.start()).toThrow(`chmod go-w ${file}`);
    expect(() => fresh.list()).toThrow(`chmod go-w ${file}`);
    expect(refusal(fresh, key).code).toBe('invalid_key');
    await expect(fresh.create()).rejects.toThrow(`chmod go-w ${file}`);
    chmodSync(file, 0o600);
    fresh.start();
    expect(fresh.authenticate(key).enabled).toBe(true);
    await fresh.close();
  });

  test('counts only while its folder is safe; the keys of before stay in force', async () => {
    const folder = tempFolder();
    const { store, file, logger } = storeIn(folder);
    const { key } = await store.create();
    store.authenticate(key);
    chmodSync(folder, 0o770);
    writeFileSync(file, JSON.stringify({ keys: [recordFor('planted')] }));
    expect(refusal(store, 'planted').code).toBe('invalid_key');
    expect(refusal(store, 'planted').code).toBe('invalid_key');
    expect(store.authenticate(key).enabled).toBe(true);
    expect(logger.complaints).toHaveLength(1);
    expect(logger.complaints[0]).toContain(`chmod go-w ${folder}`);
    // Repairing its folder changes nothing in the file.
    chmodSync(folder, 0o700);
    expect(store.authenticate('planted').enabled).toBe(true);
  });

  test.runIf(process.getuid?.() === 0)('or own, is not read', () => {
    const { store, file } = storeIn(tempFolder());
    writeFileSync(file, JSON.stringify({ keys: [recordFor('theirs')] }), { mode: 0o600 });
    chownSync(file, NOBODY, NOBODY);
    expect(() => store.start()).toThrow(/belongs to another user \(uid 65534/);
    expect(refusal(store, 'theirs').code).toBe('invalid_key');
  });
});

describe('last_used_at', () => {
  test('is written back after a while, keeping what a person added', async () => {
    const { store, file } = storeIn(tempFolder(), 20);
    const note = { keys: [recordFor('k', { owner: 'ops' }), 'not a record'], comment: 'by hand' };
    writeFileSync(file, JSON.stringify(note));
    const before = new Date().toISOString();
    store.authenticate('k');
    await expect.poll(() => store.list()[0]?.last_used_at ?? '').toSatisfy((time: string) => time >= before);
    expect(readJson(file)).toMatchObject({
      keys: [{ owner: 'ops', id: 'id-of-k' }, 'not a record'],
      comment: 'by hand',
    });
  });

  test('is written on close, not before its time, and only for keys that are still there', async () => {
    const { store, file } = storeIn(tempFolder());
    writeFileSync(file, JSON.stringify({ keys: [recordFor('k'), recordFor('gone')] }));
    store.authenticate('k');
    store.authenticate('gone');
    writeFileSync(file, JSON.stringify({ keys: [recordFor('k'), recordFor('added')] }));
    await store.close();
    const records = store.list();
    expect(records.map(({ id }) => id)).toEqual(['id-of-k', 'id-of-added']);
    expect(records.map(({ last_used_at }) => last_used_at)).toEqual([expect.any(String), null]);
  });

  test('does not bring back a file that was deleted, nor go back in time', async () => {
    const { store, file } = storeIn(tempFolder());
    writeFileSync(file, JSON.stringify({ keys: [recordFor('k', { last_used_at: '2999-01-01T00:00:00.000Z' })] }));
    store.authenticate('k');
    await store.flush();
    expect(store.list()[0]?.last_used_at).toBe('2999-01-01T00:00:00.000Z');
    store.authenticate('k');
    rmSync(file);
    await store.close();
    expect(readJson(file)).toBeUndefined();
  });
});

describe('onChange', () => {
  test('tells which records no longer let anyone in', async () => {
    const { store, file } = storeIn(tempFolder());
    const keys = ['a', 'b', 'c', 'd'];
    writeFileSync(file, JSON.stringify({ keys: keys.map((key) => recordFor(key)) }));
    const records = keys.map((key) => store.authenticate(key));
    const seen: string[][] = [];
    const stop = store.onChange((isLive) => seen.push(records.filter(isLive).map(({ id }: KeyRecord) => id)));
    const swapped = { ...recordFor('another key'), id: 'id-of-c' };
    const changed = [recordFor('a'), recordFor('b', { enabled: false }), swapped];
    writeFileSync(file, JSON.stringify({ keys: changed }));
    store.reload();
    expect(seen).toEqual([['id-of-a']]);
    writeFileSync(file, 'broken');
    store.reload();
    expect(seen).toHaveLength(1);
    stop();
    rmSync(file);
    store.reload();
    expect(seen).toHaveLength(1);
  });
});

describe('changes by id', () => {
  test('take an id or the beginning of exactly one', async () => {
    const { store, file } = storeIn(tempFolder());
    writeFileSync(file, JSON.stringify({ keys: ['ab', 'abc', 'xyz'].map((id) => ({ ...recordFor(id), id })) }));
    expect(await store.setEnabled('x', false)).toBe('xyz');
    expect(await store.setEnabled('ab', false)).toBe('ab');
    expect(store.list().map(({ enabled }) => enabled)).toEqual([false, true, false]);
    expect(await store.setEnabled('xyz', true)).toBe('xyz');
    await expect(store.delete('a')).rejects.toThrow(/2 key ids begin with "a": ab, abc/);
    await expect(store.delete('')).rejects.toThrow(/no key has the id ""/);
    await expect(store.setEnabled('nope', true)).rejects.toThrow(/no key has the id "nope"/);
    expect(await store.delete('abc')).toBe('abc');
    expect(store.list().map(({ id }) => id)).toEqual(['ab', 'xyz']);
  });

  test('a label of unreasonable length is refused', async () => {
    const { store } = storeIn(tempFolder());
    await expect(store.create('x'.repeat(201))).rejects.toThrow(/201 characters/);
  });
});
