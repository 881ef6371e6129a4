/** Which daemon runs in the background: a pid is reused, so its start time is kept with it. */
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
  /** True: `substrate mcp` started it, and it may end when no client is left. `substrate up` takes that back. */
  idle_exit: z.boolean().default(false),
});
export type DaemonRecord = z.infer<typeof recordSchema>;

export function recordFile(storageDir: string): string {
  return path.join(storageDir, 'daemon.json');
}

export async function writeRecord(storageDir: string, facts: Omit<DaemonRecord, 'start'>): Promise<void> {
  const start = startOf(facts.pid);
  // Without it nobody could tell later whether this is still the same process: then `down` must not touch it.
  if (start !== null && start !== '') await writeJson(recordFile(storageDir), { ...facts, start });
}

/** Of a daemon that is still running. */
export function liveRecord(storageDir: string): DaemonRecord | null {
  let content: unknown;
  try {
    content = readJson(recordFile(storageDir));
  } catch {
    // There is none, or none that can be read: then `up` started no daemon that could be ended.
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

/** Null: there is no such process. Empty: it cannot be told when it began. */
function startOf(pid: number): string | null {
  const start = processStart(pid);
  if (start !== '') return start;
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return (stdout ?? '').trim();
}
