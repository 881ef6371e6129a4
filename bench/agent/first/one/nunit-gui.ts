import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { says } from '../../app.ts';
import { debianFile } from '../../install.ts';
import { fileIn, startOnScreen, windowTitles } from '../../programs/on-screen.ts';
import type { FirstApp } from '../first-app.ts';

const TESTS = `using NUnit.Framework;
namespace Harbour {
  [TestFixture] public class TideTests {
    [Test] public void SandpiperMoorsAtNorth() { System.IO.File.AppendAllText("moored.log", "x"); }
    [Test] public void TernLeavesOnTime() { }
    [Test] public void PetrelLeavesOnTime() { Assert.Fail("forty minutes late"); }
  }
}
`;
const file = (name: string) => debianFile('nunit-gui', `usr/lib/${name}`);
const LIBRARIES = ['core-2.6.3', 'core.interfaces-2.6.3', 'util-2.6.3'].map((name) => `cli/nunit.${name}`);
const runs = (url: string) => fs.readFileSync(fileIn(url, 'moored.log'), 'utf8').length;

export const nunitGui: FirstApp = {
  name: 'nunit-gui',
  kind: 'Mono: Windows Forms',
  debian: [
    'nunit-gui',
    'libnunit-core2.6.3-cil',
    'libnunit-core-interfaces2.6.3-cil',
    'libnunit-util2.6.3-cil',
    'libnunit-framework2.6.3-cil',
    'libmono-system-runtime4.0-cil',
  ],
  isHttp: false,
  start({ folder }) {
    fs.copyFileSync(file('cli/nunit.framework-2.6.3/nunit.framework.dll'), path.join(folder, 'nunit.framework.dll'));
    fs.writeFileSync(path.join(folder, 'Tides.cs'), TESTS);
    execFileSync('mcs', ['-target:library', '-r:nunit.framework.dll', 'Tides.cs', '-out:Tides.dll'], { cwd: folder });
    const libraries = [...LIBRARIES, 'mono/4.5'].map(file).join(':');
    const command = ['mono', file('nunit/nunit.exe'), 'Tides.dll', '-run'];
    return startOnScreen('env', [`MONO_PATH=${libraries}`, ...command], folder);
  },
  fill: async (url) => (await windowTitles(url)).some((title) => title.startsWith('Passed: 2')),
  ready: async ({ url }) => runs(url) === 1,
  facts: [
    { ask: 'assembly', value: 'Tides.dll' },
    { ask: 'a test', value: 'SandpiperMoorsAtNorth' },
    { ask: 'the test that failed', value: 'PetrelLeavesOnTime' },
    { ask: 'why it failed', value: 'forty minutes late' },
    { ask: 'how many passed', line: 'passed(: |.*= )2' },
  ],
  tasks: [
    { kind: 'read', words: 'What is the message of the test "PetrelLeavesOnTime"?', check: says('forty minutes late') },
    { kind: 'act', words: 'Press "Run".', check: ({ url }) => runs(url) === 2 },
  ],
};
