/** Collects everything that can be known about a virtual machine without touching it. */

import path from 'node:path';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { statSeen } from '../../support/in-root.ts';
import { readSmallText } from '../../support/plain-file.ts';
import { type PerfData, perfFolderOf, readPerfData } from './hsperfdata.ts';
import { splitArgumentFile } from './java-command.ts';
import { findVm, installedVersion, readCommand, readRelease } from './jvm-identity.ts';

/** Environment variables whose words the JVM, or its launcher, adds to the options. */
const OPTION_VARIABLES = ['JDK_JAVA_OPTIONS', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS'];

export interface VmFacts {
  readonly details: ProcessDetails;
  /** Path of libjvm.so as the process sees it. */
  readonly library: string;
  readonly isOpenJ9: boolean;
  /** Java version: 8, 17, …; null if not known. */
  readonly version: number | null;
  readonly perf: PerfData | null;
  /** All options, wherever they were given, in no order; null if some are not known. */
  readonly options: readonly string[] | null;
  /** Owner of a trigger file in the working folder; null if there is none. */
  readonly triggerInCwd: number | null;
}

/** Null if the process is gone, or has no virtual machine. */
export function readVmFacts(process: ProcessInfo, inspect: ProcessInspector): VmFacts | null {
  const details = inspect.details(process);
  const vm = details && findVm(details);
  if (!details || !vm) return null;
  const resolve = (file: string) => inspect.resolvePath(process, file);
  const perf = vm.isOpenJ9 ? null : readPerfData(process, details, inspect);
  return {
    details,
    ...vm,
    version: perf?.version ?? installedVersion(vm.library, resolve),
    perf,
    options: perf?.options ?? readOptions(process, details, inspect),
    triggerInCwd: ownerOf(resolve(path.join(process.cwd ?? '/', `.attach_pid${details.namespacePid}`))),
  };
}

/** Whether this runtime has a certain Java module; null if it does not say. */
export function hasModule(
  process: ProcessInfo,
  { library }: VmFacts,
  inspect: ProcessInspector,
  name: string,
): boolean | null {
  const modules = readRelease(library, (file) => inspect.resolvePath(process, file)).get('MODULES');
  return modules?.split(' ').includes(name) ?? null;
}

/** Whether SIGQUIT opens the attach socket. */
export function attachOptions({ perf, options }: VmFacts): 'on' | 'off' | 'no signals' | 'unknown' {
  const takesAttach = perf?.takesAttach ?? null;
  if (takesAttach === false || (takesAttach === null && options && has(options, '+DisableAttachMechanism')))
    return 'off';
  if (options === null) return 'unknown';
  if (options.includes('-Xrs') || has(options, '+ReduceSignalUsage')) return 'no signals';
  return 'on';
}

/** True only where no other option contradicts it. */
export function forbidsAgents({ options }: VmFacts): boolean {
  const flag = 'EnableDynamicAgentLoading';
  return options !== null && has(options, `-${flag}`) && !has(options, `+${flag}`);
}

/** A file of flags has them without `-XX:`. This does not decide which of two contradicting flags counts. */
function has(options: readonly string[], flag: string): boolean {
  return options.some((option) => option === flag || option === `-XX:${flag}`);
}

/**
 * The options of the launcher and the JVM, as far as they are visible. A program that embeds the JVM, or an image that
 * was made with options, passes them in other ways. So the visible options must explain why there is no performance
 * data.
 */
function readOptions(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): string[] | null {
  const environment = inspect.kernelFile(process, 'environ')?.split('\0');
  if (!environment || path.basename(process.exe ?? '') !== 'java') return null;
  const resolve = (file: string) => inspect.resolvePath(process, path.resolve(process.cwd ?? '/', file));
  const fromVariables = OPTION_VARIABLES.flatMap((name) => {
    const entry = environment.find((candidate) => candidate.startsWith(`${name}=`));
    return entry === undefined ? [] : splitArgumentFile(entry.slice(name.length + 1));
  });
  const given = [...readCommand(process, resolve).options, ...fromVariables];
  const files = given.map((option) => /^(?:@|-XX:(?:VMOptionsFile|Flags)=)(.+)$/.exec(option)?.[1]);
  const texts = files.filter((file) => file !== undefined).map((file) => readSmallText(resolve(file)));
  const options = [...given, ...texts.flatMap((text) => splitArgumentFile(text ?? ''))];
  const isComplete =
    texts.every((text) => text !== null) &&
    !process.argv.some((argument) => isLostFile(argument, resolve)) &&
    // The file is mapped but cannot be read: somebody has cleaned up /tmp.
    (has(options, '-UsePerfData') || has(options, '+PerfDisableSharedMem') || perfFolderOf(details) !== null);
  return isComplete ? options : null;
}

function isLostFile(argument: string, resolve: (file: string) => string): boolean {
  return /^@[^@]/.test(argument) && readSmallText(resolve(argument.slice(1))) === null;
}

function ownerOf(file: string): number | null {
  return statSeen(file, { followsLink: false })?.uid ?? null;
}
