/**
 * Node 22 and later can cache compiled code: the next start then takes a quarter less CPU. The code of this program
 * runs with the rights of its user, so the cache must be in a folder that nobody else can change.
 */
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { dataFolder } from '../store/data-folder.ts';
import { isOnlyOurs } from '../store/private-path.ts';
import { VERSION } from '../version.ts';

const FOLDER = 'compiled';

/** Never fails: without the cache the program starts as usual. */
export function keepCompiledCode(env: NodeJS.ProcessEnv, enable: unknown = Reflect.get(Module, 'enableCompileCache')) {
  if (typeof enable !== 'function') return;
  try {
    const folder = folderFor(dataFolder(env, os.homedir()));
    if (folder !== null) enable.call(Module, folder);
  } catch {
    // A full or read-only disk, or a user without a home: nothing is cached.
  }
}

/**
 * One folder per version of this program; null if there is no place for it. The daemon creates the data folder, not
 * this.
 */
function folderFor(data: string): string | null {
  if (!path.isAbsolute(data) || !isOnlyOurs(data)) return null;
  const folder = path.join(realpathSync(data), FOLDER);
  const kept = path.join(folder, VERSION);
  if (!isFolder(kept)) {
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder))
      if (name !== VERSION) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
  return isFolder(folder) && isOnlyOurs(kept) ? kept : null;
}

function isFolder(name: string): boolean {
  return lstatSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
