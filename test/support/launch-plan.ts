/** The plan of `substrate run` for programs that are only a file. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { planLaunch } from '../../src/cli/run/launch-plan.ts';
import { configSchema } from '../../src/config-schema.ts';
import { createDrivers } from '../../src/probes/registry.ts';

const drivers = await createDrivers(configSchema.parse({}).probe);
const folders: string[] = [];

export function makeFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-run-'));
  folders.push(folder);
  return folder;
}

/** For afterEach. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
}

/** A file that can be run. */
export function makeProgram(folder: string, name: string, content = '\x7fELF'): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode: 0o755 });
  return file;
}

export function plan(file: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const folder = makeFolder();
  const launch = { command: file, file, args, env, cwd: path.dirname(file), homeDir: folder };
  const storageDir = path.join(folder, 'data');
  return { ...planLaunch({ ...launch, storageDir }, drivers), storageDir };
}
