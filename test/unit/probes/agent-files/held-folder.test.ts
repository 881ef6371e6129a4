import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldFolder, hasListener } from '../../../../src/probes/support/agent-files/held-folder.ts';
import { endAll, start, until } from '../../../support/real-processes.ts';

const SELF = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-held-'));
});
afterEach(async () => {
  await endAll();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('whether somebody listens on a socket', () => {
  it('is seen', async () => {
    const file = path.join(folder, 'socket');
    expect(await hasListener(file, SELF)).toBe(false);
    const { child } = listener(file);
    await until('a listener', () => hasListener(file, SELF));
    child.kill('SIGKILL');
    await until('its end', async () => !(await hasListener(file, SELF)));
  });

  it('is seen of one whose queue is full', async () => {
    const file = path.join(folder, 'socket');
    const { child } = listener(file);
    await until('a listener', () => hasListener(file, SELF));
    child.kill('SIGSTOP');
    const clients: net.Socket[] = [];
    await until('the queue to be full', () => fillUp(file, clients));
    expect(await hasListener(file, SELF)).toBe(true);
    for (const client of clients) client.destroy();
  });

  const listener = (file: string) =>
    start(process.execPath, ['-e', `require('net').createServer().listen({ path: '${file}', backlog: 1 })`]);

  function fillUp(file: string, clients: net.Socket[]): Promise<boolean> {
    return new Promise((resolve) => {
      const client = net.connect(file, () => resolve(false));
      client.on('error', () => resolve(true));
      clients.push(client);
    });
  }
});

describe('a FIFO', () => {
  it('that cannot be made for want of a command says so, and does not blame the folder', () => {
    const held = HeldFolder.open(folder);
    const { uid, gid } = fs.statSync(folder);
    const before = process.env.PATH;
    process.env.PATH = folder;
    try {
      let thrown: unknown;
      try {
        held.makeFifo('in', { uid, gid });
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ message: expect.stringContaining('mkfifo (of coreutils)') });
      expect(thrown).not.toHaveProperty('code');
    } finally {
      process.env.PATH = before;
      held.close();
    }
  });
});

describe.runIf(process.getuid?.() === 0)('what root gives away', () => {
  const owner = { uid: 65534, gid: 65534 };

  it('is a new folder and no other', () => {
    fs.mkdirSync(path.join(folder, 'new'));
    fs.mkdirSync(path.join(folder, 'used'));
    fs.writeFileSync(path.join(folder, 'used/file'), '');
    const given = HeldFolder.open(path.join(folder, 'new'));
    given.give(owner);
    expect(given.stat().uid).toBe(owner.uid);
    given.close();
    const used = HeldFolder.open(path.join(folder, 'used'));
    expect(() => used.give(owner)).toThrow('took its place');
    expect(used.stat().uid).toBe(0);
    used.close();
  });

  it('is made by its new owner, who must be allowed to', () => {
    fs.chmodSync(folder, 0o700);
    const held = HeldFolder.open(folder);
    expect(() => held.makeFifo('in', owner)).toThrow('mkfifo failed');
    held.give(owner);
    held.makeFifo('in', owner);
    expect(held.lookAt('in')?.isFIFO()).toBe(true);
    expect(held.lookAt('in')).toMatchObject(owner);
    held.close();
  });
});
