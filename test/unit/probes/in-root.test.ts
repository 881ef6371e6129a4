import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFolderSeen, openSeen, statSeen, useInRoot } from '../../../src/probes/support/in-root.ts';
import { readSmallText } from '../../../src/probes/support/plain-file.ts';

/** A folder that is the root of somebody else, with a secret beside it. */
let base = '';
let root = '';
beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-root-'));
  root = path.join(base, 'root');
  fs.mkdirSync(path.join(root, 'app'), { recursive: true });
  fs.writeFileSync(path.join(root, 'app/package.json'), 'inside');
  fs.writeFileSync(path.join(base, 'secret'), 'outside');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const link = (target: string, name: string) => fs.symlinkSync(target, path.join(root, name));
const read = (inside: string) =>
  useInRoot({ root, path: inside }, true, (descriptor) => fs.readFileSync(`/proc/self/fd/${descriptor}`, 'utf8'));
const openFiles = () => fs.readdirSync('/proc/self/fd').length;

describe.runIf(process.platform === 'linux')('a path below the root of another process', () => {
  it.each([
    ['a plain one', 'app/package.json', () => undefined],
    ['with a relative link', 'current/package.json', () => link('app', 'current')],
    ['with an absolute link, which begins at that root', 'current/package.json', () => link('/app', 'current')],
    ['with a link to a link', 'two/package.json', () => [link('/one', 'two'), link('./app/../app', 'one')]],
    ['with more steps up than there are', '../../../app/package.json', () => undefined],
    ['with a link that has more steps up than there are', 'up/app/package.json', () => link('../../..', 'up')],
  ])('%s is followed', (_, inside, prepare) => {
    prepare();
    const before = openFiles();
    expect(read(inside)).toBe('inside');
    expect(openFiles()).toBe(before);
  });

  it.each([
    ['an absolute link', () => link(path.join(base, 'secret'), 'way')],
    ['a link upwards', () => link('../secret', 'way')],
    ['a folder that is a link upwards', () => link('..', 'way'), 'way/secret'],
    ['a link to what the kernel keeps', () => link('/proc/self/root', 'way'), `way${os.tmpdir()}`],
    ['a link to itself', () => link('way', 'way')],
  ])('%s does not lead out', (_, prepare, inside = 'way') => {
    prepare();
    const before = openFiles();
    expect(() => read(inside)).toThrow(/ENOENT|ELOOP/);
    expect(openFiles()).toBe(before);
  });

  it('opens no FIFO, which would notice, and no device', () => {
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    const seen = `/proc/${process.pid}/root${root}/pipe`;
    expect(statSeen(seen)?.isFIFO()).toBe(true);
    expect(() => openSeen(seen, fs.constants.O_RDONLY)).toThrow('ENXIO');
    expect(() => openSeen(`/proc/${process.pid}/root/dev/zero`, fs.constants.O_RDONLY)).toThrow('ENXIO');
    expect(readSmallText(seen)).toBeNull();
  });

  it('takes a folder, but no link in its place', () => {
    link('app', 'current');
    const seen = (name: string) => `/proc/${process.pid}/root${root}/${name}`;
    fs.closeSync(openFolderSeen(seen('app'), fs.constants.O_RDONLY));
    expect(() => openFolderSeen(seen('current'), fs.constants.O_RDONLY)).toThrow('ENOTDIR');
    expect(statSeen(seen('current'), { followsLink: false })?.isSymbolicLink()).toBe(true);
    expect(statSeen(seen('nothing'))).toBeNull();
    expect(readSmallText(seen('current/package.json'))).toBe('inside');
  });
});
