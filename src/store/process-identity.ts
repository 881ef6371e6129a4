/** A pid alone is reused; a pid with its start time is one process for ever. */
import { readFileSync } from 'node:fs';
import { codeOf } from '../model/failure.ts';
import { parseStatLine } from '../model/proc-stat.ts';

/** The start time of a live process (empty where the OS does not have it), or null when there is no such process. */
export function processStart(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process lives, and belongs to someone else. Any other code means that there is no such process.
    if (codeOf(error) !== 'EPERM') return null;
  }
  try {
    const stat = parseStatLine(readFileSync(`/proc/${pid}/stat`));
    return stat?.hasEnded ? null : (stat?.startTime ?? '');
  } catch {
    // There is no /proc on this system: the process lives, and nothing more is known.
    return '';
  }
}
