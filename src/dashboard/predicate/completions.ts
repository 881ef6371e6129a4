/** Completes the key that is being typed. */

/** The position of the unfinished key in the text. */
interface Unfinished {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Completion {
  readonly key: string;
  /** The whole text with the key inserted, and the new position of the caret. */
  readonly text: string;
  readonly caret: number;
}

const ENOUGH = 8;
/** A path in the syntax of predicates: names, dots, indices, quoted names. */
const PATH_BEFORE_CARET = /[\p{L}_$](?:[\p{L}\p{N}_$.]|\[(?:\d*\]?|"[^"]*(?:"\]?)?))*$/u;

export function unfinishedKey(text: string, caret: number): Unfinished | null {
  const found = PATH_BEFORE_CARET.exec(text.slice(0, caret))?.[0];
  return found === undefined ? null : { from: caret - found.length, to: caret, text: found };
}

/** Keys that begin with the text come before keys that contain it. */
export function completions(text: string, caret: number, keys: Iterable<string>): Completion[] {
  const unfinished = unfinishedKey(text, caret);
  if (!unfinished) return [];
  const wanted = unfinished.text.toLowerCase();
  const begins: string[] = [];
  const contains: string[] = [];
  for (const key of keys) {
    const name = key.toLowerCase();
    if (name.startsWith(wanted)) {
      if (key !== unfinished.text) begins.push(key);
      if (begins.length === ENOUGH) break;
    } else if (contains.length < ENOUGH && name.includes(wanted)) contains.push(key);
  }
  return [...begins, ...contains].slice(0, ENOUGH).map((key) => ({
    key,
    text: text.slice(0, unfinished.from) + key + text.slice(unfinished.to),
    caret: unfinished.from + key.length,
  }));
}
