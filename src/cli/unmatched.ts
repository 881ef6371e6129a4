/** Remarks about globs that match nothing. */
import type { SubstrateState } from '../client/node.ts';
import { printable, type Terminal } from './terminal.ts';

/** One sentence each. */
export function unmatchedNotes(unmatched: SubstrateState['unmatched'] = []): string[] {
  return unmatched.map(({ glob, nearest }) => {
    const near = nearest.map(printable).join(', ');
    const help = near === '' ? '"**.<name>" finds a name at any depth.' : `Nearest: ${near}.`;
    return `Nothing matches ${printable(glob)}. ${help}`;
  });
}

/** Prints them to stderr. */
export function noteUnmatched(terminal: Terminal, unmatched: SubstrateState['unmatched']): void {
  for (const note of unmatchedNotes(unmatched)) terminal.note(note);
}
