/** Fetched when it is not there; gives the path of the executable. */
export function installRuntime(name: 'electron' | 'nw' | 'deno' | 'node22' | 'node24' | 'node26' | 'xvfb'): string;
/** Null: there is none for this CPU. */
export function installRuntime(
  name: 'jdk9' | 'jdk11' | 'dotnet9' | 'dotnet8' | 'dotnet31' | 'trimmed' | 'aot',
): string | null;
