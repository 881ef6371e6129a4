/** Collects everything that can be known about a .NET or Mono program without touching it. */

import path from 'node:path';
import * as z from 'zod';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { isFork } from '../../../support/fork.ts';
import { statSeen } from '../../../support/in-root.ts';
import { readSmallText } from '../../../support/plain-file.ts';
import { readCoreClrVersion } from '../coreclr/coreclr-build.ts';
import { readMonoBuild } from '../mono/mono-build.ts';
import { readBundleFile } from './bundle.ts';
import { assemblyBase, type ClrCommand, isMonoLauncher, parseClrCommand } from './clr-command.ts';

const MAX_DEPENDENCIES_BYTES = 8 * 1024 * 1024;
const CORE_LIBRARY = /\/libcoreclr\.so$/;
const MONO_LIBRARY = /\/libmono(?:sgen|boehm|bdwgc)?-2\.0\.so(?:\.[\d.]+)?$/;

export interface ClrRuntime {
  readonly kind: 'coreclr' | 'mono' | 'native-aot';
  /** Path of the runtime's library as the process sees it; null if it is inside of the executable. */
  readonly library: string | null;
}

/** Null if it is no known runtime. */
export function findRuntime({ exe }: ProcessInfo, details: ProcessDetails): ClrRuntime | null {
  if (isFork(details)) return null;
  const { modules, threads } = details;
  const core = modules.find((file) => CORE_LIBRARY.test(file));
  if (core !== undefined) return { kind: 'coreclr', library: core };
  const mono = modules.find((file) => MONO_LIBRARY.test(file));
  if (mono !== undefined) return { kind: 'mono', library: mono };
  // Includes programs with the runtime inside (mkbundle).
  if (threads.includes('SGen worker') || isMonoLauncher(path.basename(exe ?? '')))
    return { kind: 'mono', library: null };
  if (threads.includes('.NET SynchManag')) return { kind: 'coreclr', library: null };
  // Compiled ahead of time: it has the same names of threads, except for the parts that it lacks.
  return threads.includes('.NET Finalizer') ? { kind: 'native-aot', library: null } : null;
}

const settingsFile = z.object({
  runtimeOptions: z
    .object({
      configProperties: z.record(z.string(), z.unknown()).optional(),
      includedFrameworks: z.array(z.object({ name: z.string(), version: z.string() })).optional(),
    })
    .optional(),
});

/** `runtimeconfig.json`. */
export interface ClrSettings {
  readonly properties: ReadonlyMap<string, unknown>;
  /** Version of the runtime that a self-contained program has; null if it has none, or does not say. */
  readonly version: string | null;
}

export function parseSettings(text: string): ClrSettings | null {
  try {
    // Comments are allowed in it, though they are rare.
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, '').replace(/^\s*\/\/.*$/gm, ''));
    const { configProperties = {}, includedFrameworks = [] } = settingsFile.parse(json).runtimeOptions ?? {};
    const own = includedFrameworks.find(({ name }) => name === 'Microsoft.NETCore.App');
    return { properties: new Map(Object.entries(configProperties)), version: own?.version ?? null };
  } catch {
    // A file that .NET itself could not read sets nothing.
    return null;
  }
}

export interface ClrProgram {
  readonly command: ClrCommand;
  /** Full path of the main assembly as the process sees it, or of the executable that has it inside. */
  readonly main: string;
  /** Null if none was found, or it cannot be read. */
  readonly settings: ClrSettings | null;
  /** Version of the runtime: `9.0.1`; null if it is not known from outside. */
  readonly version: string | null;
}

export function readProgram(
  process: ProcessInfo,
  details: ProcessDetails,
  runtime: ClrRuntime,
  inspect: ProcessInspector,
): ClrProgram {
  const resolve = (file: string) => inspect.resolvePath(process, file);
  const exe = process.exe ?? process.argv[0] ?? process.name;
  const command = parseClrCommand(path.basename(exe), process.argv);
  const main =
    command.assembly === null ? hostedAssembly(exe, details) : locate(command.assembly, process, details, inspect);
  if (runtime.kind === 'mono') {
    return { command, main, settings: null, version: readMonoBuild(resolve(runtime.library ?? exe)).version };
  }
  const settings = runtime.kind === 'coreclr' ? readSettings(process, exe, main, command, resolve) : null;
  return { command, main, settings, version: versionOf(runtime, main, settings, resolve) };
}

/** The host executable starts the assembly of its own name beside it. */
function hostedAssembly(exe: string, { modules }: ProcessDetails): string {
  return modules.find((file) => file === `${exe}.dll`) ?? exe;
}

/** The path is relative to the working folder, unless the program has changed that since. */
function locate(
  assembly: string,
  process: ProcessInfo,
  { modules }: ProcessDetails,
  inspect: ProcessInspector,
): string {
  const file = path.resolve(process.cwd ?? '/', assembly);
  if (modules.includes(file)) return file;
  const mapped = modules.filter((module) => path.basename(module) === path.basename(assembly));
  const [only] = mapped;
  const isThere = statSeen(inspect.resolvePath(process, file)) !== null;
  return mapped.length === 1 && only !== undefined && !isThere ? only : file;
}

function readSettings(
  process: ProcessInfo,
  exe: string,
  main: string,
  { settingsFile: given }: ClrCommand,
  resolve: (file: string) => string,
): ClrSettings | null {
  const file =
    given === null
      ? path.join(path.dirname(main), `${assemblyBase(main)}.runtimeconfig.json`)
      : path.resolve(process.cwd ?? '/', given);
  const text = readSmallText(resolve(file)) ?? (main === exe ? readBundleFile(resolve(exe))?.settings : null);
  return text ? parseSettings(text) : null;
}

function versionOf(
  { library }: ClrRuntime,
  main: string,
  settings: ClrSettings | null,
  resolve: (file: string) => string,
): string | null {
  const shared = /\/shared\/Microsoft\.NETCore\.App\/(\d[\w.-]*)\/[^/]+$/.exec(library ?? '')?.[1];
  if (shared !== undefined) return shared;
  if (settings?.version) return settings.version;
  if (library === null) return null;
  // .NET Core 3.1 has it only in the list of a self-contained program's files.
  const dependencies = path.join(path.dirname(main), `${assemblyBase(main)}.deps.json`);
  const text = readSmallText(resolve(dependencies), MAX_DEPENDENCIES_BYTES) ?? '';
  const [, listed] = /"runtimepack\.Microsoft\.NETCore\.App\.Runtime\.[\w.-]+\/(\d[\w.-]*)"/.exec(text) ?? [];
  return listed ?? readCoreClrVersion(resolve(library));
}

/** Its first number: `9.0.1` -> 9. */
export function majorOf(version: string): number | null {
  const major = Number(/^\d+/.exec(version)?.[0]);
  return Number.isNaN(major) ? null : major;
}

/** The environment that the process was started with; null if it cannot be read. */
export function readEnvironment(process: ProcessInfo, inspect: ProcessInspector): ReadonlyMap<string, string> | null {
  const text = inspect.kernelFile(process, 'environ');
  if (text === null) return null;
  const entries = text.split('\0').flatMap((entry): [string, string][] => {
    const at = entry.indexOf('=');
    return at < 1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)]];
  });
  return new Map(entries);
}
