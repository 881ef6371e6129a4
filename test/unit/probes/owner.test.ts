import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectAs } from '../../../src/probes/support/owner.ts';

const OTHER = { uid: 65534, gid: 65534 };
/** A group without members. */
const GROUP = 54_321;
let folder: string;
let file: string;
let server: net.Server;
let calls: number;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-owner-'));
  fs.chmodSync(folder, 0o755);
  file = path.join(folder, 'socket');
  calls = 0;
  server = net.createServer((socket) => {
    calls++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
});
afterEach(() => {
  server.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** `connected`, or the error code. */
function attempt(owner = OTHER): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connectAs(owner, { path: file });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
  });
}

const self = () => ({ uid: process.geteuid?.(), gid: process.getegid?.(), groups: process.getgroups?.() });

describe.runIf(process.getuid?.() === 0)('a connect of root in the name of another user', () => {
  it('reaches what that user reaches', async () => {
    fs.chownSync(file, OTHER.uid, OTHER.gid);
    fs.chmodSync(file, 0o600);
    expect(await attempt()).toBe('connected');
  });

  it('reaches nothing of root, by a link either', async () => {
    fs.chmodSync(file, 0o600);
    expect(await attempt()).toBe('EACCES');
    fs.chmodSync(file, 0o777);
    fs.chmodSync(folder, 0o700);
    expect(await attempt()).toBe('EACCES');
    const own = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-owner-'));
    try {
      fs.symlinkSync(file, path.join(own, 'link'));
      fs.chownSync(own, OTHER.uid, OTHER.gid);
      file = path.join(own, 'link');
      expect(await attempt()).toBe('EACCES');
    } finally {
      fs.rmSync(own, { recursive: true });
    }
    expect(calls).toBe(0);
  });

  it('has none of the groups of root, which has them again afterwards', async () => {
    const { groups = [] } = self();
    process.setgroups?.([...groups, GROUP]);
    try {
      fs.chownSync(file, 0, GROUP);
      fs.chmodSync(file, 0o660);
      const before = self();
      expect(await attempt()).toBe('EACCES');
      expect(self()).toEqual(before);
      expect(before.groups).toContain(GROUP);
    } finally {
      process.setgroups?.(groups);
    }
  });

  it('is over when it throws', () => {
    const before = self();
    const options = {
      get path(): string {
        expect(self()).toEqual({ ...OTHER, groups: [OTHER.gid] });
        throw new Error('no path');
      },
    };
    expect(() => connectAs(OTHER, options)).toThrow('no path');
    expect(self()).toEqual(before);
  });

  it('does not happen at all where that user cannot be', () => {
    const before = self();
    expect(() => connectAs({ uid: -1, gid: OTHER.gid }, { path: file })).toThrow();
    expect(self()).toEqual(before);
    expect(calls).toBe(0);
  });
});

it('as oneself is a plain one', async () => {
  expect(await attempt({ uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 })).toBe('connected');
});
