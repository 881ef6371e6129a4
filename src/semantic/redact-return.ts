/** What a called method gave back, or threw, without the secrets in it. */
import { isSecretPath, REDACTED, redact, redactText } from './redact.ts';

const MAX_DEPTH = 64;

/** `name` is that of the action: `session.getToken` gives a secret, whatever it looks like. */
export function redactReturn(value: unknown, name: string, depth = 0): unknown {
  const secretPaths = isSecretPath(name) ? [name] : [];
  if (typeof value === 'string') return secretPaths.length > 0 ? redact(value, secretPaths) : redactText(value);
  if (typeof value === 'number') return redact(value, secretPaths);
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
export function redactMessage(message: string, rawReturn: unknown, name: string): string {
  const hidden = (typeof rawReturn === 'string' || typeof rawReturn === 'number') && isSecretPath(name);
  return hidden ? message.replaceAll(String(rawReturn), () => REDACTED) : redactText(message);
}
