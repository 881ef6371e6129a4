/**
 * Makes a running .NET load the agent, over its socket for tools: as a startup hook from .NET 8 on, before that by a
 * library that claims to be a profiler. Everything that would end the program is checked before anything is sent.
 */

import path from 'node:path';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import type { Trace } from '../../../../model/trace.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import type { AgentFolder } from '../../../support/agent-files/agent-folder.ts';
import { statSeen } from '../../../support/in-root.ts';
import { readSmallFile } from '../../../support/plain-file.ts';
import { type AgentBuild, assemblyName } from '../agent-build.ts';
import { type ClrProgram, type ClrSettings, majorOf, readEnvironment } from '../identity/clr-facts.ts';
import { checkExecution, openLibraryFolder } from '../native-library.ts';
import { clearPending, isPending, StillPending, setPending } from '../pending.ts';
import { processGone } from '../refusals.ts';
import { DiagnosticsPort, Refused, Unanswered } from './diagnostics-ipc.ts';
import type { Injection } from './injection.ts';

/** The first .NET that accepts a startup hook while it runs. */
const TAKES_HOOKS = 8;
/** The first that reports its version. */
const REPORTS_VERSION = 5;
const OLDEST = 3;
const UNKNOWN_COMMAND = 0x80131385;
const PROFILER_ALREADY_ACTIVE = 0x8013136a;
const PROFILER_WAIT_MS = 5000;
/** Any id is accepted: the library gives no profiler. */
const PROFILER_ID = '5f1b5c1e-7f0d-4a7e-9a51-3f0e5d8c2b61';
/** Threads that only the code of a program starts. */
const MANAGED_THREAD = /^\.NET (?:SigHandler|TP |Sockets|Timer|File Watch|Long Run)/;
/** A program that is older than this has started. */
const STARTING_MS = 5000;
/** With a longer folder the path of the socket exceeds the 107 bytes that the operating system allows. */
const MAX_FOLDER_BYTES = 107 - '/dotnet-diagnostic-1-1-socket'.length;
const UNTRIMMED = 'Publish it without PublishTrimmed, or with StartupHookSupport set to true.';
/** The agent, as `substrate run` loads it. */
const OWN_HOOK = /(?:^|[:/])SubstrateClr_\w+\.dll(?:$|:)/;
const STARTUP_HOOKS = 'System.StartupHookProvider.IsSupported';

export interface CoreClrTarget {
  readonly process: ProcessInfo;
  readonly details: ProcessDetails;
  readonly program: ClrProgram;
  readonly build: AgentBuild;
  readonly cpu: string;
}

/** Checks everything that can be known beforehand. Throws `AttachError`. */
export function checkCoreClr(process: ProcessInfo, program: ClrProgram, inspect: ProcessInspector): void {
  const environment = readEnvironment(process, inspect);
  const variable = switchedOff(environment, program.settings);
  if (variable !== null && OWN_HOOK.test(environment?.get('DOTNET_STARTUP_HOOKS') ?? '')) {
    throw new AttachError('The agent that the .NET program was started with is not there yet.', {
      retry: true,
      remedy: 'It is tried again later.',
    });
  }
  if (variable !== null) {
    throw new AttachError(
      `The .NET program was started with ${variable}, which switches its diagnostics off, so nothing can be attached to it.`,
      { retry: false, remedy: 'Start it without that setting, or by substrate run.' },
    );
  }
  if (refusesHooks(program.settings)) {
    throw new AttachError(
      `The .NET program was published without ${STARTUP_HOOKS}, as trimmed programs are, and takes no agent.`,
      { retry: false, remedy: UNTRIMMED },
    );
  }
}

