/** How far an action can be undone, from fully to not at all. */
export const REVERSIBILITIES = ['reversible_read', 'reversible_write', 'irreversible_write'] as const;
export type Reversibility = (typeof REVERSIBILITIES)[number];
