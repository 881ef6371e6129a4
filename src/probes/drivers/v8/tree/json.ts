/**
 * JSON text that the app cannot alter: the written objects have no prototype, so a `toJSON` that the app added to all
 * objects or arrays is not found.
 */
const { setPrototypeOf, keys } = Object;
const { isArray } = Array;
const { stringify } = JSON;

/** Number of elements that are written without checking the clock. */
const CHUNK = 4096;

export function toJson(value: unknown): string {
  return stringify(shield(value)) ?? 'null';
}

/** Like `toJson`; yields from time to time while it writes long lists. */
export function* toJsonInPieces(value: object): Generator<void, string, void> {
  if (isArray(value)) {
    const parts: string[] = [];
    for (let at = 0; at < value.length; at += CHUNK) {
      const part = toJson(value.slice(at, at + CHUNK));
      parts.push(part.slice(1, -1));
      yield;
    }
    return `[${parts.join(',')}]`;
  }
  const parts: string[] = [];
  for (const key of keys(value)) {
    const child = (value as Record<string, unknown>)[key];
    if (child === undefined) continue;
    const text = typeof child === 'object' && child !== null ? yield* toJsonInPieces(child) : toJson(child);
    parts.push(`${stringify(key)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}

function shield(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) for (let at = 0; at < value.length; at++) shield(value[at]);
  else for (const key of keys(value)) shield((value as Record<string, unknown>)[key]);
  return setPrototypeOf(value, null);
}
