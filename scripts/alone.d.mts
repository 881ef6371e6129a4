/** The command that runs this one where it sees nothing but itself. Null: this machine does not let us. */
export function aloneCommand(command: readonly string[]): string[] | null;
