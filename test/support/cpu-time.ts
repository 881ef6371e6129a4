/** The CPU time of some work in ms: unlike a clock, it ignores other programs of the machine. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * True if four times the length takes about four times as long, not sixteen times. `work` is called with lengths of up
 * to 200,000; the first call only warms up.
 */
export function growsLinearly(work: (length: number) => void): boolean {
  const timeOf = (length: number) => cpuTime(() => work(length));
  timeOf(10_000);
  const short = Math.max(5, Math.min(timeOf(50_000), timeOf(50_000)));
  // The best of some: a garbage collection may interfere.
  return [1, 2, 3].some(() => timeOf(200_000) / short < 8);
}
