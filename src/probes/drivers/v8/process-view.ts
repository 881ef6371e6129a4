import type { ProcessInfo, ProcessInspector } from '../../../model/process.ts';

/** The facts that identify a program: its files as it sees them, and its environment. */
export function viewOf(process: ProcessInfo, inspect: ProcessInspector) {
  return {
    resolve: (file: string) => inspect.resolvePath(process, file),
    environ: () => inspect.kernelFile(process, 'environ'),
  };
}
