/** The reversibility of an action, in words and a colour. */
import type { ActionSchema, Reversibility } from '../../client/index.ts';
import type { Tone } from '../ui/badge.tsx';

interface Kind {
  readonly word: string;
  readonly tone: Tone;
}

const KIND_WORDS: Readonly<Record<Reversibility, Kind>> = {
  reversible_read: { word: 'reads', tone: 'good' },
  reversible_write: { word: 'writes', tone: 'warn' },
  irreversible_write: { word: 'cannot be undone', tone: 'bad' },
};
const UNJUDGED: Kind = { word: 'not judged yet', tone: 'bad' };

export function kindOf({ reversibility, judged }: ActionSchema): Kind {
  return judged === false ? UNJUDGED : KIND_WORDS[reversibility];
}
