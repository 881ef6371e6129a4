/** Data that the page brought along as JSON text. */
import { type Bounded, boundData, parseJson } from './bounded-data.ts';

/** By their text, so that each is parsed once. */
const parsed = new Map<string, Bounded | null>();
const MAX_REMEMBERED = 50;

/** null: no object or list. */
export function islandData(text: string): { value: object; leftOut: number } | null {
  let known = parsed.get(text);
  if (known === undefined) {
    const data = parseJson(text);
    known = typeof data === 'object' && data !== null ? boundData(data) : null;
    if (parsed.size >= MAX_REMEMBERED) parsed.clear();
    parsed.set(text, known);
  }
  return known && typeof known.value === 'object' && known.value !== null
    ? { value: known.value, leftOut: known.leftOut }
    : null;
}
