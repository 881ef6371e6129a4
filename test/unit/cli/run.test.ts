import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { findCommand } from '../../../src/cli/run/find-command.ts';
import { chromiumFlags } from '../../../src/probes/drivers/v8/browser/chromium-flags.ts';
import { makeFolder, makeProgram, plan, removeFolders } from '../../support/launch-plan.ts';

const PORT = '--remote-debugging-port=0';
const PROFILE = '--user-data-dir=/p';
afterEach(removeFolders);

describe('flags for Chromium', () => {
  it.each<[string, string[], string[]]>([
    ['nothing', [], [PORT, PROFILE]],
    ['addresses', ['https://a.example/?--user-data-dir=/x'], [PORT, PROFILE]],
    ['a port', ['--remote-debugging-port=9222'], [PROFILE]],
    ['a port without a value', ['--remote-debugging-port'], [PROFILE]],
    ['a folder', ['--user-data-dir=/mine'], [PORT]],
    ['an empty folder', ['--user-data-dir='], [PORT]],
    ['both', ['--user-data-dir=/mine', '--remote-debugging-port=1'], []],
    ['options that only look alike', ['--remote-debugging-ports=1', '--user-data-directory=/x'], [PORT, PROFILE]],
    ['options behind --', ['--', '--remote-debugging-port=1', '--user-data-dir=/x'], [PORT, PROFILE]],
    ['a question', ['--version'], []],
    ['a question behind --', ['--', '--version'], [PORT, PROFILE]],
    ['a helper of its own', ['--type=renderer'], []],
    ['a temporary profile', ['--temp-profile'], [PORT]],
  ])('with %s', (_, args, added) => {
    expect(chromiumFlags(args, '/p').added).toEqual(added);
  });

  it('say where they are in conflict with what is given', () => {
    const remarks = (...args: string[]) => chromiumFlags(args, '/p').remarks.join(' ');
    expect(remarks('https://a.example')).toBe('');
    expect(remarks('--remote-debugging-port=abc')).toContain('without a number');
    expect(remarks('--user-data-dir')).toContain('without a folder');
    expect(remarks('--profile-directory=Work')).toContain('is looked for in /p');
    expect(remarks('--remote-debugging-pipe')).toContain('leave it away');
  });

  it('never repeat an option that is given', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('--', PORT, PROFILE, '--user-data-dir', '--headless', '-h'));
    fc.assert(
      fc.property(fc.array(word), (args) => {
        const { added } = chromiumFlags(args, '/p');
        const end = args.indexOf('--');
        const options = end === -1 ? args : args.slice(0, end);
        for (const flag of added) {
          const name = flag.split('=')[0] ?? '';
          expect(options.some((option) => option === name || option.startsWith(`${name}=`))).toBe(false);
        }
      }),
    );
  });
});

describe('what is started', () => {
  it.each([
    'chromium',
    'google-chrome',
    'google-chrome-stable',
    'msedge',
    'microsoft-edge',
    'brave-browser',
    'vivaldi',
  ])('%s gets a port and a folder of its own, for its user alone', (name) => {
    const { args, storageDir } = plan(makeProgram(makeFolder(), name, '#!/bin/sh\n'), ['https://a.example', '--', 'x']);
    const folder = path.join(storageDir, 'profiles', name);
    expect(args).toEqual([PORT, `--user-data-dir=${folder}`, 'https://a.example', '--', 'x']);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('a browser by another name is known by the file that it leads to', () => {
    const folder = makeFolder();
    fs.symlinkSync(makeProgram(folder, 'bin/chromium'), path.join(folder, 'x-www-browser'));
    expect(plan(path.join(folder, 'x-www-browser')).args[0]).toBe(PORT);
  });

  it('a browser whose profile is in use says so', () => {
    const folder = makeFolder();
    fs.symlinkSync(`somewhere-${process.pid}`, path.join(folder, 'SingletonLock'));
    const { remarks } = plan(makeProgram(makeFolder(), 'chromium'), [`--user-data-dir=${folder}`]);
    expect(remarks.join()).toContain(`runs already (pid ${process.pid})`);
  });

  it.each([
    ['lib/libnw.so', 'NW.js'],
    ['libcef.so', 'player (CEF)'],
  ])('a program with %s gets a port, and keeps its own data', (library, name) => {
    const folder = makeFolder();
    makeProgram(folder, library);
    const { args, summary } = plan(makeProgram(folder, 'player'), ['app']);
    expect(args).toEqual([PORT, 'app']);
    expect(summary).toBe(`${name}, with ${PORT}`);
  });

  it.each<[string, string, string]>([
    ['node', '\x7fELF', 'Node.js needs nothing'],
    ['my-tool', '#!/usr/bin/env -S node --flag\n', 'Node.js needs nothing'],
    ['java', '\x7fELF', 'Java needs nothing'],
    ['mono', '\x7fELF', 'Mono needs nothing'],
    ['deno', '\x7fELF', 'Deno needs nothing'],
    ['server', '#!/usr/bin/python3\n', 'there is no probe for Python'],
    ['anything', '\x7fELF', 'nothing was added'],
    ['my-browser', '#!/bin/sh\n', expect.stringMatching(/^nothing was added, .* what this script starts/)],
  ])('%s is started as it is', (name, content, summary) => {
    const args = ['--', '--inspect', ''];
    const started = plan(makeProgram(makeFolder(), name, content), args);
    expect(started).toMatchObject({ args, summary });
    expect(started.env).toEqual({});
  });

  it('an Electron app needs nothing', () => {
    const folder = makeFolder();
    makeProgram(folder, 'resources/app.asar');
    makeProgram(folder, 'chrome_100_percent.pak');
    expect(plan(makeProgram(folder, 'editor')).summary).toBe('Electron needs nothing');
  });
});

describe('a command', () => {
  it('is found as a shell finds it', () => {
    const folder = makeFolder();
    const file = makeProgram(folder, 'bin/tool');
    fs.writeFileSync(path.join(folder, 'tool'), '');
    expect(findCommand('tool', `${folder}:${folder}/bin`, '/')).toEqual({ file });
    expect(findCommand('./bin/tool', '', folder)).toEqual({ file });
    expect(findCommand('tool', folder, '/')).toMatchObject({ code: 126 });
    expect(findCommand('bin', folder, '/')).toMatchObject({ code: 127 });
    // A folder that cannot be read, here because it leads to itself.
    fs.symlinkSync('loop', path.join(folder, 'loop'));
    expect(findCommand('tool', `${folder}/loop:${folder}/bin`, '/')).toEqual({ file });
    expect(findCommand('', folder, '/')).toMatchObject({ code: 127, message: 'There is no command "".' });
  });
});
