/** The command lines of `dotnet` and `mono`: which assembly they run. */
import path from 'node:path';

/** Options of `dotnet` before the assembly that take the next argument as their value. */
const DOTNET_OPTIONS_WITH_VALUE = new Set(
  (
    '--additionalprobingpath --additional-deps --depsfile --runtimeconfig --fx-version --roll-forward ' +
    '--roll-forward-on-no-candidate-fx'
  ).split(' '),
);
const MONO_OPTIONS_WITH_VALUE = new Set(
  '--config --apply-bindings --compile --break --breakonex --statfile --ncompile'.split(' '),
);
const ASSEMBLY = /\.(?:dll|exe)$/i;

export interface ClrCommand {
  /** Path of the assembly as it was given; null if the command does not say, or the executable is the program. */
  readonly assembly: string | null;
  /** A command of the .NET SDK: `build`, `run`, …; null if there is none. */
  readonly sdkCommand: string | null;
  /** Arguments of the assembly, or of the command of the SDK. */
  readonly args: readonly string[];
  /** `--runtimeconfig` of `dotnet exec`. */
  readonly settingsFile: string | null;
}

const NOTHING: ClrCommand = { assembly: null, sdkCommand: null, args: [], settingsFile: null };

/** `executable`: the file name of the process. */
export function parseClrCommand(executable: string, argv: readonly string[]): ClrCommand {
  if (executable === 'dotnet') return parseDotnet(argv.slice(1));
  if (isMonoLauncher(executable)) return parseMono(argv.slice(1));
  return NOTHING;
}

export function isMonoLauncher(executable: string): boolean {
  return /^mono(?:-(?:sgen|boehm)(?:32|64)?)?$/.test(executable);
}

function parseDotnet(args: readonly string[]): ClrCommand {
  let settingsFile: string | null = null;
  for (let at = args[0] === 'exec' ? 1 : 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    const rest = args.slice(at + 1);
    if (argument === '--runtimeconfig') settingsFile = rest[0] ?? null;
    if (DOTNET_OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (ASSEMBLY.test(argument)) return { assembly: argument, sdkCommand: null, args: rest, settingsFile };
    else if (!argument.startsWith('-')) return { ...NOTHING, sdkCommand: argument, args: rest };
  }
  return NOTHING;
}

/** With any file extension: the first argument that is not an option is the program. */
function parseMono(args: readonly string[]): ClrCommand {
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    if (MONO_OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (!argument.startsWith('-') && argument !== '')
      return { ...NOTHING, assembly: argument, args: args.slice(at + 1) };
  }
  return NOTHING;
}

/** `/srv/Orders.Api.dll` -> `Orders.Api`. */
export function assemblyBase(file: string): string {
  return path.basename(file).replace(ASSEMBLY, '');
}
