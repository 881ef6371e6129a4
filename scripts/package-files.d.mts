/** What a package must have, and what is not in this folder. */
export function missingFiles(dist: string): string[];
