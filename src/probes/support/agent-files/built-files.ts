/** Finds the built agents in `dist/`: beside the bundle, or from the sources. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { usePlainFile } from '../plain-file.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const buildFile = z.object({ build: z.string().regex(/^[\w.-]{1,64}$/) });

/** ELF's numbers of the CPUs. */
const MACHINES: ReadonlyMap<number, string> = new Map([
  [62, 'x64'],
  [183, 'arm64'],
]);

export interface BuiltFiles {
  /** Hash of the sources. */
  readonly build: string;
  /** Throws when the file is missing. */
  read(name: string): Buffer;
  readIfThere(name: string): Buffer | null;
}

/** `use` reads its files from the folder `dist/<name>`; null if no folder has all of them. */
export function readBuilt<Build>(name: string, use: (files: BuiltFiles) => Build): Build | null {
  // Beside the bundle or, when run from sources, in its build folder.
  for (const folder of [path.join(HERE, name), path.resolve(HERE, '../../../../dist', name)]) {
    try {
      const { build } = buildFile.parse(JSON.parse(fs.readFileSync(path.join(folder, 'build.json'), 'utf8')));
      return use({
        build,
        read: (file) => fs.readFileSync(path.join(folder, file)),
        readIfThere: (file) => readIfThere(path.join(folder, file)),
      });
    } catch {
      // The build is not in this folder.
    }
  }
  return null;
}

function readIfThere(file: string): Buffer | null {
  return fs.existsSync(file) ? fs.readFileSync(file) : null;
}

/** The CPU that a library was built for, which is that of the process that runs it; null if it has no name here. */
export function cpuOf(library: string): string | null {
  const header = Buffer.alloc(20);
  // An upgrade has deleted the file, as happens to long-running programs.
  if (usePlainFile(library, (readAt) => readAt(header, 0)) === null) return process.arch;
  return header.readUInt32BE(0) === 0x7f454c46 ? (MACHINES.get(header.readUInt16LE(18)) ?? null) : null;
}
