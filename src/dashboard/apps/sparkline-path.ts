export const SPARKLINE_WIDTH = 90;
export const SPARKLINE_HEIGHT = 18;
/** One change in a quiet minute must not look like a storm. */
const LOWEST_TOP = 4;

/** By the square root, so that a burst does not flatten everything else. */
export function sparklinePath(counts: readonly number[]): string {
  const top = Math.sqrt(Math.max(LOWEST_TOP, ...counts));
  const step = SPARKLINE_WIDTH / Math.max(1, counts.length - 1);
  const points = counts.map((count, at) => {
    const y = SPARKLINE_HEIGHT - 1 - (Math.sqrt(count) / top) * (SPARKLINE_HEIGHT - 3);
    return `${(at * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length === 0 ? '' : `M${points.join('L')}`;
}
