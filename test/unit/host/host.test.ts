import { describe, expect, it } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import { ListScanner } from '../../../src/host/list-scanner.ts';
import type { ProcessInfo } from '../../../src/model/process.ts';

describe('createHost', () => {
  it('knows three systems', () => {
    expect(Object.keys(createHost('linux'))).toEqual(['scanner', 'inspector', 'signal']);
    expect(() => createHost('aix')).toThrow(/aix/);
  });

  it.each(['darwin', 'win32'] as const)('signals nothing on %s, where handlers are not known', (platform) => {
    const ref = { pid: process.pid, startTime: '1' };
    expect(() => createHost(platform).signal(ref, 'SIGUSR1')).toThrow(/not sent/);
  });
});

describe('the scanner over whole lists', () => {
  const info = (pid: number, startTime: string, exe: string, argv: string[] = []): ProcessInfo => {
    return { pid, startTime, ppid: 1, uid: 0, name: 'x', exe, argv, cwd: null };
  };

  it('reports new, ended, replaced and exec processes, not new titles', async () => {
    const lists = [
      [info(1, 'a', '/init'), info(2, 'a', '/sh'), info(3, 'a', '/x'), info(4, 'a', '/y')],
      [info(1, 'a', '/init', ['new title']), info(2, 'a', '/node'), info(3, 'b', '/x'), info(5, 'b', '/z')],
    ];
    const scanner = new ListScanner(async () => lists.shift() ?? []);
    expect(await scanner.scan()).toMatchObject({ appeared: { length: 4 }, gone: [], total: 4 });
    const delta = await scanner.scan();
    expect(delta.gone.map(({ pid, startTime }) => pid + startTime)).toEqual(['2a', '3a', '4a']);
    expect(delta.appeared.map(({ pid, exe }) => pid + (exe ?? ''))).toEqual(['2/node', '3/x', '5/z']);
    expect(scanner.saw({ pid: 3, startTime: 'b' })).toBe(true);
    expect(scanner.saw({ pid: 3, startTime: 'a' })).toBe(false);
  });

  it('forgets nothing when a listing fails', async () => {
    let fails = false;
    const scanner = new ListScanner(async () => {
      if (fails) throw new Error('no ps');
      return [info(1, 'a', '/init')];
    });
    await scanner.scan();
    fails = true;
    await expect(scanner.scan()).rejects.toThrow('no ps');
    fails = false;
    expect(await scanner.scan()).toEqual({ appeared: [], gone: [], total: 1 });
  });
});
