/** Finds the name that a person would use for a .NET or Mono program, and the identity that survives a restart. */
import path from 'node:path';
import type { ProgramIdentity } from '../../../probe.ts';
import {
  isMeaningful as hasMeaningfulWord,
  isTemporary,
  lasting,
  presentable,
} from '../../../support/program-names.ts';
import { assemblyBase } from './clr-command.ts';
import type { ClrProgram, ClrRuntime } from './clr-facts.ts';
import { knownProgram, sdkProgram } from './known-programs.ts';
import { readPeNames } from './pe-names.ts';

/** Names that say nothing about the app: the names around them say more. */
const PLAIN_WORDS = new Set(
  (
    'main app apps application launcher launch start starter startup bootstrap boot server cli program runner run entry ' +
    'entrypoint host client core console consoleapp impl internal gui ui desktop service worker tool tools api web webapp ' +
    'webapi dotnet mono bin debug release publish linux x64 arm64 any cpu dist out build output src lib test tests demo ' +
    'example examples usr opt srv home var root local share net netcoreapp netcoreapp2 netcoreapp3'
  ).split(' '),
);
/** Folders of build outputs: `net8.0`, `linux-x64`, `netcoreapp3.1`. */
const BUILD_FOLDER =
  /^(?:net(?:coreapp|standard)?\d+(?:\.\d+)?(?:-\w+)?|(?:linux|win|osx|unix)(?:-[\w]+)*|v?\d[\d.]*)$/i;

export function runtimeNameOf({ kind }: ClrRuntime, { version }: Pick<ClrProgram, 'version'>): string {
  if (kind === 'native-aot') return '.NET (native AOT)';
  if (kind === 'mono') {
    const [, short] = /^(\d+\.\d+)/.exec(version ?? '') ?? [];
    return short === undefined ? 'Mono' : `Mono ${short}`;
  }
  if (version === null) return '.NET';
  return /^[123]\./.test(version) ? `.NET Core ${version}` : `.NET ${version}`;
}

/** `resolve` gives a path of the process's own file system as seen from here. */
export function identifyClr(
  { command, main }: Pick<ClrProgram, 'command' | 'main'>,
  resolve: (file: string) => string,
): ProgramIdentity {
  const { sdkCommand } = command;
  if (sdkCommand !== null) return { appName: sdkProgram(sdkCommand), identity: `clr:sdk:${sdkCommand}` };
  const base = assemblyBase(main);
  const appName =
    knownProgram(base, command) ??
    titleOf(resolve(main), base) ??
    (isMeaningful(base) ? presentable(shortened(base)) : null) ??
    nameOfPlace(path.dirname(main)) ??
    presentable(base);
  return { appName, identity: `clr:${lasting(main)}` };
}

/** The title that the authors wrote; the compiler fills in the assembly's own name otherwise. */
function titleOf(file: string, base: string): string | null {
  const names = readPeNames(file);
  const title = [names?.product, names?.title].find(
    // A slash separates the programs that share a library.
    (name) => name && name !== base && isMeaningful(name) && !/^Microsoft®|^\.NET\b|\.(?:dll|exe)$|\//i.test(name),
  );
  return title ? presentable(title) : null;
}

/** `Contoso.Orders.Api` becomes Contoso Orders: the last words only name the part. */
function shortened(base: string): string {
  const parts = base.split('.');
  while (parts.length > 1 && !isMeaningful(parts.at(-1) ?? '')) parts.pop();
  return parts.join('.');
}

/** The innermost folder with a meaningful name. */
function nameOfPlace(folder: string): string | null {
  if (isTemporary(folder)) return null;
  const meaningful = folder.split('/').findLast((segment) => !BUILD_FOLDER.test(segment) && isMeaningful(segment));
  return meaningful === undefined ? null : presentable(meaningful.replace(/[-_.]v?\d+(?:[._-]?\w+)*$/i, ''));
}

const isMeaningful = (name: string) => hasMeaningfulWord(name, PLAIN_WORDS);
