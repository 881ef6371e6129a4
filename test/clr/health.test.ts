/**
 * The agent's reports about itself: parts that do not work in a program, and exceptions that it dropped. If a runtime
 * can be made to fail, it is; the rest runs in `health-harness/`, with the agent's sources.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildClrAgent } from '../../scripts/clr-agent.mjs';
import { compileCSharp } from '../../scripts/csharp-targets.mjs';
import { clrRules } from '../../src/probes/drivers/clr/clr-types.ts';
import { clr as clrDriver } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { PROTOCOL_VERSION } from '../../src/probes/drivers/clr/protocol.ts';
import { AMPLE } from '../support/budget.ts';
import { CLRS, commandOf, here, startDotnet } from '../support/dotnet.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import { capture, folderOf, loadAndConnect, removeFolders } from './bare-agent.ts';

const AGENT = path.resolve(import.meta.dirname, '../../src/probes/drivers/clr/agent');
const HARNESS = path.join(import.meta.dirname, 'health-harness/HealthHarness.cs');
const ALONE = here('mono', 'net9', 'net31');
const INVARIANT = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };

interface Health {
  readonly parts?: readonly { readonly name: string; readonly problem: string }[];
  readonly discarded?: Readonly<Record<string, number>>;
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'health-'));
beforeAll(() => {
  expect(buildClrAgent()).not.toBeNull();
}, 150_000);
afterEach(async () => {
  await endAll();
  removeFolders();
});
afterAll(() => fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 }));

async function attach(target: Target) {
  const channel = await loadAndConnect(target, folderOf(target));
  const signal = AbortSignal.timeout(25_000);
  const request = { op: 'hello', protocol: PROTOCOL_VERSION, maxKeys: 1000, budget: AMPLE, forms: true } as const;
  const hello = (await channel.call(request, signal)) as Health & { entry: string | null };
  await channel.call({ op: 'rules', ...clrRules(hello.entry) }, signal);
  return { hello, capture: async (full = false) => (await capture(channel, full)) as Health };
}

/** Like a daemon. */
async function attachByDriver(target: Target) {
  const app = await ProbedApp.attach(createClrDriver(clrDriver.settings.parse({})), target.info);
  return { probe: app.probe, read: () => app.read() };
}

describe('parts that do not work in a .NET program', () => {
  it.each(CLRS)('there are none in a usual program on %s', async (clr) => {
    const { hello, capture } = await attach(await startDotnet(clr, 'shop'));
    expect(hello.parts).toEqual([]);
    expect(await capture(true)).toMatchObject({ parts: [] });
    // Nothing has changed.
    expect(await capture()).not.toHaveProperty('parts');
  });

  it.each(here('net9'))('code that is made while the program runs, which %s can forbid', async (clr) => {
    const assembly = compileCSharp('shop');
    const folder = path.join(work, 'shop');
    fs.cpSync(path.dirname(assembly), folder, { recursive: true });
    const config = path.join(folder, `${path.basename(assembly)}.runtimeconfig.json`);
    const options = JSON.parse(fs.readFileSync(config, 'utf8'));
    options.runtimeOptions.configProperties = {
      'System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported': false,
    };
    fs.writeFileSync(config, JSON.stringify(options));
    const program = path.join(folder, `${path.basename(assembly)}.dll`);
    const target = await startProgram(commandOf(clr), [program], { env: INVARIANT });
    const { probe, read } = await attachByDriver(target);
    expect(probe.health?.()).toEqual({ parts: [], discarded: {} });
    const { parts, discarded } = await until('enough captures that code would pay', async () => {
      await read();
      const health = probe.health?.();
      return health?.parts.length ? health : null;
    });
    expect(parts).toEqual([{ name: 'emit', problem: expect.stringMatching(/^no code can be made in this program: /) }]);
    expect(Object.keys(discarded)).toContainEqual(expect.stringMatching(/\.Emit:PlatformNotSupportedException$/));
  });
});

