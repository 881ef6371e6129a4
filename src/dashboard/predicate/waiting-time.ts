/** The limits of the daemon for waiting until an expression is true. */
import { grouped } from '../ui/grouped.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 30_000;

export const WAITING_TIME = `a whole number from ${SHORTEST_MS} to ${grouped(LONGEST_MS)}`;

/** Null if the daemon would not accept it. */
export function readWaitingTime(text: string): number | null {
  const ms = Number(text);
  return Number.isInteger(ms) && ms >= SHORTEST_MS && ms <= LONGEST_MS ? ms : null;
}
