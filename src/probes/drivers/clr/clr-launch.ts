/** Starts .NET and Mono programs so that they can be attached to: most need nothing. */
import { type Launch, type LaunchHelp, needsNothing } from '../../support/launch.ts';
import { HOOKS_VARIABLE, installHook, withHook } from './coreclr/startup-hook.ts';
import { isMonoLauncher } from './identity/clr-command.ts';
import { readDotnetProgram } from './identity/dotnet-program.ts';

/** Null if it is not recognised as a .NET program. */
export function helpClr(launch: Launch): LaunchHelp | null {
  if (launch.names.some(isMonoLauncher)) return needsNothing(launch, 'Mono');
  const program = launch.isScript ? null : readDotnetProgram(launch);
  if (program === null) return null;
  if (program.hook !== null) return withStartupHook(launch, program.hook);
  return needsNothing(launch, program.major === null ? '.NET' : `.NET ${program.major}`);
}

function withStartupHook({ args, env, storageDir }: Launch, reason: string): LaunchHelp {
  const hook = installHook(storageDir);
  if (hook === null) {
    const remark = `The data folder ${storageDir} has a colon in its path: no startup hook can be there.`;
    return { args, env, summary: 'nothing was added', remarks: [remark] };
  }
  const hooks = withHook(env[HOOKS_VARIABLE], hook);
  const summary = `.NET, with a startup hook (${reason})`;
  return { args, env: { ...env, [HOOKS_VARIABLE]: hooks }, summary, remarks: [] };
}
