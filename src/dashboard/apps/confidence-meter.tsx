/** The confidence of the daemon in the state of an app. */
import { visible } from '../ui/value-text.ts';

interface ConfidenceMeterProps {
  confidence: number;
  /** The reason for the confidence. */
  reason: string | null;
  isExplained?: boolean;
}

export function ConfidenceMeter({ confidence, reason, isExplained = false }: ConfidenceMeterProps) {
  // Cut, not rounded: 0.949 is not enough for 0.95.
  const shown = (Math.floor(confidence * 100) / 100).toFixed(2);
  return (
    <span
      class={`apps-confidence ${isExplained ? 'apps-confidence-wide' : ''}`}
      title={`Confidence ${shown}: how much of the app its state shows. ${visible(reason ?? '')}`}
    >
      <span class="apps-confidence-label">
        <span class={isExplained ? '' : 'ui-hidden'}>confidence </span>
        <b>{shown}</b>
      </span>
      <svg class="apps-meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="apps-meter-track" width="100" height="6" />
        <rect class="apps-meter-fill" width={100 * confidence} height="6" />
      </svg>
    </span>
  );
}
