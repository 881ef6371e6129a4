/** Compiles the program of this folder, when it has changed; the path of the assembly without its ending. */
export function compileCSharp(name: string): string;
