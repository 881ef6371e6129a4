/** The builds that are compared: this one and, if a commit is named, that of the commit. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface Side {
  readonly name: string;
  readonly binary: string;
}

const CACHE = path.resolve('.cache/bench-speed');
const binaryIn = (folder: string) => path.join(folder, 'dist/substrate.js');
const folderOf = (commit: string) => path.join(CACHE, commit);
const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Before the measurement: a build with other packages needs the network. */
export function prepareSides(against: string | null): void {
  const now = path.join(CACHE, 'now');
  fs.rmSync(now, { recursive: true, force: true });
  // A copy, since somebody may build meanwhile.
  fs.cpSync('dist', path.join(now, 'dist'), { recursive: true });
  if (against !== null) buildCommit(shortNameOf(against));
}

export function sidesOf(against: string | null): Side[] {
  const now = { name: 'now', binary: binaryIn(path.join(CACHE, 'now')) };
  if (against === null) return [now];
  const commit = shortNameOf(against);
  return [now, { name: commit, binary: binaryIn(folderOf(commit)) }];
}

function shortNameOf(commit: string): string {
  return git('rev-parse', '--short=8', `${commit}^{commit}`);
}

function buildCommit(commit: string): void {
  const folder = folderOf(commit);
  if (fs.existsSync(binaryIn(folder))) return;
  console.error(`Building ${commit} …`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder]);
  const run = (script: string) => execFileSync(process.execPath, [script], { cwd: folder, stdio: ['ignore', 2, 2] });
  run('scripts/install.mjs');
  run('scripts/build.mjs');
}
