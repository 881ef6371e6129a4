/** Data of the page that may be of any size: what is sent of it is bounded. */

const MAX_LEAVES = 2_000;
const MAX_ELEMENTS = 100;
const MAX_TEXT = 2_000;
const MAX_DEPTH = 12;

export interface Bounded {
  readonly value: unknown;
  /** What found no room. */
  readonly leftOut: number;
}

export interface Bounds {
  readonly leaves: number;
  /** Of each list. */
  readonly elements: number;
}

const OF_A_PART: Bounds = { leaves: MAX_LEAVES, elements: MAX_ELEMENTS };

/** A copy with at most so many leaves. A list keeps its length, also where elements are missing. */
export function boundData(data: unknown, bounds: Bounds = OF_A_PART): Bounded {
  let leaves = 0;
  let leftOut = 0;
  const copy = (value: unknown, depth: number): unknown => {
    if (leaves >= bounds.leaves || depth > MAX_DEPTH) {
      leftOut++;
      return undefined;
    }
    if (typeof value === 'string') {
      leaves++;
      return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    }
    if (typeof value !== 'object' || value === null) {
      leaves++;
      return value;
    }
    if (Array.isArray(value)) {
      const elements = value.slice(0, bounds.elements).map((element) => copy(element, depth + 1));
      leftOut += value.length - elements.length;
      elements.length = value.length;
      return elements;
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner, depth + 1)]));
  };
  return { value: copy(data, 0), leftOut };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is no JSON: it is shown as the text that it is.
    return undefined;
  }
}
