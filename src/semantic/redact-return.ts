/** What a called method gave back, or threw, without the secrets in it. */
import { hides, judgeName, REDACTED, redact, redactText } from './redact.ts';

const MAX_DEPTH = 64;
/** A shorter one would be found in words that have nothing to do with it. */
const SHORTEST_SECRET = 4;

/** `name` is that of the action: `session.getToken` gives a secret, whatever it looks like. */
export function redactReturn(value: unknown, name: string, depth = 0): unknown {
  if (typeof value === 'string') return isHidden(value, name) ? REDACTED : redactText(value);
  if (typeof value === 'number') return redact(value, judgeName(name));
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((element) => redactReturn(element, name, depth + 1));
  const entries = Object.entries(value).map(([key, part]) => [
    redactText(key),
    redactReturn(part, `${name}.${key}`, depth + 1),
  ]);
  return Object.fromEntries(entries);
}

/** A message that quotes what came back: nothing of it may be said where the value itself is not. */
export function redactMessage(message: string, returned: unknown, name: string): string {
  const quotes = (typeof returned === 'string' && returned !== '') || typeof returned === 'number';
  const hidden = quotes && isHidden(returned, name);
  return redactText(hidden ? message.replaceAll(String(returned), () => REDACTED) : message);
}

/** By the name alone: where only a part of a text is secret, the rest is told. */
function isHidden(value: string | number, name: string): boolean {
  return hides(value, judgeName(name));
}

/** The texts that were given as secrets (`password`): an exception that quotes one tells it to whoever reads the answer. */
export function secretsAmong(parameters: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && value.length >= SHORTEST_SECRET && isHidden(value, name) ? [value] : [],
  );
}

/** The same value without these texts in it. */
export function hide(secrets: readonly string[], value: unknown, depth = 0): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, () => REDACTED), value);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((element) => hide(secrets, element, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hide(secrets, part, depth + 1)]));
}
