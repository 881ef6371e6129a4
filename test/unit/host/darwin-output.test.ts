import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseListeners, parseModules, parseProcesses, parseStartTime } from '../../../src/host/darwin-output.ts';

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/host/${name}`, import.meta.url), 'utf8');

describe('the output of ps and lsof on macOS', () => {
  const processes = parseProcesses(fixture('darwin-ps-processes.txt'), fixture('darwin-ps-arguments.txt'));
  const byPid = new Map(processes.map((info) => [info.pid, info]));

  it('gives the processes that both listings have, without zombies', () => {
    expect([...byPid.keys()]).toEqual([1, 312, 401, 2210, 2214, 5107, 5120, 5133]);
  });

  it('keeps spaces in the path of the executable', () => {
    const helper =
      '/Applications/Visual Studio Code.app/Contents/Frameworks/Code Helper (Renderer).app/Contents/MacOS/Code Helper (Renderer)';
    expect(byPid.get(2214)).toEqual({
      pid: 2214,
      ppid: 2210,
      uid: 501,
      startTime: 'Fri Nov 14 21:03:56 2025',
      name: 'Code Helper (Renderer)',
      exe: helper,
      argv: [helper, '--type=renderer', '--lang=en-GB'],
      cwd: null,
    });
  });

  it('takes other names for the program as they are', () => {
    expect(byPid.get(5107)?.argv.slice(0, 3)).toEqual(['node', '--inspect=0', 'server.js']);
    expect(byPid.get(5120)).toMatchObject({ exe: null, name: '-zsh', argv: ['-zsh'] });
    expect(byPid.get(401)).toMatchObject({ uid: -2, argv: [] });
    expect(byPid.get(5133)).toMatchObject({
      name: 'sérveur',
      argv: [expect.stringContaining('日本語 app'), '--näme', '值'],
    });
  });

  it('gives the start time of one process', () => {
    expect(parseStartTime('Sat Nov  1 07:58:12 2025    \n')).toBe(byPid.get(1)?.startTime);
    expect(parseStartTime('')).toBeNull();
  });

  it('gives listeners, each once', () => {
    expect(parseListeners(fixture('darwin-lsof-listeners.txt'))).toEqual([
      { address: '127.0.0.1', port: 9229 },
      { address: '::', port: 3000 },
      { address: '::1', port: 5173 },
      { address: '0.0.0.0', port: 8080 },
      { address: 'fe80:1::1', port: 7000 },
    ]);
  });

  it('gives modules, each once', () => {
    expect(parseModules(fixture('darwin-lsof-modules.txt'))).toEqual([
      '/opt/homebrew/Cellar/node/24.1.0/bin/node',
      '/opt/homebrew/Cellar/node/24.1.0/lib/libnode.137.dylib',
      '/Users/zoë/My Modules/native addon.node',
      '/usr/lib/dyld',
    ]);
  });

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseProcesses(text, text);
        parseListeners(`n${text}`);
        parseModules(text);
        parseStartTime(text);
      }),
    );
  });
});
