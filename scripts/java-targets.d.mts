/** Compiled when it has changed; gives the folder of the classes, null where no JDK is new enough. */
export function compileJava(name: string): string | null;
/** The one of the environment first, then all of the distribution; each version once. */
export function findJdks(): { version: number; home: string }[];
