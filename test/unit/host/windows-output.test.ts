import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCommandLine } from '../../../src/host/windows-command-line.ts';
import { parseListeners, parseModules, parseProcesses } from '../../../src/host/windows-output.ts';

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/host/${name}`, import.meta.url), 'utf8');

describe('the output of PowerShell and netstat', () => {
  const processes = parseProcesses(fixture('windows-processes.json'));

  it('gives the processes that have a start time', () => {
    expect(processes.map((info) => info.pid)).toEqual([4, 6120, 6188, 7001]);
  });

  it('gives all that Windows tells of a process', () => {
    expect(processes[1]).toEqual({
      pid: 6120,
      ppid: 1044,
      uid: -1,
      startTime: '134076458476543210',
      name: 'node.exe',
      exe: 'C:\\Program Files\\nodejs\\node.exe',
      argv: [
        'C:\\Program Files\\nodejs\\node.exe',
        '--inspect=0',
        'C:\\Users\\Zoë\\My App\\server.js',
        'say "hi"',
        '',
        'C:\\dir\\',
        'C:\\quoted dir\\',
      ],
      cwd: null,
    });
    expect(processes[0]).toMatchObject({ exe: null, argv: [] });
    expect(processes[3]).toMatchObject({ argv: [] });
  });

  it('may be a single row, none, or no JSON', () => {
    expect(parseProcesses(fixture('windows-one-process.json'))).toHaveLength(1);
    expect(parseProcesses('')).toEqual([]);
    expect(parseProcesses('Get-CimInstance : Access denied')).toEqual([]);
    fc.assert(fc.property(fc.json(), (json) => void parseProcesses(json)));
  });

  it('gives modules, each once', () => {
    expect(parseModules(fixture('windows-modules.json'))).toEqual([
      'C:\\Program Files\\dotnet\\dotnet.exe',
      'C:\\Windows\\SYSTEM32\\ntdll.dll',
      'C:\\Users\\Zoë\\My App\\coreclr.dll',
    ]);
  });

  it('gives what listens, in any language', () => {
    expect(parseListeners(fixture('windows-netstat-german.txt'))).toEqual([
      { address: '0.0.0.0', port: 135, pid: 1044 },
      { address: '127.0.0.1', port: 9229, pid: 6120 },
      { address: '::', port: 3000, pid: 6120 },
      { address: 'fe80::1', port: 7000, pid: 6120 },
    ]);
  });
});

describe('a Windows command line', () => {
  it.each([
    ['a "b c" d', ['a', 'b c', 'd']],
    ['"a b\\"c" d', ['a b\\', 'c d']],
    ['a "ab\\"c" "\\\\" d', ['a', 'ab"c', '\\', 'd']],
    ['a a\\\\\\b d"e f"g h', ['a', 'a\\\\\\b', 'de fg', 'h']],
    ['a a\\\\\\"b c d', ['a', 'a\\"b', 'c', 'd']],
    ['a a\\\\\\\\"b c" d e', ['a', 'a\\\\b c', 'd', 'e']],
    ['a "b""c" \t d', ['a', 'b"c', 'd']],
    ['a "open end', ['a', 'open end']],
    ['', []],
    ['   ', []],
  ])('%j is split as the C runtime does', (line, argv) => {
    expect(splitCommandLine(line)).toEqual(argv);
  });

  it('comes back as it was quoted', () => {
    const quote = (argument: string) =>
      `"${argument.replace(/(\\*)("|$)/g, (_all, slashes, end) => slashes + slashes + (end && '\\"'))}"`;
    const argument = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', 'é', '\t') });
    fc.assert(
      fc.property(fc.array(argument), (argv) => {
        expect(splitCommandLine(['app', ...argv.map(quote)].join(' '))).toEqual(['app', ...argv]);
      }),
    );
  });

  it('may be anything', () => {
    fc.assert(fc.property(fc.string(), (line) => void splitCommandLine(line)));
  });
});
