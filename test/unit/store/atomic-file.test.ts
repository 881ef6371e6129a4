import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint, readJson, updateJson, writeJson } from '../../../src/store/atomic-file.ts';
import { withFileLock } from '../../../src/store/file-lock.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { tempFolder } from './temp-folder.ts';

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8);
}

describe('writeJson', () => {
  test('makes folders 0700 and files 0600, and leaves nothing else behind', async () => {
    const root = tempFolder();
    const file = path.join(root, 'a', 'b', 'file.json');
    await writeJson(file, { x: [1] });
    expect(readJson(file)).toEqual({ x: [1] });
    expect([modeOf(path.join(root, 'a')), modeOf(path.join(root, 'a', 'b')), modeOf(file)]).toEqual([
      '700',
      '700',
      '600',
    ]);
    expect(readdirSync(path.dirname(file))).toEqual(['file.json']);
  });

  test('makes a file private that a person left open to all', async () => {
    const file = path.join(tempFolder(), 'file.json');
    writeFileSync(file, '{}');
    chmodSync(file, 0o666);
    await writeJson(file, 1);
    expect(modeOf(file)).toBe('600');
  });

  test('takes over the temp file of a killed writer, even a symbolic link in its place', async () => {
    const root = tempFolder();
    const file = path.join(root, 'file.json');
    const victim = path.join(root, 'victim');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, path.join(root, '.file.json.tmp'));
    await writeJson(file, 2);
    expect(readJson(file)).toBe(2);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
  });

  test('refuses to write through a symbolic link', async () => {
    const root = tempFolder();
    const victim = path.join(root, 'victim.json');
    writeFileSync(victim, '{}');
    symlinkSync(victim, path.join(root, 'link.json'));
    await expect(writeJson(path.join(root, 'link.json'), 1)).rejects.toThrow(/symbolic link/);
    expect(readFileSync(victim, 'utf8')).toBe('{}');
  });

  test('refuses what is not a regular file', async () => {
    const root = tempFolder();
    mkdirSync(path.join(root, 'file.json'));
    await expect(writeJson(path.join(root, 'file.json'), 1)).rejects.toThrow(/not a regular file/);
  });

  test('refuses the folder or the file of another user', async () => {
    const root = tempFolder();
    if (process.getuid?.() !== 0) {
      await expect(writeJson('/etc/substrate-test.json', 1)).rejects.toThrow(/another user/);
      return;
    }
    const folder = path.join(root, 'theirs');
    mkdirSync(folder);
    chownSync(folder, 12345, 12345);
    await expect(writeJson(path.join(folder, 'file.json'), 1)).rejects.toThrow(/another user/);
    const file = path.join(root, 'theirs.json');
    writeFileSync(file, '{}');
    chownSync(file, 12345, 12345);
    await expect(writeJson(file, 1)).rejects.toThrow(StoreError);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});

describe('readJson', () => {
  test('is undefined for no file, and names the line of what is no JSON without quoting it', () => {
    const root = tempFolder();
    expect(readJson(path.join(root, 'none.json'))).toBeUndefined();
    const file = path.join(root, 'broken.json');
    writeFileSync(file, '{\n"key": sk_substrate_secret\n}');
    expect(() => readJson(file)).toThrow(StoreError);
    expect(() => readJson(file)).toThrow(/is not valid JSON/);
    expect(() => readJson(file)).not.toThrow(/secret/);
  });

  test('reads a file that begins with a byte order mark', () => {
    const file = path.join(tempFolder(), 'bom.json');
    writeFileSync(file, '\uFEFF{"a":1}');
    expect(readJson(file)).toEqual({ a: 1 });
  });
});

describe('updateJson', () => {
  test('counts every one of many concurrent increments', async () => {
    const file = path.join(tempFolder(), 'count.json');
    const increment = (current: unknown) => (typeof current === 'number' ? current + 1 : 1);
    await Promise.all(Array.from({ length: 30 }, () => updateJson(file, increment)));
    expect(readJson(file)).toBe(30);
  });

  test('starts again when someone without the lock wrote meanwhile', async () => {
    const file = path.join(tempFolder(), 'list.json');
    writeFileSync(file, '["first"]');
    let disturbed = false;
    await updateJson(file, (current) => {
      if (!disturbed) writeFileSync(file, '["first", "by a person"]');
      disturbed = true;
      return Array.isArray(current) ? [...current, 'ours'] : [];
    });
    expect(readJson(file)).toEqual(['first', 'by a person', 'ours']);
  });

  test('gives up with a clear error when the file never rests', async () => {
    const file = path.join(tempFolder(), 'list.json');
    let length = 0;
    const disturb = () => {
      writeFileSync(file, JSON.stringify('x'.repeat(++length)));
      return 'ours';
    };
    await expect(updateJson(file, disturb)).rejects.toThrow(/keeps changing/);
    expect(readJson(file)).toBe('x'.repeat(length));
  });

  test('writes nothing for undefined, and leaves the file whole when the change throws', async () => {
    const file = path.join(tempFolder(), 'file.json');
    await updateJson(file, () => undefined);
    expect(existsSync(file)).toBe(false);
    await writeJson(file, 'kept');
    const fail = () => {
      throw new Error('no');
    };
    await expect(updateJson(file, fail)).rejects.toThrow('no');
    expect(readJson(file)).toBe('kept');
    expect(readdirSync(path.dirname(file))).toEqual(['file.json']);
  });
});

describe('withFileLock', () => {
  test('waits for a live holder only so long, and says who it is', async () => {
    const file = path.join(tempFolder(), 'file.json');
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, start: '' }));
    const attempt = withFileLock(file, async () => 'in', 50);
    await expect(attempt).rejects.toThrow(new RegExp(`process ${process.pid}`));
    expect(existsSync(`${file}.lock`)).toBe(true);
  });

  test.each([
    ['a process that is gone', JSON.stringify({ pid: 2 ** 30, start: '1' })],
    ['a pid that no system has', JSON.stringify({ pid: Number.MAX_SAFE_INTEGER, start: '1' })],
  ])('breaks the lock of %s', async (_, content) => {
    const file = path.join(tempFolder(), 'file.json');
    writeFileSync(`${file}.lock`, content);
    expect(await withFileLock(file, async () => 'in', 1000)).toBe('in');
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('breaks the lock of a process whose pid has been reused', async () => {
    const file = path.join(tempFolder(), 'file.json');
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, start: '1' }));
    expect(await withFileLock(file, async () => 'in', 1000)).toBe('in');
  });

  test('breaks a nameless lock once it is old, past a guard that was left behind', async () => {
    const file = path.join(tempFolder(), 'file.json');
    const longAgo = new Date(Date.now() - 60_000);
    for (const left of [`${file}.lock`, `${file}.lock.break`]) {
      writeFileSync(left, '');
      utimesSync(left, longAgo, longAgo);
    }
    expect(await withFileLock(file, async () => 'in', 1000)).toBe('in');
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });
});

describe('fingerprint', () => {
  test('differs with the content and says when it can be relied on', async () => {
    const file = path.join(tempFolder(), 'file.json');
    expect(fingerprint(file)).toEqual({ id: 'absent', settled: true });
    writeFileSync(file, '1');
    const first = fingerprint(file);
    expect(first.settled).toBe(false);
    writeFileSync(file, '22');
    expect(fingerprint(file).id).not.toBe(first.id);
    await expect.poll(() => fingerprint(file).settled).toBe(true);
  });
});
