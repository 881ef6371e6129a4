/**
 * Has the agent look through the heap with a library that is put there for it. To .NET it is attached as a profiler; on Mono
 * the agent only opens it.
 */
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../model/process.ts';
import type { AttachTools } from '../probe.ts';
import { type AgentBuild, assemblyName } from './agent-build.ts';
import { type ClrProgram, type ClrRuntime, majorOf } from './clr-facts.ts';
import type { HeapLook } from './clr-probe.ts';
import { profilerOf } from './coreclr-inject.ts';
import { DiagnosticsPort, Refused } from './diagnostics-ipc.ts';
import { openLibraryFolder } from './native-library.ts';
import { heapResult, heapSizeResult } from './protocol.ts';

/** The first .NET that lets profilers keep hold of objects. */
const OLDEST = 7;
const PROFILER_ALREADY_ACTIVE = 0x8013136a;
const PROFILER_WAIT_MS = 5000;
/** Any will do: the library has one profiler. */
const HEAP_ID = 'c3a0b6de-2f6b-4a52-8a4e-0b7d1c9e6f35';

interface HeapTarget {
  readonly process: ProcessInfo;
  readonly details: ProcessDetails;
  readonly runtime: ClrRuntime;
  readonly program: ClrProgram;
  readonly cpu: string;
  readonly build: AgentBuild;
}

/** Null: it is known that it would not work. */
export function heapLooker(target: HeapTarget, tools: AttachTools, maxMb: number): HeapLook | null {
  const { process, runtime, program, cpu, build } = target;
  const library = build.heap(cpu);
  const isMono = runtime.kind === 'mono';
  const major = program.version === null ? null : majorOf(program.version);
  const isOld = !isMono && major !== null && major < OLDEST;
  if (library === null || isOld || profilerOf(process, tools.inspect) !== null) return null;
  return async (channel, signal) => {
    const { megabytes } = heapSizeResult.parse(await channel.call({ op: 'heapSize' }, signal));
    if (megabytes > maxMb) {
      tools.log.debug({ megabytes, maxMb }, 'the heap is too large for a look through it');
      return;
    }
    const name = `${assemblyName(build.build)}_heap.so`;
    const folder = openLibraryFolder(process, target.details, tools.inspect, new Map([[name, library]]));
    try {
      const path = `${folder.path}/${name}`;
      if (!isMono) await attach(target, path, tools.inspect, signal);
      const { found } = heapResult.parse(await channel.call({ op: 'heap', library: path }, signal));
      tools.log.debug({ found }, 'looked through the heap');
    } finally {
      folder.remove();
    }
  };
}

async function attach(
  { process, details }: HeapTarget,
  library: string,
  inspect: ProcessInspector,
  signal: AbortSignal,
): Promise<void> {
  const port = DiagnosticsPort.find(process, details, inspect, signal);
  if (!port) throw new Error('.NET has no socket for diagnostics any more');
  try {
    await port.attachProfiler(HEAP_ID, library, PROFILER_WAIT_MS);
  } catch (error) {
    // The one of an earlier look is still there.
    const isOurs = error instanceof Refused && error.hresult === PROFILER_ALREADY_ACTIVE;
    if (!isOurs || !inspect.details(process)?.modules.some((file) => file.startsWith(library))) throw error;
  } finally {
    port.close();
  }
}
