import type { ProcessInfo, ProcessInspector } from '../../../model/process.ts';

/**
 * Whether it runs, and is not another program by now: an exec keeps pid and start time, and may even keep the sockets of
 * the agent open, which is gone.
 */
export function isSameProgram(process: ProcessInfo, inspect: ProcessInspector): boolean {
  if (!inspect.isAlive(process)) return false;
  const { exe } = process;
  const modules = inspect.details(process)?.modules ?? [];
  // What cannot be seen is taken for the same.
  return exe === null || modules.length === 0 || modules.includes(exe);
}
