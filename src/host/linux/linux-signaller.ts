import { constants } from 'node:os';
import type { Signaller } from '../../model/process.ts';
import type { ProcFs } from './proc-fs.ts';

/**
 * Besides the start time the handler is checked here once more: an exec keeps pid and start time but drops all
 * handlers, and a signal without one would kill the process.
 */
export function createLinuxSignaller(proc: ProcFs): Signaller {
  return (ref, signal) => {
    const caught = proc.status(ref.pid)?.caughtSignals ?? 0n;
    if (!proc.isAlive(ref)) throw new Error(`process ${ref.pid} has ended: ${signal} not sent`);
    if ((caught & (1n << BigInt(constants.signals[signal] - 1))) === 0n) {
      throw new Error(`process ${ref.pid} does not handle ${signal} and would be killed by it: not sent`);
    }
    process.kill(ref.pid, signal);
  };
}
