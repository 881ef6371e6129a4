/** `read`: states and names. `act`: actions. `teach`: names. `admin`: other keys and the daemon itself. */
export const SCOPES = ['read', 'act', 'teach', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
