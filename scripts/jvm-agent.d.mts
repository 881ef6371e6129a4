/** Gives the hash of what is in dist/jvm/, or null where there is no JDK to make it. */
export function buildJvmAgent(): string | null;
