/** `scripts/alone.mjs`, which isolates groups of tests from each other. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { aloneCommand } from '../../scripts/alone.mjs';

const [program, ...args] = aloneCommand(['sh', '-c', 'cat "$HOME/note"; ls /tmp; pwd; ls /mnt | wc -l']) ?? [];
const folder = fs.mkdtempSync('/tmp/a home with spaces-');
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe.runIf(program !== undefined)('a command that runs alone', () => {
  it('has a /tmp of its own, but keeps a HOME that lies below /tmp', () => {
    fs.writeFileSync(path.join(folder, 'note'), 'still here\n');
    const { stdout, stderr } = spawnSync(program ?? '', args, {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, TMPDIR: '' },
    });
    expect(stderr).toBe('');
    const root = path.resolve(import.meta.dirname, '../..');
    const inTmp = root.startsWith('/tmp/') ? [root.split(path.sep)[2]] : [];
    const [note, ...rest] = stdout.trim().split('\n');
    expect(note).toBe('still here');
    expect(rest.slice(0, -2).sort()).toEqual([path.basename(folder), ...inTmp].sort());
    expect(rest.at(-2)).toBe(root);
  });
});
