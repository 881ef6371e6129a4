/** Data of the page of any size: limits the part that is sent. */

const MAX_LEAVES = 2_000;
const MAX_ELEMENTS = 100;
const MAX_TEXT = 2_000;
const MAX_DEPTH = 12;

export interface Bounded {
  readonly value: unknown;
  /** Number of omitted leaves. */
  readonly leftOut: number;
}

export interface Bounds {
  readonly leaves: number;
  /** The limit for each list. */
  readonly elements: number;
}

const OF_A_PART: Bounds = { leaves: MAX_LEAVES, elements: MAX_ELEMENTS };

/** A copy with a limited number of leaves. A list keeps its length, even if elements are missing. */
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
    // It is no JSON, so it is shown as text.
    return undefined;
  }
}
