/** For a short run of the compiler: its own code is compiled once, lightly. A third of the time, the same classes. */
export const SHORT_RUN = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
