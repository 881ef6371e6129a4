/** What a state key can hold. Everything richer is flattened into several keys by the probe. */
export type Scalar = string | number | boolean | null;

export const TYPE_NAMES = ['string', 'number', 'boolean', 'array', 'object'] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

/** Agents cut long texts, and say at the end how long they were: `… [5000 characters]`. */
const CUT_MARK = /… \[\d+ characters\]$/;
const SHORTEST_CUT = 1000;

export function isCutText(text: string): boolean {
  return text.length > SHORTEST_CUT && CUT_MARK.test(text.slice(-40));
}
