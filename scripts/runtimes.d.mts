/** Fetched when it is not there; gives the path of the executable. */
export function installRuntime(name: 'electron' | 'nw' | 'deno' | 'xvfb'): string;
