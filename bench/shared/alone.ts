/**
 * A daemon with its default settings attaches to every app that it sees. The measurement runs where it sees only its
 * own programs; if the machine does not allow that, everything else is excluded.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { aloneCommand } from '../../scripts/alone.mjs';

const VARIABLE = 'BENCH_ALONE';
/** scripts/alone.mjs runs its command as a child of the first process, if the isolation worked. */
const ALONE_CHECK = ['sh', '-c', 'test "$PPID" -eq 1'];

const excluded = new Set<number>();

/** Null if not decided yet: this is the process that prepares. */
export function isAlone(): boolean | null {
  const said = process.env[VARIABLE];
  return said === undefined ? null : said === 'yes';
}

/** Runs this program again, and returns its exit code. */
export function runAlone(): number {
  const again = [process.execPath, ...process.argv.slice(1)];
  const alone = aloneCommand(again) ?? aloneInOwnUsers(again);
  if (alone === null) console.error('This machine lets us make no namespaces: programs that run now are excluded.');
  const [program = '', ...args] = alone ?? again;
  const env = { ...process.env, [VARIABLE]: alone === null ? 'no' : 'yes' };
  return spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
}

/** For users other than root who may be root in a namespace of their own. */
function aloneInOwnUsers(command: readonly string[]): string[] | null {
  const before = ['unshare', '--user', '--map-root-user', process.execPath, path.resolve('scripts/alone.mjs')];
  const [program = '', ...args] = before;
  const isPossible = spawnSync(program, [...args, ...ALONE_CHECK], { stdio: 'ignore' }).status === 0;
  return isPossible ? [...before, ...command] : null;
}

/** Call it before anything is started. */
export function excludeWhatRuns(): void {
  for (const name of fs.readdirSync('/proc')) if (/^\d+$/.test(name)) excluded.add(Number(name));
}

/** Processes that the daemon must leave alone: this program waits most of the time, like an app. */
export function excludedPids(): number[] {
  return [process.pid, ...excluded];
}

/** A helper of the measurement. Daemons that are started later leave it alone. */
export function exclude(pid: number): void {
  excluded.add(pid);
}
