import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessInspector, ProcessRef } from '../../../model/process.ts';

const DYING_MS = 500;
const POLL_MS = 20;

/** A dying process closes its connections, and gives no answers, a moment before it is gone. */
export async function isStaying(process: ProcessRef, inspect: ProcessInspector): Promise<boolean> {
  const deadline = performance.now() + DYING_MS;
  while (inspect.isAlive(process) && performance.now() < deadline) await delay(POLL_MS);
  return inspect.isAlive(process);
}
