export type RuntimeName =
  | 'electron'
  | 'nw'
  | 'deno'
  | 'node22'
  | 'node24'
  | 'node26'
  | 'jdk9'
  | 'jdk11'
  | 'dotnet31'
  | 'dotnet8'
  | 'dotnet9'
  | 'trimmed'
  | 'aot'
  | 'xvfb';
/** Fetched if it is missing; returns the path of the executable. Null if npm has none for this CPU. */
export function installRuntime(name: RuntimeName): string | null;
interface RuntimeOfOneCpu {
  readonly name: RuntimeName;
  readonly label: string;
  readonly cpu: string;
}
export function runtimesOfOneCpu(): RuntimeOfOneCpu[];
/** Runtimes without an npm package for this CPU. */
export function missingRuntimes(): RuntimeOfOneCpu[];
