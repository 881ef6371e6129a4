/** For a compiler that runs for a moment: its own code is compiled once, lightly. A third of the time, the same classes. */
export const SHORT_RUN = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