/** The setting that switches diagnostics off, as it was given; null if there is none. */
export function switchedOff(
  environment: ReadonlyMap<string, string> | null,
  settings: ClrSettings | null,
): string | null {
  for (const prefix of ['DOTNET_', 'COMPlus_'])
    for (const name of ['EnableDiagnostics', 'EnableDiagnostics_IPC']) {
      const value = environment?.get(`${prefix}${name}`);
      // The value is a number in hexadecimal digits.
      if (value !== undefined && /^\s*(?:0x)?0+\s*$/i.test(value)) return `${prefix}${name}=${value.trim()}`;
    }
  for (const [name, value] of settings?.properties ?? [])
    if (/^System\.Runtime\.EnableDiagnostics(?:[._]IPC)?$/i.test(name) && isFalse(value)) return `${name}=${value}`;
  return null;
}

export function refusesHooks(settings: ClrSettings | null): boolean {
  return isFalse(settings?.properties.get(STARTUP_HOOKS));
}

function isFalse(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(?:false|0)$/i.test(value));
}

/** `prepare` puts the assembly into the folder: it is called after all checks. */
export async function injectCoreClr(
  target: CoreClrTarget,
  folder: AgentFolder,
  prepare: () => void,
  tools: AttachTools,
): Promise<Injection> {
  const { process, program, build } = target;
  const port = findPort(target, tools.inspect, tools.abort, tools.trace);
  try {
    await settle(process, port);
    const major = await majorVersion(program, port);
    checkPort(target, port, major, tools.inspect);
    prepare();
    if (major >= TAKES_HOOKS && (await applyHook(process, folder, build, port, tools)))
      return { needsFiles: false, failed: () => notStarted(folder, true), done: () => {} };
    return await injectViaProfiler(target, folder, port, tools);
  } finally {
    port.close();
  }
}

/**
 * Checks everything that can be known without a request to the program; returns the way of loading. Throws
 * `AttachError`.
 */
export function diagnoseCoreClr(target: CoreClrTarget, inspect: ProcessInspector): string {
  const port = findPort(target, inspect, new AbortController().signal);
  try {
    const { version } = target.program;
    const major = version === null ? null : majorOf(version);
    checkPort(target, port, major ?? TAKES_HOOKS, inspect);
    if (major === null || major >= TAKES_HOOKS) return 'diagnostics socket, startup hook';
    profilerLoaderFor(target, inspect);
    checkExecution(target.process, inspect);
    return 'diagnostics socket, profiler for a moment';
  } finally {
    port.close();
  }
}

function findPort(
  { process, details }: CoreClrTarget,
  inspect: ProcessInspector,
  abort: AbortSignal,
  trace?: Trace,
): DiagnosticsPort {
  const port = DiagnosticsPort.find(process, details, inspect, abort, trace);
  if (!port) throw inspect.isAlive(process) ? noPort(process, inspect) : processGone();
  return port;
}

function checkPort(target: CoreClrTarget, port: DiagnosticsPort, major: number, inspect: ProcessInspector): void {
  if (major < OLDEST) {
    throw new AttachError(`The program runs on .NET Core ${major}, which takes no agents.`, {
      retry: false,
      remedy: 'Run it on .NET Core 3.1 or later.',
    });
  }
  checkStarted(target, port, inspect);
  const { process, details, program, build } = target;
  checkName(details, program, build, (file) => inspect.resolvePath(process, file));
}

/** The runtime executes one command after the other: when it answers, the earlier command is done. */
async function settle(process: ProcessInfo, port: DiagnosticsPort): Promise<void> {
  if (!isPending(process)) return;
  try {
    await port.processInfo();
    clearPending(process);
  } catch {
    // The answer does not matter: the runtime is not done with the last command. The trace has the call.
    throw new StillPending(noAnswer());
  }
}

async function majorVersion({ version }: ClrProgram, port: DiagnosticsPort): Promise<number> {
  const known = version === null ? null : majorOf(version);
  if (known !== null) return known;
  const info = await port.processInfo();
  if (info === null) return OLDEST;
  return (info.version === null ? null : majorOf(info.version)) ?? REPORTS_VERSION;
}

