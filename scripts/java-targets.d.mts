/** Compiles it if it has changed; returns the folder of the classes, or null if no JDK is new enough. */
export function compileJava(name: string): string | null;
/** First that of the environment, then all of the distribution; each version once. */
export function findJdks(): { version: number; home: string }[];
