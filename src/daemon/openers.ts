/** Remembers which action brings others onto the screen, as observed. Names only, while the app is attached. */

const MAX_KNOWN = 500;
const known = new WeakMap<object, Map<string, string>>();

/** `appeared`: actions that did not exist before this one ran. */
export function noteOpener(session: object, action: string, appeared: readonly string[]): void {
  const openers = known.get(session) ?? new Map<string, string>();
  known.set(session, openers);
  for (const name of appeared) {
    if (name === action) continue;
    openers.delete(name);
    openers.set(name, action);
  }
  for (const name of [...openers.keys()].slice(0, Math.max(0, openers.size - MAX_KNOWN))) openers.delete(name);
}

/** Null if nothing was observed to open this action. */
export function openerOf(session: object, name: string): string | null {
  return known.get(session)?.get(name) ?? null;
}

/** Actions that are absent now, with their openers; only if the opener itself is available. */
export function closedActions(
  session: object,
  actions: { has(name: string): boolean },
): readonly (readonly [string, string])[] {
  return [...(known.get(session) ?? [])].filter(([name, opener]) => !actions.has(name) && actions.has(opener));
}
