/** Whether addresses of a program's own network can be connected to. */
import type { ProcessInfo, ProcessInspector } from '../../model/process.ts';
import { AttachError } from '../probe.ts';

/** Looks only. Throws `AttachError`. */
export async function checkReachable(process: ProcessInfo, inspect: ProcessInspector): Promise<void> {
  const refusal = await inspect.network(process).whyClosed();
  if (refusal === null) return;
  throw new AttachError(refusal.blocker, { retry: refusal.mayChange, remedy: refusal.remedy });
}
