/**
 * Programs with the agent's part for actions and a small shop to try it on, one for each runtime; compiled once per
 * test file.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { roslyn } from '../../scripts/csharp-targets.mjs';
import { CLR } from '../../src/probes/drivers/clr/clr-platform.ts';
import { CLR_VALUES } from '../../src/probes/drivers/clr/clr-values.ts';
import type { Action, Answer } from '../support/act-answers.ts';
import { HarnessMethods } from '../support/act-catalog.ts';
import { commandOf, DOTNET, isHere } from '../support/dotnet.ts';
import { end, start } from '../support/real-processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const AGENT = path.join(ROOT, 'src/probes/drivers/clr/agent');
const SOURCES = path.join(ROOT, 'test/clr/act-harness');
const NOT_WARNED = '-nowarn:0067,0169,0414,0649,1701,1702,1998,4014';

export type Compiler = 'mcs' | 'release' | 'debug';
/** The shop is compiled by Mono's compiler, or by that of .NET with or without optimisations. */
export interface Setting {
  readonly runtime: 'mono' | 'dotnet';
  readonly compiler: Compiler;
}

const MONO: Setting = { runtime: 'mono', compiler: 'mcs' };
const RELEASE: Setting = { runtime: 'dotnet', compiler: 'release' };
/** .NET Core 3.1 does not find all types where Mono's compiler has seen them. */
const FOREIGN: readonly Setting[] = isHere('net9') ? [{ runtime: 'dotnet', compiler: 'mcs' }] : [];

export const RUNTIMES: readonly Setting[] = [MONO, FOREIGN[0] ?? RELEASE];
export const SETTINGS: readonly Setting[] = [MONO, ...FOREIGN, RELEASE, { runtime: 'dotnet', compiler: 'debug' }];

export interface Harness {
  ask(request: Record<string, unknown>): Promise<unknown>;
  actions(): Promise<readonly Action[]>;
  readonly shop: HarnessMethods;
  /** `crowd`: a type that is met in a hundred places; `lazy`: one that refers to an assembly which is not loaded. */
  methodsOf(what: 'crowd' | 'lazy'): HarnessMethods;
  invoke(placeAndMethod: string, args: Record<string, unknown>, timeoutMs?: number): Promise<Answer>;
  /** An assembly that overrides a method of the shop. */
  readonly laterAssembly: string;
  stop(): Promise<void>;
}

/** The part that is the same for all settings, without the shop. */
function compilePrograms(folder: string): void {
  const absent = path.join(folder, 'Absent.dll');
  mcs(['-target:library', `-out:${absent}`, ...filesIn('absent')]);
  mcs(['-target:library', `-r:${absent}`, `-out:${path.join(folder, 'Lazy.dll')}`, ...filesIn('lazy')]);
  const agentFiles = ['act', 'budget', 'code', 'health', 'json', 'metadata'].flatMap((name) =>
    csharpFiles(path.join(AGENT, name)),
  );
  const shared = ['state/IShown.cs', 'Threads.cs'].map((name) => path.join(AGENT, name));
  const program = path.join(folder, 'ActHarness.exe');
  mcs(['-target:exe', `-out:${program}`, ...filesIn('harness'), ...agentFiles, ...shared]);
  fs.copyFileSync(program, path.join(folder, 'ActHarness.dll'));
  fs.writeFileSync(
    path.join(folder, 'ActHarness.runtimeconfig.json'),
    JSON.stringify({
      runtimeOptions: { framework: { name: 'Microsoft.NETCore.App', version: '3.1.0' }, rollForward: 'LatestMajor' },
    }),
  );
}

const compiled = new Map<Compiler | 'programs', string>();

/** A folder made once per test file. */
function once(what: Compiler | 'programs', make: (folder: string) => void): string {
  const before = compiled.get(what);
  if (before !== undefined) return before;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'act-'));
  compiled.set(what, folder);
  make(folder);
  return folder;
}

/** For afterAll. */
export function removeCompiled(): void {
  for (const folder of compiled.values()) fs.rmSync(folder, { recursive: true, force: true });
  compiled.clear();
}

function compile(compiler: Compiler): string {
  return once(compiler, (folder) => {
    fs.cpSync(once('programs', compilePrograms), folder, { recursive: true });
    const model = path.join(folder, 'Model.dll');
    const later = path.join(folder, 'Later.dll');
    if (compiler === 'mcs') {
      mcs(['-target:library', '-r:System.dll', `-out:${model}`, ...filesIn('model')]);
      mcs(['-target:library', `-r:${model}`, `-out:${later}`, ...filesIn('later')]);
    } else {
      const options = ['-unsafe', NOT_WARNED, '-target:library', `-optimize${compiler === 'release' ? '+' : '-'}`];
      roslyn('Microsoft.NETCore.App', [...options, `-out:${model}`, ...filesIn('model')]);
      roslyn('Microsoft.NETCore.App', [...options, `-r:${model}`, `-out:${later}`, ...filesIn('later')]);
    }
  });
}

export async function startHarness({ runtime, compiler }: Setting): Promise<Harness> {
  const folder = compile(compiler);
  const laterAssembly = path.join(folder, 'Later.dll');
  const program = path.join(folder, runtime === 'mono' ? 'ActHarness.exe' : 'ActHarness.dll');
  const started = start(commandOf(runtime === 'mono' ? 'mono' : DOTNET), [program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
      DOTNET_EnableDiagnostics: '0',
      COMPlus_EnableDiagnostics: '0',
    },
  });
  const { stdin, stdout } = started.child;
  if (!stdin || !stdout) throw new Error('the harness has no streams');
  const lines = readline.createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (request: Record<string, unknown>): Promise<unknown> => {
    stdin.write(`${JSON.stringify(request)}\n`);
    const line = await lines.next();
    if (line.done) throw new Error('the harness ended');
    const answer: unknown = JSON.parse(line.value);
    if (typeof answer === 'string' && answer.startsWith('failed: ')) throw new Error(answer);
    return answer;
  };
  const methodsOf = (of: string) =>
    new HarnessMethods({ platform: CLR, values: CLR_VALUES, map: 'dictionary', isOnlyOneFound: false }, (question) =>
      ask({ ...question, of }),
    );
  const shop = methodsOf('shop');
  await shop.settled();
  if (process.env.RECORD_FACTS) shop.recorder.save(`csharp-shop-${runtime}-${compiler}`);
  return {
    ask: async (request) => {
      const { binding, args = {} } = request;
      if (typeof binding !== 'string') return ask(request);
      return ask({ ...request, call: await shop.call(binding, args as Record<string, unknown>) });
    },
    actions: () => shop.settled(),
    shop,
    methodsOf,
    invoke: async (called, args, timeoutMs = 10_000) => {
      const call = await shop.call(`method:${called}`, args);
      if (call === null) return { refused: 'gone', message: `there is no action ${called}`, running: 0 };
      if (typeof call === 'string') return { refused: 'argument', message: call, running: 0 };
      return (await ask({ op: 'invoke', call, timeoutMs })) as Answer;
    },
    laterAssembly,
    stop: () => end(started),
  };
}

function mcs(args: readonly string[]): void {
  execFileSync('mcs', ['-unsafe', '-optimize+', '-langversion:7', NOT_WARNED, '-r:System.Core.dll', ...args]);
}

const filesIn = (name: string) => csharpFiles(path.join(SOURCES, name));

function csharpFiles(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.cs'))
    .map((name) => path.join(folder, name));
}
