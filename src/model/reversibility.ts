/** How far an action can be taken back; the later, the less. */
export const REVERSIBILITIES = ['reversible_read', 'reversible_write', 'irreversible_write'] as const;
export type Reversibility = (typeof REVERSIBILITIES)[number];
