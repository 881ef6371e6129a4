import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentBusy, type Lock, takeLock } from '../../../../src/probes/support/agent-files/lock.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
let folder: string;
let file: string;
const held: Lock[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-lock-'));
  file = path.join(folder, 'lock');
});
afterEach(() => {
  for (const lock of held.splice(0)) lock.release();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function take(): Promise<Lock> {
  const lock = await takeLock(file, fs.statSync(folder));
  held.push(lock);
  return lock;
}

/** The leftovers of a daemon that is killed while it has the lock. */
function leaveDead(): void {
  const listen = `require('net').createServer().listen('${file}', () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen]);
  expect(fs.lstatSync(file).isSocket()).toBe(true);
}

describe('a lock', () => {
  it('is of one until it is released, and leaves no file', async () => {
    const lock = await take();
    await expect(takeLock(file, fs.statSync(folder))).rejects.toBeInstanceOf(AgentBusy);
    expect(fs.readdirSync(folder)).toEqual(['lock']);
    lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
    await take();
  });

  it('that a killed process left goes to one of several that come at once', async () => {
    leaveDead();
    const all = await Promise.allSettled([1, 2, 3].map(take));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(AgentBusy);
    await expect(takeLock(file, fs.statSync(folder))).rejects.toBeInstanceOf(AgentBusy);
    expect(fs.readdirSync(folder)).toEqual(['lock']);
  });

  it('is not what a link in its place leads to', async () => {
    const other = path.join(folder, 'other');
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(other, resolve));
    fs.symlinkSync(other, file);
    await take();
    expect(fs.lstatSync(file).isSocket()).toBe(true);
    expect(fs.lstatSync(other).isSocket()).toBe(true);
    server.close();
  });

  it.runIf(isRoot)('of root is seen by another user in whose folder it is, and its end, too', async () => {
    fs.chownSync(folder, NOBODY, NOBODY);
    const lock = await take();
    process.seteuid?.(NOBODY);
    try {
      await expect(takeLock(file, fs.statSync(folder))).rejects.toBeInstanceOf(AgentBusy);
      lock.release();
      await take();
    } finally {
      process.seteuid?.(0);
    }
  });
});
