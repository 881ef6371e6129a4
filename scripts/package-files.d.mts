/** The files of a package that are missing in this folder. */
export function missingFiles(dist: string): string[];
