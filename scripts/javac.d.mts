/** Options of javac, for a compiler that runs for a moment. */
export const SHORT_RUN: readonly string[];
