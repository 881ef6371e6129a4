/** Wraps a command so that it sees only its own processes. Null if this machine does not allow it. */
export function aloneCommand(command: readonly string[]): string[] | null;
