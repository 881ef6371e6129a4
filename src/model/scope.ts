/** `read`: states and names. `act`: actions. `teach`: names. `admin`: what concerns other keys or the daemon. */
export const SCOPES = ['read', 'act', 'teach', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
