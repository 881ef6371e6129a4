/** Options of javac for a short run. */
export const SHORT_RUN: readonly string[];
