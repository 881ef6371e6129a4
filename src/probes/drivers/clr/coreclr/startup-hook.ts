/** The agent of .NET as a startup hook, which a program loads before it begins. */
import fs from 'node:fs';
import path from 'node:path';
import { readSmallFile } from '../../../support/plain-file.ts';
import { assemblyName, readAgentBuild } from '../agent-build.ts';

export const HOOKS_VARIABLE = 'DOTNET_STARTUP_HOOKS';
const SEPARATOR = ':';

/**
 * Puts the agent into a permanent place: a program that does not find its hook does not start, and the folder of the
 * installation may change with an update. Its name changes with its content, so nothing is ever overwritten with other
 * content. Null if the path of the folder cannot be named in the variable.
 */
export function installHook(storageDir: string): string | null {
  const { build, assembly } = readAgentBuild();
  const folder = path.join(storageDir, 'hooks');
  const file = path.join(folder, `${assemblyName(build)}.dll`);
  if (file.includes(SEPARATOR) || !path.isAbsolute(file)) return null;
  if (holds(file, assembly)) return file;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, assembly, { mode: 0o600 });
  // Renamed in one step: another program may be starting with it right now.
  fs.renameSync(part, file);
  return file;
}

/** The value of the variable with the hook in it. */
export function withHook(given: string | undefined, hook: string): string {
  if (given === undefined || given === '') return hook;
  return given.split(SEPARATOR).includes(hook) ? given : `${given}${SEPARATOR}${hook}`;
}

function holds(file: string, content: Buffer): boolean {
  return readSmallFile(file, content.length)?.equals(content) === true;
}