/**
 * A runtime that gets the command before it runs the program fails, or executes it later. Loaded files or started
 * threads show that the program runs; where there are none (a single file), only its age does.
 */
function checkStarted(target: CoreClrTarget, port: DiagnosticsPort, inspect: ProcessInspector): void {
  const { process, details } = target;
  if (details.modules.some(isLoadedByProgram) || details.threads.some((name) => MANAGED_THREAD.test(name))) return;
  const environment = readEnvironment(process, inspect);
  const ports = environment?.get('DOTNET_DiagnosticPorts') ?? 'nosuspend';
  if (!/\bnosuspend\b/i.test(ports) || environment?.get('DOTNET_DefaultDiagnosticPortSuspend') === '1') {
    throw new AttachError(
      'The .NET program waits for the tool of DOTNET_DiagnosticPorts, or has just been let go by it, and takes no agent yet.',
      { retry: true, remedy: 'It is tried again later.' },
    );
  }
  if (Math.abs(Date.now() - port.openedAt) > STARTING_MS) return;
  throw new AttachError('The .NET program is still starting.', { retry: true, remedy: 'It is tried again later.' });
}

/** All assemblies except the runtime's first one, and the agent's, which may be the second. */
function isLoadedByProgram(file: string): boolean {
  return /\.dll$/i.test(file) && !/^(?:System\.Private\.CoreLib|SubstrateClr_\w+)\.dll$/.test(path.basename(file));
}

/** A second assembly of the same name ends the program, or is loaded instead of the agent. */
function checkName(
  { modules }: ProcessDetails,
  { main }: ClrProgram,
  build: AgentBuild,
  resolve: (file: string) => string,
): void {
  const file = `${assemblyName(build.build)}.dll`;
  const beside = path.join(path.dirname(main), file);
  const isForeign = (module: string) =>
    path.basename(module) === file &&
    !/\/substrate-clr-[\w-]+\/[^/]+$/.test(module) &&
    isOther(resolve(module), build.assembly, true);
  const found = modules.find(isForeign) ?? (isOther(resolve(beside), build.assembly, false) ? beside : null);
  if (found === null) return;
  throw new AttachError(
    `The .NET program has a file ${found}, which bears the name of the agent and is not the agent.`,
    { retry: false, remedy: 'Remove it.' },
  );
}

/** `ifGone`: the result when the file is missing. */
function isOther(file: string, content: Buffer, ifGone: boolean): boolean {
  if (statSeen(file) === null) return ifGone;
  return readSmallFile(file, content.length)?.equals(content) !== true;
}

/** False if the runtime does not know the command. */
async function applyHook(
  process: ProcessInfo,
  folder: AgentFolder,
  build: AgentBuild,
  port: DiagnosticsPort,
  tools: AttachTools,
): Promise<boolean> {
  const name = `${assemblyName(build.build)}.dll`;
  checkSeen(process, folder, name, tools);
  try {
    setPending(process);
    await port.applyStartupHook(`${folder.path}/${name}`);
    clearPending(process);
    return true;
  } catch (error) {
    if (error instanceof Unanswered) throw new StillPending(noAnswer());
    clearPending(process);
    if (!(error instanceof Refused)) throw error;
    if (error.hresult === UNKNOWN_COMMAND) return false;
    throw new AttachError(`.NET refused the agent (${error.message}).`, {
      retry: true,
      remedy: 'It is tried again later.',
      cause: error,
    });
  }
}

/** Checked by the path that the program will use: a missing file ends it. */
function checkSeen(process: ProcessInfo, folder: AgentFolder, name: string, { inspect }: AttachTools): void {
  if (folder.isSeenBy(process, name, inspect)) return;
  throw new AttachError(
    `The .NET program does not see the file of the agent at ${folder.path}, and would end if it had to load it.`,
    { retry: true, remedy: 'It is tried again later.' },
  );
}

