/** Java programs: recognised by the virtual machine they have mapped. */

import type { ProcessInfo } from '../../model/process.ts';
import { AttachError, type ProbeDriver } from '../probe.ts';

/** Options of the `java` command that take the next argument as their value. */
const OPTIONS_WITH_VALUE = new Set([
  '-cp',
  '-classpath',
  '--class-path',
  '-p',
  '--module-path',
  '--add-modules',
  '-m',
  '--module',
  '--upgrade-module-path',
]);

export const jvmDriver: ProbeDriver = {
  recognise(process, inspect) {
    const isJvm = inspect.details(process)?.modules.some((file) => /\/libjvm\.(?:so|dylib)$/.test(file)) ?? false;
    if (!isJvm) return null;
    const program = mainProgram(process);
    return { runtime: 'jvm', runtimeName: 'JVM', appName: shortName(program), identity: `jvm:${program}` };
  },
  attach() {
    return Promise.reject(
      new AttachError('Java programs are recognised, but this version has no probe for them.', { retry: false }),
    );
  },
};

/** The jar, main class or module as the command line gives it; the executable when it gives none. */
function mainProgram(process: ProcessInfo): string {
  for (let at = 1; at < process.argv.length; at++) {
    const argument = process.argv[at] as string;
    if (argument === '-jar' || argument === '-m' || argument === '--module') return process.argv[at + 1] ?? argument;
    if (OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (!argument.startsWith('-')) return argument;
  }
  return process.exe ?? process.name;
}

function shortName(program: string): string {
  if (/[\\/]|\.jar$/.test(program)) return program.replace(/^.*[\\/]/, '').replace(/\.jar$/, '');
  return program.replace(/^.*[./]/, '');
}
