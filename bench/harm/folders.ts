import fs from 'node:fs';
import path from 'node:path';

export const CACHE = path.resolve('.cache/bench-harm');
/** The measured programs, in this folder. */
export const PROGRAMS = path.resolve('bench/harm');
/** A copy: somebody may build meanwhile, and it is visible where /tmp is another one. */
const DIST = path.join(CACHE, 'dist');
export const BINARY = path.join(DIST, 'substrate.js');

export function prepareFolders(): void {
  fs.mkdirSync(CACHE, { recursive: true });
  fs.rmSync(DIST, { recursive: true, force: true });
  fs.cpSync(path.resolve(process.env.SUBSTRATE_BENCH_DIST ?? 'dist'), DIST, { recursive: true });
}
