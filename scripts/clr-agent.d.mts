/** Returns the hash of dist/clr/, or null without a compiler. */
export function buildClrAgent(): string | null;
