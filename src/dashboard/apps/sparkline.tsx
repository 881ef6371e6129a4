/** Changes per second over the last minute, as a small drawing. */
import { SPARKLINE_HEIGHT, SPARKLINE_WIDTH, sparklinePath } from './sparkline-path.ts';

export function Sparkline({ counts }: { counts: readonly number[] }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      class={`apps-sparkline ${total === 0 ? 'apps-sparkline-quiet' : ''}`}
      viewBox={`0 0 ${SPARKLINE_WIDTH} ${SPARKLINE_HEIGHT}`}
      role="img"
      aria-label={total === 0 ? 'no changes in the last minute' : `${total} changes in the last minute`}
    >
      <title>{total === 0 ? 'No changes in the last minute' : `${total} changes in the last minute`}</title>
      <path d={sparklinePath(counts)} />
    </svg>
  );
}
