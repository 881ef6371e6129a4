/** The files that `scripts/jvm-agent.mjs` builds, which are loaded into a Java program. */

import { AttachError } from '../../probe.ts';
import { readBuilt } from '../../support/agent-files/built-files.ts';
import { type BuildFaults, brokenOf, isWholeElf, isWholeZip } from '../../support/agent-files/whole-files.ts';

export interface AgentBuild {
  /** Hash of the agent's sources. */
  readonly build: string;
  readonly payload: Buffer;
  readonly bootJar: Buffer;
  /** Null if none was built for this CPU. */
  library(cpu: string): Buffer | null;
}

/** Throws `AttachError` when there is no build. */
export function checkAgentBuild(cpu: string): BuildFaults {
  const { payload, bootJar, library } = readAgentBuild();
  const native = library(cpu);
  return {
    broken: brokenOf([
      ['payload.jar', isWholeZip(payload)],
      ['boot.jar', isWholeZip(bootJar)],
      [`agent-${cpu}.so`, native === null || isWholeElf(native, cpu)],
    ]),
    missing: native === null ? `The agent for Java has no library for ${cpu}: local variables are not seen.` : null,
  };
}

export function readAgentBuild(): AgentBuild {
  const found = readBuilt('jvm', ({ build, read, readIfThere }) => ({
    build,
    payload: read('payload.jar'),
    bootJar: read('boot.jar'),
    library: (cpu: string) => readIfThere(`agent-${cpu}.so`),
  }));
  if (found) return found;
  throw new AttachError('This copy of substrate was built without its Java agent.', {
    retry: false,
    remedy: 'Install a JDK and run npm run build.',
  });
}
