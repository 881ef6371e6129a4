/** Compiles the program of this folder, when it has changed; the path of the assembly without its ending. */
export function compileCSharp(name: string): string;
/** Runs the C# compiler of the .NET SDK with the libraries of this framework: `Microsoft.NETCore.App`. */
export function roslyn(framework: string, args: readonly string[]): void;
