/** Which action brings others onto the screen, as it was seen when it ran. Names alone, for as long as the app is attached. */

const MAX_KNOWN = 500;
const known = new WeakMap<object, Map<string, string>>();

/** `appeared`: actions that were not there before this one ran. */
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

/** Null: it was not seen how this one comes onto the screen. */
export function openerOf(session: object, name: string): string | null {
  return known.get(session)?.get(name) ?? null;
}

/** Those that are not there now, with what opens them; only where that is there itself. */
export function closedActions(
  session: object,
  actions: { has(name: string): boolean },
): readonly (readonly [string, string])[] {
  return [...(known.get(session) ?? [])].filter(([name, opener]) => !actions.has(name) && actions.has(opener));
}
