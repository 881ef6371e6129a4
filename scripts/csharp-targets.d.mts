/** Compiles the program of this folder, if it has changed; returns the path of the assembly without its extension. */
export function compileCSharp(name: string): string;
/** Runs the C# compiler of the .NET SDK with the libraries of this framework: `Microsoft.NETCore.App`. */
export function roslyn(framework: string, args: readonly string[]): void;
