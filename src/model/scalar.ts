/** The value of a state key. The probe flattens richer values into several keys. */
export type Scalar = string | number | boolean | null;

export const TYPE_NAMES = ['string', 'number', 'boolean', 'array', 'object'] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

/** Agents cut long texts and append the original length: `… [5000 characters]`. */
const CUT_MARK = /… \[\d+ characters\]$/;
const SHORTEST_CUT = 1000;

export function isCutText(text: string): boolean {
  return text.length > SHORTEST_CUT && CUT_MARK.test(text.slice(-40));
}
