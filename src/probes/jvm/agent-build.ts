/** The files that `scripts/jvm-agent.mjs` makes: what is loaded into a Java program. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { AttachError } from '../probe.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
/** Beside the bundle, or, from sources, in the folder that it would be in. */
const FOLDERS = [path.join(HERE, 'jvm'), path.resolve(HERE, '../../../dist/jvm')];
const buildFile = z.object({ build: z.string().regex(/^[\w.-]{1,64}$/) });

/** Numbers that ELF has for them. */
const MACHINES: ReadonlyMap<number, string> = new Map([
  [62, 'x64'],
  [183, 'arm64'],
]);

export interface AgentBuild {
  /** Hash of its sources. */
  readonly build: string;
  readonly payload: Buffer;
  readonly bootJar: Buffer;
  /** Null: none was built for this CPU. */
  library(cpu: string): Buffer | null;
}

export function readAgentBuild(): AgentBuild {
  for (const folder of FOLDERS) {
    try {
      const { build } = buildFile.parse(JSON.parse(fs.readFileSync(path.join(folder, 'build.json'), 'utf8')));
      return {
        build,
        payload: fs.readFileSync(path.join(folder, 'payload.jar')),
        bootJar: fs.readFileSync(path.join(folder, 'boot.jar')),
        library: (cpu) => readIfThere(path.join(folder, `agent-${cpu}.so`)),
      };
    } catch {
      // Not here.
    }
  }
  throw new AttachError(
    'This copy of substrate was built without its Java agent. Install a JDK and run npm run build.',
    { retry: false },
  );
}

function readIfThere(file: string): Buffer | null {
  return fs.existsSync(file) ? fs.readFileSync(file) : null;
}

/** The CPU that a library was built for, which is that of the process that runs it; null: one without a name here. */
export function cpuOf(library: string): string | null {
  try {
    const header = Buffer.alloc(20);
    const file = fs.openSync(library, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      fs.readSync(file, header, 0, header.length, 0);
    } finally {
      fs.closeSync(file);
    }
    return header.readUInt32BE(0) === 0x7f454c46 ? (MACHINES.get(header.readUInt16LE(18)) ?? null) : null;
  } catch {
    // Deleted by an upgrade, as happens to programs that run for long.
    return process.arch;
  }
}
