/** The result or exception of a called method, without the secrets in it. */
import { hides, judgeName, REDACTED, redact, redactText } from './redact.ts';

const MAX_DEPTH = 64;
/** A shorter one would occur in unrelated words. */
const SHORTEST_SECRET = 4;

/** `name` is that of the action: `session.getToken` returns a secret, whatever it looks like. */
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

/** For a message that quotes the result: it must not reveal a hidden value. */
export function redactMessage(message: string, returned: unknown, name: string): string {
  const quotes = (typeof returned === 'string' && returned !== '') || typeof returned === 'number';
  const hidden = quotes && isHidden(returned, name);
  return redactText(hidden ? message.replaceAll(String(returned), () => REDACTED) : message);
}

/** By the name only: if only a part of a text is secret, the rest is shown. */
function isHidden(value: string | number, name: string): boolean {
  return hides(value, judgeName(name));
}

/** The secret arguments (`password`): an exception that quotes one would reveal it to every reader of the answer. */
export function secretsAmong(parameters: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && value.length >= SHORTEST_SECRET && isHidden(value, name) ? [value] : [],
  );
}

/** The same value without these texts. */
export function hide(secrets: readonly string[], value: unknown, depth = 0): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, () => REDACTED), value);
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((element) => hide(secrets, element, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hide(secrets, part, depth + 1)]));
}
