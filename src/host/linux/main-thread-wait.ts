/**
 * Whether, and how, the main thread of a process waits for its next event: read from several files that must be of one
 * moment.
 */
import type { MainThreadWait, ProcessRef } from '../../model/process.ts';
import type { ProcFs } from './proc-fs.ts';
import { parseStatus } from './status-file.ts';
import { parseThreadCall, parseWaitChannel, type ThreadCall } from './thread-call.ts';

export function readMainThreadWait(proc: ProcFs, ref: ProcessRef): MainThreadWait | 'busy' | null {
  const before = sleepOf(proc, ref);
  if (before === null || before === 'busy') return before;
  const call = callOf(proc, ref);
  // The thread may have woken up in between: then the files are of two moments.
  if (sleepOf(proc, ref) !== before) return 'busy';
  if (call === null) return null;
  return call === 'elsewhere' ? 'busy' : { ...call, switches: before };
}

/** The number of the thread's sleep. */
function sleepOf(proc: ProcFs, { pid }: ProcessRef): bigint | 'busy' | null {
  const status = parseStatus(proc.mainThread(pid, 'status') ?? '');
  if (status === null || status.voluntarySwitches === null) return null;
  return status.sleeping ? status.voluntarySwitches : 'busy';
}

function callOf(proc: ProcFs, { pid }: ProcessRef): ThreadCall | 'elsewhere' | null {
  const cpu = proc.cpu();
  const call = cpu === null ? null : parseThreadCall(proc.mainThread(pid, 'syscall') ?? '', cpu);
  return call ?? parseWaitChannel(proc.mainThread(pid, 'wchan') ?? '');
}
