/** Returns the hash of dist/jvm/, or null without a JDK. */
export function buildJvmAgent(): string | null;
