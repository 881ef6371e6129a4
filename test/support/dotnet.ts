/** Starts the C# programs of test/targets/csharp on Mono and on the fetched versions of .NET. */
import path from 'node:path';
import { compileCSharp } from '../../scripts/csharp-targets.mjs';
import { createHost } from '../../src/host/host.ts';
import { type ProgramLaunch, readableBy, startProgram } from './programs.ts';
import { until } from './real-processes.ts';
import { executableFor, hasRuntime, runtime } from './runtimes.ts';
import type { Target } from './targets.ts';

/** `net8` is a single-file program of others, replaced by ours. */
export type Clr = 'mono' | 'net9' | 'net8' | 'net31';
const COMMANDS = { net9: 'dotnet9', net8: 'dotnet8', net31: 'dotnet31' } as const;

/** True if there is one for this CPU. */
export function isHere(clr: Clr): boolean {
  return clr === 'mono' || hasRuntime(COMMANDS[clr]);
}

/** Those of these that exist for this CPU. */
export function here<Name extends Clr>(...clrs: Name[]): Name[] {
  return clrs.filter(isHere);
}

export const CLRS = here<Clr>('mono', 'net9', 'net8', 'net31');
/** For tests that apply to every .NET: the newest one here. */
export const DOTNET = isHere('net9') ? 'net9' : 'net31';

const { inspector } = createHost();

interface Launch extends ProgramLaunch {
  readonly args?: readonly string[];
  /** Options of the runtime, before the program: `--debug`. */
  readonly options?: readonly string[];
}

/** The command that runs programs on it. */
export function commandOf(clr: Clr): string {
  return clr === 'mono' ? '/usr/bin/mono' : runtime(COMMANDS[clr]);
}

export async function startDotnet(clr: Clr, target: string, launch: Launch = {}): Promise<Target> {
  const compiled = compileCSharp(target);
  const assembly = path.join(readableBy(launch.uid, path.dirname(compiled)), path.basename(compiled));
  const { options = [], args = [] } = launch;
  const command = executableFor(launch.uid, commandOf(clr));
  if (clr === 'mono') {
    const started = await startProgram(command, [...options, `${assembly}.exe`, ...args], launch);
    await until('Mono is ready for an attach', () => hasFinalizerThread(started) || !inspector.isAlive(started.info));
    return started;
  }
  const env = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1', ...launch.env };
  if (clr !== 'net8') return startProgram(command, [...options, `${assembly}.dll`, ...args], { ...launch, env });
  return startProgram(command, ['--start'], {
    ...launch,
    env: { ...env, DOTNET_STARTUP_HOOKS: `${assembly}.dll` },
  });
}

/** A program on Mono can print its first line before the thread that handles attaches exists. */
function hasFinalizerThread({ info }: Target): boolean {
  return inspector.details(info)?.threads.includes('Finalizer') === true;
}
