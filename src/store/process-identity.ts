/** A pid alone is reused; a pid with its start time is one process for ever. */
import { readFileSync } from 'node:fs';
import { codeOf } from '../model/failure.ts';

/** The start time of a live process (empty where the OS does not tell), or null when there is no such process. */
export function processStart(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It lives, and belongs to someone else. Anything else says that there is no such process.
    if (codeOf(error) !== 'EPERM') return null;
  }
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return '';
  }
  // The command name is in parentheses and may hold spaces; the state is field 3, the start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const dead = fields[0] === 'Z' || fields[0] === 'X';
  return dead ? null : (fields[19] ?? '');
}
