/** The drivers there are. The only file that knows them all: a further runtime is one more line here. */
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../model/process.ts';
import type { DriverDeclaration } from './declaration.ts';
import { clr } from './drivers/clr/declaration.ts';
import { jvm } from './drivers/jvm/declaration.ts';
import { v8 } from './drivers/v8/declaration.ts';
import type { AgentOfDriver, ProbeDriver, Recognition } from './probe.ts';
import type { Launch, LaunchHelp } from './support/launch.ts';

export interface DriverRegistry {
  /** See `ProbeDriver`: the answer of the first driver that has one. */
  help(launch: Launch): LaunchHelp | null;
  isPart(process: ProcessInfo): boolean;
  readonly agents: readonly AgentOfDriver[];
  readonly commands: DriverDeclaration['commands'];
  readonly folders: DriverDeclaration['folders'];
  recognise(process: ProcessInfo, inspect: ProcessInspector): { driver: ProbeDriver; recognition: Recognition } | null;
}

/** In the order in which they are asked. */
export const DRIVERS: readonly DriverDeclaration[] = [v8, jvm, clr];

export interface DriversOptions {
  /** For somebody who must leave no trace, not even by tidying up after a daemon that was killed. */
  readonly looksOnly?: boolean;
  readonly declarations?: readonly DriverDeclaration[];
}

/** `sections`: the settings of drivers, by runtime. */
export async function createDrivers(
  sections: Readonly<Record<string, unknown>>,
  { looksOnly = false, declarations = DRIVERS }: DriversOptions = {},
): Promise<DriverRegistry> {
  const drivers = await Promise.all(declarations.map(({ runtime, load }) => load(sections[runtime])));
  let hasSwept = looksOnly;
  return {
    help(launch) {
      for (const driver of drivers) {
        const help = driver.help(launch);
        if (help) return help;
      }
      return null;
    },
    isPart: (process) => drivers.some((driver) => driver.isPart?.(process) ?? false),
    agents: drivers.flatMap(({ agent }) => agent ?? []),
    commands: declarations.flatMap(({ commands }) => commands),
    folders: declarations.flatMap(({ folders }) => folders),
    recognise(process, inspect) {
      if (!hasSwept) for (const driver of drivers) driver.sweep?.(inspect);
      hasSwept = true;
      const once = readDetailsOnce(inspect);
      for (const driver of drivers) {
        const recognition = driver.recognise(process, once);
        if (recognition) return { driver, recognition };
      }
      return null;
    },
  };
}

/** All drivers look at the same details of a process: they are read once. */
function readDetailsOnce(inspect: ProcessInspector): ProcessInspector {
  let details: ProcessDetails | null | undefined;
  return {
    isAlive: (ref) => inspect.isAlive(ref),
    details: (ref) => {
      details ??= inspect.details(ref);
      return details;
    },
    currentExe: (ref) => inspect.currentExe(ref),
    activity: (ref) => inspect.activity(ref),
    listeners: (ref) => inspect.listeners(ref),
    unixListeners: (ref) => inspect.unixListeners(ref),
    isPortTaken: (ref, port) => inspect.isPortTaken(ref, port),
    portClients: (ref, port) => inspect.portClients(ref, port),
    network: (ref) => inspect.network(ref),
    origin: (ref) => inspect.origin(ref),
    exeHasSymbol: (info, symbol) => inspect.exeHasSymbol(info, symbol),
    resolvePath: (ref, path) => inspect.resolvePath(ref, path),
    kernelFile: (ref, name) => inspect.kernelFile(ref, name),
    mainThreadWait: (ref) => inspect.mainThreadWait(ref),
  };
}
