/** How long a process has run and its processor time since: `/proc/PID/stat` and `/proc/uptime`. */
import { type StatLine, TICKS_PER_SECOND } from '../../model/proc-stat.ts';
import type { ProcessActivity } from '../../model/process.ts';

/** Null if these are not such files. */
export function activityOf({ startTime, cpuTicks }: StatLine, uptime: string): ProcessActivity | null {
  const startedMs = (Number(startTime) * 1000) / TICKS_PER_SECOND;
  const ageMs = Number.parseFloat(uptime) * 1000 - startedMs;
  const cpuMs = (cpuTicks * 1000) / TICKS_PER_SECOND;
  return Number.isFinite(ageMs) && Number.isFinite(cpuMs) ? { startedMs, ageMs: Math.max(0, ageMs), cpuMs } : null;
}
