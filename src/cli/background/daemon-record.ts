/** The record of the daemon in the background: pids are reused, so the start time is kept, too. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { readJson, writeJson } from '../../store/atomic-file.ts';
import { processStart } from '../../store/process-identity.ts';

const recordSchema = z.object({
  pid: z.int().positive(),
  start: z.string().min(1),
  url: z.string(),
  /** True if `substrate mcp` started it, so that it may end without clients. `substrate up` sets it to false. */
  idle_exit: z.boolean().default(false),
});
export type DaemonRecord = z.infer<typeof recordSchema>;

export function recordFile(storageDir: string): string {
  return path.join(storageDir, 'daemon.json');
}

export async function writeRecord(storageDir: string, facts: Omit<DaemonRecord, 'start'>): Promise<void> {
  const start = startOf(facts.pid);
  // Without the start time `down` could not recognise the process, and must not touch it.
  if (start !== null && start !== '') await writeJson(recordFile(storageDir), { ...facts, start });
}

/** The record of a daemon that is still running. */
export function liveRecord(storageDir: string): DaemonRecord | null {
  let content: unknown;
  try {
    content = readJson(recordFile(storageDir));
  } catch {
    // No readable record: `up` started no daemon that could be stopped.
    return null;
  }
  const { data } = recordSchema.safeParse(content);
  return data !== undefined && isAlive(data) ? data : null;
}

export function isAlive({ pid, start }: DaemonRecord): boolean {
  return startOf(pid) === start;
}

export function forgetRecord(storageDir: string): void {
  rmSync(recordFile(storageDir), { force: true });
}

/** Null if there is no such process. Empty if its start time is unknown. */
function startOf(pid: number): string | null {
  const start = processStart(pid);
  if (start !== '') return start;
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return (stdout ?? '').trim();
}
