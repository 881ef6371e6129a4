/** Gives the hash of what is in dist/clr/, or null where there is no compiler to make it. */
export function buildClrAgent(): string | null;
