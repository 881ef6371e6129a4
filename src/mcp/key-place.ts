/** Where a key belongs: to an object (`cart`, `.total`), or to an element of a list or map (`emails[*]`, `.subject`). */
export interface KeyPlace {
  readonly container: string;
  /** The container and this are the key. */
  readonly rest: string;
  readonly isElement: boolean;
}

const STEP = /\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\.?[^.[]+/sy;
/** What may be one of many, and can be meant by `[*]`. */
const ELEMENT = /^\[(?:\*|\d+|"[^"\\.[\]]*")\]$/;
const ENTRY = /\["[^"\\.[\]]*"\]/g;
const SIZE = /^\.(?:length|size)$/;

/** Of a key, or of a pattern of keys. */
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
  // How many there are says something of what holds the list.
  if (element === -1 && SIZE.test(path.slice(last))) last = beforeLast;
  const end = element === -1 ? last : element;
  return { container: path.slice(0, end), rest: path.slice(end), isElement: element !== -1 };
}

/** A pattern of keys as one for all entries of a map: `rates["USD"].sell` -> `rates[*].sell`. */
export const ofAllEntries = (pattern: string) => (pattern.includes('"') ? pattern.replace(ENTRY, '[*]') : pattern);

/** A key that has no name. */
export const isUnnamed = (key: string) => key.startsWith('unknown_0x');

/** What a key is called within its container. */
export const nameOf = (rest: string) => rest.replace(/^\./, '');
