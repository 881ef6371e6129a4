import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSmallFile, readSmallText, usePlainFile } from '../../../src/probes/support/plain-file.ts';
import { tempFolder } from '../store/temp-folder.ts';

describe('files of other programs', () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder();
  });
  const at = (name: string) => path.join(folder, name);

  it('are read when they are plain and small, also through a link', () => {
    fs.writeFileSync(at('plain'), 'text');
    fs.symlinkSync(at('plain'), at('link'));
    expect([readSmallText(at('plain')), readSmallText(at('link'))]).toEqual(['text', 'text']);
    expect(readSmallFile(at('plain'), 3)).toBeNull();
    expect(readSmallText('/proc/self/comm')).toBeTruthy();
  });

  it.each(['a FIFO that nobody writes to', 'a device without an end', 'a folder', 'nothing', 'a link to a device'])(
    'are not waited for: %s',
    (kind) => {
      const file = at(kind);
      if (kind.startsWith('a FIFO')) expect(spawnSync('mkfifo', [file]).status).toBe(0);
      if (kind === 'a folder') fs.mkdirSync(file);
      if (kind === 'a link to a device') fs.symlinkSync('/dev/zero', file);
      expect(readSmallText(kind === 'a device without an end' ? '/dev/zero' : file)).toBeNull();
    },
  );

  it('are closed, and nothing is thrown, whatever their reader does', () => {
    fs.writeFileSync(at('closed'), '');
    const before = fs.readdirSync('/proc/self/fd').length;
    expect(
      usePlainFile(at('closed'), () => {
        throw new Error('odd');
      }),
    ).toBeNull();
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(before);
  });
});