describe.each(ALONE)('reports of the agent itself on %s', (clr) => {
  const program = path.join(work, 'harness.exe');
  const run = (name: string, ...args: string[]) =>
    execFileSync(commandOf(clr), [clr === 'mono' ? program : program.replace(/exe$/, 'dll'), name, ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...INVARIANT, DOTNET_EnableDiagnostics: '0' },
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Health);
  const partsOf = (name: string, ...args: string[]) => run(name, ...args)[0]?.parts;

  beforeAll(() => {
    if (fs.existsSync(program)) return;
    const build = path.join(work, 'Build.cs');
    fs.writeFileSync(build, 'namespace Substrate { static class Build { internal const string Hash = "tested"; } }\n');
    const sources = fs
      .readdirSync(AGENT, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.cs'))
      .map((file) => path.join(AGENT, file));
    const options = ['-unsafe', '-optimize+', '-langversion:7', '-nowarn:0169,0649,0436', '-r:System.Core.dll'];
    execFileSync('mcs', [...options, '-main:Harness.HealthHarness', `-out:${program}`, ...sources, build, HARNESS]);
    fs.copyFileSync(program, program.replace(/exe$/, 'dll'));
    const framework = { name: 'Microsoft.NETCore.App', version: '3.1.0' };
    fs.writeFileSync(
      program.replace(/exe$/, 'runtimeconfig.json'),
      JSON.stringify({ runtimeOptions: { framework, rollForward: 'LatestMajor' } }),
    );
    // An assembly that needs another one, which is missing.
    fs.writeFileSync(path.join(work, 'gone.cs'), 'public class Gone { }');
    fs.writeFileSync(path.join(work, 'lonely.cs'), 'public class Lonely : Gone { public Gone Lost; }');
    execFileSync('mcs', ['-target:library', `-out:${work}/gone.dll`, `${work}/gone.cs`]);
    execFileSync('mcs', ['-target:library', `-r:${work}/gone.dll`, `-out:${work}/lonely.dll`, `${work}/lonely.cs`]);
    fs.rmSync(path.join(work, 'gone.dll'));
  }, 150_000);

  it('have what is new, and all of it on request', () => {
    const emit = { name: 'emit', problem: 'InvalidOperationException: fields are read slowly' };
    const timers = { name: 'timers', problem: 'timers are not read' };
    expect(run('Reports')).toEqual([
      { all: true, parts: [] },
      { all: false },
      { all: false, parts: [emit], discarded: { 'Walk.Read:InvalidOperationException': 1 } },
      { all: false },
      { all: false, discarded: { 'Walk.Read:InvalidOperationException': 2 } },
      { all: false, parts: [emit, timers] },
      { all: false, parts: [timers] },
      { all: true, parts: [timers], discarded: { 'Walk.Read:InvalidOperationException': 2 } },
    ]);
  });

  it('come from a runtime on which a memory allowance of any size is a whole number', () => {
    const most = '9223372036854774784';
    const expected = ['0', '0', '0', '0', '1', '1000000000000000', most, most, most];
    expect(run('Casts').slice(0, -1)).toEqual(expected.map((cast) => ({ cast })));
  });

  it('have a bound', () => {
    const [{ parts = [], discarded = {} } = {}] = run('ManyPlaces');
    expect(Object.keys(discarded)).toHaveLength(64);
    expect(discarded.other).toBe(37);
    expect(parts).toHaveLength(20);
    expect(parts.every(({ problem }) => problem.length === 200)).toBe(true);
  });

  it('lose nothing when threads count at once, and name a type only where its name is plain', () => {
    const counted = Array.from({ length: 10 }, (_, at) => [`Place.Number${at}:Exception`, 16_000]);
    expect(run('ManyThreads')[0]?.discarded).toEqual(Object.fromEntries(counted));
    expect(run('OddNames')[0]?.discarded).toEqual({ 'Walk.Generic': 1, 'Walk.Nothing': 1 });
  });

  const LOST = 'static fields of types with initialisers are not read';

  it('say that static fields are not read where their marks are not found', () => {
    expect(partsOf('Marks')).toEqual([]);
    const line = (problem: string) => [{ name: 'static_fields', problem: `${problem}: ${LOST}` }];
    expect(partsOf('Marks', 'none')).toEqual(line('the memory of the program cannot be read'));
    const unknown = 'this runtime marks types whose initialiser has run in an unknown way';
    expect(partsOf('Marks', 'zeros')).toEqual(line(unknown));
    // Which of these duplicates a runtime's marks depends on their place.
    const twice = ['even bytes', 'odd bytes', 'even words', 'odd words'].flatMap(
      (what) => partsOf('Marks', what) ?? [],
    );
    const problem = expect.stringMatching(/^[2-9] places look like the mark of a type.*are not read$/);
    expect(twice).toContainEqual({ name: 'static_fields', problem });
  });

  it.each([
    ['Timers', 'timers', /^this runtime keeps its timers in an unknown way: objects that only timers hold/],
    ['Services', 'services', /^Microsoft\.Extensions\.DependencyInjection is of an unknown version: services/],
    ['Collections', 'collections', /^System\.Collections\.Generic\.OrderedDictionary`2 is of an unknown version/],
    ['ThreadTimes', 'cpu_time', /: the budget goes by the clock$/],
    ['HeapScan', 'heap_scan', /^the library for the heap cannot be opened: objects that only running methods/],
    ['OddForms', 'windows_forms', /^Windows Forms has other classes than in known versions: windows are not read/],
    ['FormsWithoutList', 'windows_forms', /^the list of windows is not where known versions keep it: windows are/],
  ])('have a line: %s', (name, part, problem) => {
    expect(partsOf(name)).toEqual([{ name: part, problem: expect.stringMatching(problem) }]);
  });

  it('have a line where an assembly has no file, and the runtime does not give its metadata', () => {
    const problem = 'the metadata of an assembly cannot be read: its types and methods are left out';
    const parts = partsOf('Metadata', path.join(work, 'lonely.dll'));
    // Mono does not provide it.
    expect(parts).toEqual(clr === 'mono' ? [{ name: 'metadata', problem }] : []);
  });
});