/** Finds the library that .NET before version 8 needs. Throws `AttachError`. */
function profilerLoaderFor({ process, build, cpu }: CoreClrTarget, inspect: ProcessInspector): Buffer {
  const loader = build.profilerLoader(cpu);
  if (loader === null) {
    throw new AttachError(
      `This copy of substrate was built without the library that .NET before version 8 needs on ${cpu}.`,
      { retry: false, remedy: 'Install a C compiler for it and run npm run build.' },
    );
  }
  if (profilerOf(process, inspect) !== null) throw profiled();
  return loader;
}

async function injectViaProfiler(
  target: CoreClrTarget,
  folder: AgentFolder,
  port: DiagnosticsPort,
  tools: AttachTools,
): Promise<Injection> {
  const { process, details, build } = target;
  const loader = profilerLoaderFor(target, tools.inspect);
  const base = assemblyName(build.build);
  const files = new Map([
    [`${base}.so`, loader],
    [`${base}.dll`, build.assembly],
  ]);
  const library = openLibraryFolder(process, details, tools.inspect, files);
  let answer = 'it said that all is well';
  try {
    for (const name of files.keys()) checkSeen(process, library, name, tools);
    await port.attachProfiler(PROFILER_ID, `${library.path}/${base}.so`, PROFILER_WAIT_MS);
  } catch (error) {
    // The library refuses on purpose, so that the place for a profiler stays free.
    if (!(error instanceof Refused) || error.hresult === PROFILER_ALREADY_ACTIVE) {
      library.remove();
      throw error instanceof Refused ? profiled() : error;
    }
    answer = error.message;
  }
  return {
    needsFiles: false,
    failed: () => notStarted(library.reason() === null ? folder : library, false, answer),
    done: () => library.remove(),
  };
}

/** A profiler that the program was started with; null if none is known. */
export function profilerOf(process: ProcessInfo, inspect: ProcessInspector): string | null {
  const environment = readEnvironment(process, inspect);
  const isOn = /^\s*(?:0x)?0*1\s*$/i.test(environment?.get('CORECLR_ENABLE_PROFILING') ?? '');
  return isOn ? (environment?.get('CORECLR_PROFILER_PATH') ?? environment?.get('CORECLR_PROFILER') ?? '') : null;
}

function profiled(): AttachError {
  return new AttachError(
    'A profiler is attached to the .NET program, and .NET before version 8 takes the agent only in its place.',
    { retry: false, remedy: 'Start the program without CORECLR_ENABLE_PROFILING, or run it on .NET 8 or later.' },
  );
}

function noPort(process: ProcessInfo, inspect: ProcessInspector): AttachError {
  const folder = readEnvironment(process, inspect)?.get('TMPDIR') ?? '';
  if (Buffer.byteLength(folder) > MAX_FOLDER_BYTES) {
    return new AttachError(
      'The .NET program has no socket for diagnostics, because the path of its folder for temporary files (TMPDIR) is too long for one.',
      { retry: false, remedy: 'Start it with a shorter one.' },
    );
  }
  return new AttachError(
    'The .NET program has no socket for diagnostics in its folder for temporary files (it is still starting, the file was deleted, or its diagnostics are off), so it cannot be attached to.',
    { retry: true, remedy: 'It is tried again later.' },
  );
}

function noAnswer(): AttachError {
  return new AttachError('.NET was asked to load the agent and has not answered yet: it is too busy, or stopped.', {
    retry: true,
    remedy: 'It is tried again later.',
  });
}

function notStarted(folder: AgentFolder, wasHook: boolean, answer = ''): AttachError {
  const said = folder.reason();
  if (said !== null) return new AttachError(`The agent could not start inside .NET: ${said}.`, { retry: true });
  if (wasHook) {
    return new AttachError(
      '.NET took the agent but did not run it: most likely the program was published without startup hooks, as trimmed programs are.',
      { retry: false, remedy: UNTRIMMED },
    );
  }
  return new AttachError(`.NET did not load the agent (${answer}).`, {
    retry: true,
    remedy: 'It is tried again later.',
  });
}
