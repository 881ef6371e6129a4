/** How long a process has run and what it has used of the processor since: `/proc/PID/stat` and `/proc/uptime`. */
import type { ProcessActivity } from '../../model/process.ts';

/** Clock ticks per second, as the kernel tells them to every program (USER_HZ): 100 on all CPUs that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Places in what follows the name, whose end is the last parenthesis: proc(5) numbers them from 3. */
const USER_TIME = 14 - 3;
const SYSTEM_TIME = 15 - 3;
const START_TIME = 22 - 3;

/** Null: these are not such files. */
export function parseActivity(stat: string, uptime: string): ProcessActivity | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksOf = (at: number) => (/^\d+$/.test(fields[at] ?? '') ? Number(fields[at]) : Number.NaN);
  const startedMs = (ticksOf(START_TIME) * 1000) / TICKS_PER_SECOND;
  const ageMs = Number.parseFloat(uptime) * 1000 - startedMs;
  const cpuMs = ((ticksOf(USER_TIME) + ticksOf(SYSTEM_TIME)) * 1000) / TICKS_PER_SECOND;
  return Number.isFinite(ageMs) && Number.isFinite(cpuMs) ? { startedMs, ageMs: Math.max(0, ageMs), cpuMs } : null;
}
