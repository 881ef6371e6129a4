/** What a state key can hold. Everything richer is flattened into several keys by the probe. */
export type Scalar = string | number | boolean | null;

export const TYPE_NAMES = ['string', 'number', 'boolean', 'array', 'object'] as const;
export type TypeName = (typeof TYPE_NAMES)[number];
