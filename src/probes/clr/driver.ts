/** .NET and Mono programs: recognised by the threads and libraries of their runtime. */
import path from 'node:path';
import type { ProcessDetails, ProcessInfo } from '../../model/process.ts';
import { AttachError, type ProbeDriver } from '../probe.ts';

export const clrDriver: ProbeDriver = {
  recognise(process, inspect) {
    const details = inspect.details(process);
    const runtimeName = details ? runtimeOf(process, details) : null;
    if (runtimeName === null) return null;
    const program = mainAssembly(process);
    return {
      runtime: 'clr',
      runtimeName,
      appName: path.basename(program).replace(/\.(?:dll|exe)$/i, ''),
      identity: `clr:${program}`,
    };
  },
  attach() {
    return Promise.reject(
      new AttachError('.NET and Mono programs are recognised, but this version has no probe for them.', {
        retry: false,
      }),
    );
  },
};

function runtimeOf(process: ProcessInfo, { threads, modules }: ProcessDetails): string | null {
  if (
    threads.includes('.NET EventPipe') ||
    threads.includes('.NET SynchManag') ||
    modules.some((file) => file.endsWith('/libcoreclr.so'))
  )
    return '.NET';
  const isMono = threads.includes('SGen worker') && /(?:^|\/)mono(?:-sgen)?$/.test(process.exe ?? '');
  if (isMono) return 'Mono';
  // Compiled ahead of time: the same thread names, less the diagnostics; nothing can be attached to it.
  return threads.includes('.NET Finalizer') ? '.NET (native AOT)' : null;
}

/** `dotnet app.dll`, `mono app.exe`, or the executable itself. */
function mainAssembly(process: ProcessInfo): string {
  const assembly = process.argv.slice(1).find((argument) => /\.(?:dll|exe)$/i.test(argument));
  return assembly ? path.resolve(process.cwd ?? '/', assembly) : (process.exe ?? process.name);
}
