/**
 * Lets the agent scan the heap with a library that is put there for it. It is attached to .NET as a profiler; on Mono
 * the agent only opens it. Either way the runtime collects all garbage for it, and finalizers of the app run that would
 * have run later. The caller decides whether a scan is worth that; this file decides when it would do harm.
 */
import type { ProcessDetails, ProcessInfo } from '../../../model/process.ts';
import type { AttachTools } from '../../probe.ts';
import { type AgentBuild, assemblyName } from './agent-build.ts';
import type { HeapScan } from './clr-probe.ts';
import { profilerOf } from './coreclr/coreclr-inject.ts';
import { DiagnosticsPort, Refused } from './coreclr/diagnostics-ipc.ts';
import { type ClrProgram, type ClrRuntime, majorOf } from './identity/clr-facts.ts';
import { openLibraryFolder } from './native-library.ts';
import { heapResult, heapSizeResult } from './protocol.ts';

/** The first .NET version in which profilers can make handles to objects. */
const OLDEST = 7;
const PROFILER_ALREADY_ACTIVE = 0x8013136a;
const PROFILER_WAIT_MS = 5000;
/**
 * Bindings to GLib (GTK#): when their finalizers run together, GLib complains on the app's output. The same list is in
 * agent/roots/HeapScan.cs.
 */
const TOUCHY = /\/(?:glib|gtk|gdk|atk)-?sharp[^/]*\.dll$/i;
/** The time of a scan for one megabyte of small objects, at worst. */
const MS_PER_MB = 4;
/** Any id is accepted: the library has one profiler. */
const HEAP_ID = 'c3a0b6de-2f6b-4a52-8a4e-0b7d1c9e6f35';

interface HeapTarget {
  readonly process: ProcessInfo;
  readonly details: ProcessDetails;
  readonly runtime: ClrRuntime;
  readonly program: ClrProgram;
  readonly cpu: string;
  readonly build: AgentBuild;
}

export function isTouchy(modules: readonly string[]): boolean {
  return modules.some((file) => TOUCHY.test(file));
}

/** Null if a scan is known not to work, or to do harm. */
export function heapScanner(target: HeapTarget, tools: AttachTools, maxMb: number): HeapScan | null {
  const { process, runtime, program, cpu, build } = target;
  const library = build.heap(cpu);
  const isMono = runtime.kind === 'mono';
  const major = program.version === null ? null : majorOf(program.version);
  const isOld = !isMono && major !== null && major < OLDEST;
  const mayNot = () => isTouchy(tools.inspect.details(process)?.modules ?? []);
  if (library === null || isOld || mayNot() || profilerOf(process, tools.inspect) !== null) return null;
  return async (channel, spentMs, signal) => {
    // Such a binding may have been loaded since.
    if (mayNot()) return;
    const { megabytes } = heapSizeResult.parse(await channel.call({ op: 'heapSize' }, signal));
    if (megabytes > maxMb) {
      tools.log.debug({ megabytes, maxMb }, 'the heap is too large for a look through it');
      tools.trace.note('no heap scan', { result: `the heap has ${megabytes} MB, the limit is ${maxMb}` });
      return;
    }
    if (megabytes * MS_PER_MB > tools.budget.searchMs - spentMs) {
      tools.log.debug({ megabytes, spentMs }, 'too little of the budget is left for a look through the heap');
      tools.trace.note('no heap scan', { result: 'too little of the budget is left' });
      return;
    }
    const name = `${assemblyName(build.build)}_heap.so`;
    const folder = openLibraryFolder(process, target.details, tools.inspect, new Map([[name, library]]));
    try {
      const path = `${folder.path}/${name}`;
      if (!folder.isSeenBy(process, name, tools.inspect)) throw new Error('the program does not see the library');
      if (!isMono) await attach(target, path, tools, signal);
      const { found } = heapResult.parse(await channel.call({ op: 'heap', library: path }, signal));
      tools.log.debug({ found }, 'looked through the heap');
      tools.trace.note('looked through the heap', { count: found });
    } finally {
      folder.remove();
    }
  };
}

async function attach(
  { process, details }: HeapTarget,
  library: string,
  { inspect, trace }: AttachTools,
  signal: AbortSignal,
): Promise<void> {
  const port = DiagnosticsPort.find(process, details, inspect, signal, trace);
  if (!port) throw new Error('.NET has no socket for diagnostics any more');
  try {
    await port.attachProfiler(HEAP_ID, library, PROFILER_WAIT_MS);
  } catch (error) {
    // The profiler of an earlier scan is still there.
    const isOurs = error instanceof Refused && error.hresult === PROFILER_ALREADY_ACTIVE;
    if (!isOurs || !inspect.details(process)?.modules.some((file) => file.startsWith(library))) throw error;
  } finally {
    port.close();
  }
}
