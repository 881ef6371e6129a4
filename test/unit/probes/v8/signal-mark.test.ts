import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../../src/model/process.ts';
import {
  findMarks,
  hasMark,
  isOurMark,
  isStaleMark,
  leaveMark,
  removeLeftMark,
  removeMark,
} from '../../../../src/probes/drivers/v8/node/signal-mark.ts';

const NOBODY = 65534;
const isRoot = process.geteuid?.() === 0;
const folderOf = ({ pid, startTime }: ProcessInfo) => path.join(os.tmpdir(), `substrate-signalled-${pid}-${startTime}`);
const ours: ProcessInfo = {
  pid: 2 ** 30,
  startTime: '17',
  ppid: 1,
  uid: process.geteuid?.() ?? -1,
  name: 'node',
  exe: null,
  argv: [],
  cwd: null,
};

describe('the mark of a signal', () => {
  afterEach(() => fs.rmSync(folderOf(ours), { recursive: true, force: true }));

  it('is there until it is removed, however often it is left', () => {
    expect(hasMark(ours)).toBe(false);
    leaveMark(ours);
    leaveMark(ours);
    expect(hasMark(ours)).toBe(true);
    expect(hasMark({ ...ours, startTime: '18' })).toBe(false);
    removeMark(ours);
    removeMark(ours);
    expect(hasMark(ours)).toBe(false);
  });

  it.runIf(isRoot)('counts for root when it is of the user of the process, and of no third', () => {
    leaveMark(ours);
    fs.chownSync(folderOf(ours), NOBODY, NOBODY);
    expect(hasMark({ ...ours, uid: NOBODY })).toBe(true);
    expect(hasMark(ours)).toBe(false);
  });

  it.runIf(isRoot)('of root counts for nobody else, who could not remove it', () => {
    leaveMark(ours);
    process.seteuid?.(NOBODY);
    try {
      expect(hasMark({ ...ours, uid: NOBODY })).toBe(false);
    } finally {
      process.seteuid?.(0);
    }
  });

  it('is a folder and no link to one', () => {
    fs.symlinkSync(os.tmpdir(), folderOf(ours));
    expect(hasMark(ours)).toBe(false);
  });

  it('says whether it was made', () => {
    expect(leaveMark(ours)).toBe(true);
    expect(leaveMark(ours)).toBe(false);
  });

  it.each([
    [[], []],
    [['node', '--inspect-port=127.0.0.1:9333', 'app.js'], [9333]],
    [
      ['node', '--inspect-port=0', 'app.js', '--inspect=9230'],
      [0, 9230],
    ],
  ])('is found without its process, with the ports that the command line names: %j', (argv, ports) => {
    const target = { ...ours, argv };
    leaveMark(target);
    const [found, ...others] = findMarks().filter(({ ref }) => ref.pid === ours.pid);
    if (!found) throw new Error('it was not found');
    expect(others).toEqual([]);
    expect(found).toMatchObject({ ref: { pid: ours.pid, startTime: ours.startTime }, ports });
    expect(isOurMark(found, ours.uid)).toBe(true);
    expect(isStaleMark(found.name, { isAlive: () => false })).toBe(true);
    removeLeftMark(found);
    expect(hasMark(target)).toBe(false);
  });

  it('is stale when its process is gone', () => {
    const inspect = { isAlive: () => false };
    expect(isStaleMark(path.basename(folderOf(ours)), inspect)).toBe(true);
    expect(isStaleMark(path.basename(folderOf(ours)), { isAlive: () => true })).toBe(false);
    expect(isStaleMark('substrate-signalled-x-17', inspect)).toBe(false);
  });
});
