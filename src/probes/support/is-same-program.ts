import type { ProcessInfo, ProcessInspector } from '../../model/process.ts';

/**
 * Whether it runs, and is not another program by now: an exec keeps pid and start time, and may even keep the sockets
 * of an agent open that is gone. A process that cannot be read counts as the same.
 */
export function isSameProgram(process: ProcessInfo, inspect: ProcessInspector): boolean {
  if (!inspect.isAlive(process)) return false;
  const exe = inspect.currentExe(process);
  return exe === null || process.exe === null || exe === process.exe;
}
