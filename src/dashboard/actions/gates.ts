/** What the daemon will ask before it lets an action run, told before anything is sent. */
import type { ActionSchema, Reversibility } from '../../client/index.ts';

/** How sure the state must be for each kind of action; test/dashboard keeps these and the daemon's own the same. */
export const CONFIDENCE_NEEDED: Readonly<Record<Reversibility, number>> = {
  reversible_read: 0.4,
  reversible_write: 0.8,
  irreversible_write: 0.95,
};

/** What a confidence lets through, in short. */
export function allowedBy(confidence: number): string {
  if (confidence >= CONFIDENCE_NEEDED.irreversible_write) return 'all actions';
  if (confidence >= CONFIDENCE_NEEDED.reversible_write) return 'reversible writes';
  return confidence >= CONFIDENCE_NEEDED.reversible_read ? 'reads only' : 'no actions';
}

export interface Gate {
  readonly name: 'confidence' | 'proof';
  readonly isOpen: boolean;
  readonly text: string;
  /** What would open it; null where it is open. */
  readonly remedy: string | null;
}

export function gatesOf({ reversibility }: ActionSchema, confidence: number, verify: string): Gate[] {
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
      : 'Correct unclear names in the State view, or look at the app again: both raise the confidence.',
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

/** Cut, not rounded: 0.949 must not read as enough. */
function shown(confidence: number): string {
  return (Math.floor(confidence * 100 + 1e-9) / 100).toFixed(2);
}
