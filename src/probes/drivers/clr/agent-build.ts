/** The files that `scripts/clr-agent.mjs` builds, which are loaded into a .NET or Mono program. */

import { AttachError } from '../../probe.ts';
import { readBuilt } from '../../support/agent-files/built-files.ts';
import { type BuildFaults, brokenOf, isWholeElf, isWholePe } from '../../support/agent-files/whole-files.ts';

export interface AgentBuild {
  /** Hash of the agent's sources, which is part of the assembly's name. */
  readonly build: string;
  /** The assembly for every runtime. */
  readonly assembly: Buffer;
  /** Makes .NET Core 3.1 to .NET 7 load the assembly; null if none was built for this CPU. */
  profilerLoader(cpu: string): Buffer | null;
  /** Scans the heap; null if none was built for this CPU. */
  heap(cpu: string): Buffer | null;
}

export const assemblyName = (build: string) => `SubstrateClr_${build}`;

/** Throws `AttachError` when there is no build. */
export function checkAgentBuild(cpu: string): BuildFaults {
  const { build, assembly, profilerLoader, heap } = readAgentBuild();
  const [loader, scanner] = [profilerLoader(cpu), heap(cpu)];
  const isComplete = loader !== null && scanner !== null;
  return {
    broken: brokenOf([
      [`${assemblyName(build)}.dll`, isWholePe(assembly)],
      [`profiler_loader-${cpu}.so`, loader === null || isWholeElf(loader, cpu)],
      [`heap-${cpu}.so`, scanner === null || isWholeElf(scanner, cpu)],
    ]),
    missing: isComplete
      ? null
      : `The agent for .NET has not all libraries for ${cpu}: .NET before version 8 cannot be attached to, or heaps are not scanned.`,
  };
}

export function readAgentBuild(): AgentBuild {
  const found = readBuilt('clr', ({ build, read, readIfThere }) => ({
    build,
    assembly: read(`${assemblyName(build)}.dll`),
    profilerLoader: (cpu: string) => readIfThere(`profiler_loader-${cpu}.so`),
    heap: (cpu: string) => readIfThere(`heap-${cpu}.so`),
  }));
  if (found) return found;
  throw new AttachError('This copy of substrate was built without its .NET agent.', {
    retry: false,
    remedy: 'Install a C# compiler (Debian: mono-mcs) and run npm run build.',
  });
}
