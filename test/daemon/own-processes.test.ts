import { describe, expect, it } from 'vitest';
import { findAncestors } from '../../src/daemon/own-processes.ts';
import type { ProcessInfo } from '../../src/model/process.ts';

const NODE = '/usr/bin/node';

function info(pid: number, ppid: number, exe: string | null, name = 'x'): ProcessInfo {
  return { pid, ppid, exe, name, startTime: String(pid), uid: 1000, argv: [], cwd: null };
}

const self = { pid: 50 };

describe('findAncestors', () => {
  it('finds the tools that started the daemon, through shells', () => {
    const processes = [
      info(1, 0, '/sbin/init'),
      info(10, 1, '/usr/bin/gnome-terminal'),
      info(20, 10, '/usr/bin/bash'),
      info(30, 20, NODE),
      info(40, 30, '/usr/bin/dash'),
      info(45, 40, NODE),
      info(50, 45, NODE),
    ];
    expect(findAncestors(processes, self)).toEqual([45, 30]);
  });

  it.each([
    ['another program', [info(30, 1, NODE), info(40, 30, '/usr/bin/make'), info(50, 40, NODE)]],
    ['another Node binary', [info(30, 1, NODE), info(40, 30, '/opt/electron/node'), info(50, 40, NODE)]],
    ['a parent that is not known', [info(30, 1, NODE), info(50, 40, NODE)]],
    ['pid 1', [info(1, 0, NODE), info(50, 1, NODE)]],
    ['a daemon that is not in the list', [info(30, 1, NODE)]],
    ['no processes', []],
  ])('ends at %s', (_, processes) => {
    expect(findAncestors(processes, self)).toEqual([]);
  });

  it('does not take processes without a known executable for Node', () => {
    expect(findAncestors([info(30, 1, null), info(40, 30, null), info(50, 40, null)], self)).toEqual([]);
    expect(findAncestors([info(30, 1, NODE), info(40, 30, null, 'sh'), info(50, 40, NODE)], self)).toEqual([30]);
  });

  it('ends when pids form a ring', () => {
    const ring = [info(30, 40, '/bin/sh'), info(40, 30, '/bin/sh'), info(50, 40, NODE)];
    expect(findAncestors(ring, self)).toEqual([]);
    const own = [info(40, 50, NODE), info(50, 40, NODE)];
    expect(new Set(findAncestors(own, self))).toEqual(new Set([40, 50]));
  });
});
