/** How sure the daemon is of what it shows, and what that lets through. */
import { allowedBy, CONFIDENCE_NEEDED } from '../actions/gates.ts';

const { reversible_write: WRITES, irreversible_write: IRREVERSIBLE } = CONFIDENCE_NEEDED;

export function ConfidenceMeter({ confidence, isExplained = false }: { confidence: number; isExplained?: boolean }) {
  // Cut, not rounded: 0.949 is not enough for 0.95.
  const shown = (Math.floor(confidence * 100) / 100).toFixed(2);
  const meaning = allowedBy(confidence);
  return (
    <span
      class={`apps-confidence ${isExplained ? 'apps-confidence-wide' : ''}`}
      title={`Confidence ${shown}: ${meaning}. Writes need ${WRITES.toFixed(2)}, those that cannot be undone ${IRREVERSIBLE.toFixed(2)}.`}
    >
      <span class="apps-confidence-label">
        <span class={isExplained ? '' : 'ui-hidden'}>confidence </span>
        <b>{shown}</b>
        {isExplained && <span> · {meaning}</span>}
      </span>
      <svg class="apps-meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="apps-meter-track" width="100" height="6" />
        <rect class="apps-meter-fill" width={100 * confidence} height="6" />
        <path class="apps-meter-gate" d={`M${100 * WRITES} 0v6M${100 * IRREVERSIBLE} 0v6`} />
      </svg>
    </span>
  );
}
