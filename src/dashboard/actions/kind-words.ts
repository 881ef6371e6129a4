/** What an action may do to the app, in words and a colour. */
import type { Reversibility } from '../../client/index.ts';
import type { Tone } from '../ui/badge.tsx';

export const KIND_WORDS: Readonly<Record<Reversibility, { readonly word: string; readonly tone: Tone }>> = {
  reversible_read: { word: 'reads', tone: 'good' },
  reversible_write: { word: 'writes', tone: 'warn' },
  irreversible_write: { word: 'cannot be undone', tone: 'bad' },
};
