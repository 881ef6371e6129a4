/** The gates of the daemon for an action, checked before anything is sent. */
import type { ActionSchema, Reversibility } from '../../client/index.ts';

/** The confidence that each kind of action needs; test/dashboard keeps these equal to the daemon's own. */
export const CONFIDENCE_NEEDED: Readonly<Record<Reversibility, number>> = {
  reversible_read: 0.4,
  reversible_write: 0.8,
  irreversible_write: 0.95,
};

export interface Gate {
  readonly name: 'confidence' | 'proof';
  readonly isOpen: boolean;
  readonly text: string;
  /** How to open it; null if it is open. */
  readonly remedy: string | null;
}

/** Only the daemon can judge the confidence of the keys that a verification reads. */
export function gatesOf({ reversibility, confidence }: ActionSchema, verify: string): Gate[] {
  return [
    confidenceGate(reversibility, confidence),
    ...(reversibility === 'irreversible_write' ? [proofGate(verify)] : []),
  ];
}

function confidenceGate(reversibility: Reversibility, confidence: number): Gate {
  const needed = CONFIDENCE_NEEDED[reversibility];
  const isOpen = confidence >= needed;
  return {
    name: 'confidence',
    isOpen,
    text: `Confidence ${shown(confidence)}, ${needed.toFixed(2)} needed`,
    remedy: isOpen
      ? null
      : 'It is not sure what this action does: somebody with another key may confirm its name by substrate learn.',
  };
}

function proofGate(verify: string): Gate {
  const isOpen = verify.trim() !== '';
  return {
    name: 'proof',
    isOpen,
    text: isOpen ? 'Verify expression given' : 'Verify expression needed',
    remedy: isOpen ? null : 'It cannot be undone: say above what must be true of the state afterwards.',
  };
}

/** Cut, not rounded: 0.949 must not look like enough. */
function shown(confidence: number): string {
  return (Math.floor(confidence * 100 + 1e-9) / 100).toFixed(2);
}
