/**
 * Splits a key into its container and the rest: an object (`cart`, `.total`), or an element of a list or map
 * (`emails[*]`, `.subject`).
 */
export interface KeyPlace {
  readonly container: string;
  /** Container and rest together are the key. */
  readonly rest: string;
  readonly isElement: boolean;
}

const STEP = /\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\.?[^.[]+/sy;
/** One of many elements, which `[*]` can select. */
const ELEMENT = /^\[(?:\*|\d+|"[^"\\.[\]]*")\]$/;
const ENTRY = /\["[^"\\.[\]]*"\]/g;
const SIZE = /^\.(?:length|size)$/;

/** Accepts a key, or a pattern of keys. */
export function placeOf(path: string): KeyPlace {
  let element = -1;
  let last = 0;
  let beforeLast = 0;
  STEP.lastIndex = 0;
  for (let from = 0; from < path.length; from = STEP.lastIndex) {
    STEP.lastIndex = from;
    const step = STEP.exec(path)?.[0] ?? path.slice(from);
    STEP.lastIndex = from + step.length;
    [beforeLast, last] = [last, from];
    if (ELEMENT.test(step)) element = from + step.length;
  }
  // A length belongs to the object that holds the list.
  if (element === -1 && SIZE.test(path.slice(last))) last = beforeLast;
  const end = element === -1 ? last : element;
  return { container: path.slice(0, end), rest: path.slice(end), isElement: element !== -1 };
}

/** Generalises a pattern to all entries of a map: `rates["USD"].sell` -> `rates[*].sell`. */
export const ofAllEntries = (pattern: string) => (pattern.includes('"') ? pattern.replace(ENTRY, '[*]') : pattern);

export const isUnnamed = (key: string) => key.startsWith('unknown_0x');

/** The name of a key within its container. */
export const nameOf = (rest: string) => rest.replace(/^\./, '');
