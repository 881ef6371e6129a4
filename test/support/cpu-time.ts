/** How much of the processor something takes, in ms: whatever else runs on the machine does not count, unlike with a clock. */
export function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether four times the length takes about four times as long, and not sixteen times. `work` is called with lengths of up
 * to 200,000; the first call only warms up.
 */
export function growsLinearly(work: (length: number) => void): boolean {
  const timeOf = (length: number) => cpuTime(() => work(length));
  timeOf(10_000);
  const short = Math.max(5, Math.min(timeOf(50_000), timeOf(50_000)));
  // The best of some: a collection of garbage may come between.
  return [1, 2, 3].some(() => timeOf(200_000) / short < 8);
}
