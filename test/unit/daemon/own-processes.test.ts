import { describe, expect, it } from 'vitest';
import { findAncestors, isOurs } from '../../../src/daemon/own-processes.ts';
import type { ProcessInfo } from '../../../src/model/process.ts';

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

describe('isOurs', () => {
  const of = (argv: string[], name = 'node') => isOurs({ ...info(9, 1, NODE, name), argv });

  it.each([
    ['a daemon, which has another title', ['substrate'], 'substrate'],
    ['a daemon before it has its title', [NODE, '/opt/lib/node_modules/substrated/dist/substrate.js', 'serve'], 'node'],
    ['a command by its link', ['node', '/usr/local/bin/substrate', 'run', '--', 'node', 'app.js'], 'node'],
    ['a command in its folder', ['node', 'substrate.js', 'doctor'], 'node'],
    ['options of Node before it', ['node', '--enable-source-maps', 'dist/substrate.js', 'mcp'], 'node'],
    [
      'options with values before it',
      ['node', '-r', './hook.cjs', '--no-warnings', 'dist/substrate.js', 'mcp'],
      'node',
    ],
    ['npx around it', ['npm exec substrated mcp'], 'npm exec substr'],
    ['npx around the command of an installed package', ['npm exec substrate mcp'], 'npm exec substr'],
    ['the command by the name of the package', [NODE, '/srv/node_modules/.bin/substrated', 'mcp'], 'node'],
    ['npx with options and a version', ['npm exec --yes substrated@0.1.0 watch shop'], 'npm exec --yes'],
  ])('knows %s', (_, argv, name) => {
    expect(of(argv, name)).toBe(true);
  });

  it.each([
    ['an app that substrate started', ['node', 'app.js']],
    ['an app that is given such a file', ['node', 'build.mjs', 'dist/substrate.js']],
    ['an app with a similar name', ['node', '/srv/substrate-shop.js']],
    ['npx around another program', ['npm exec substrate-shop']],
    ['a program without arguments', ['node']],
  ])('leaves %s alone', (_, argv) => {
    expect(of(argv)).toBe(false);
  });
});
