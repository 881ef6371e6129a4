/**
 * Keeps secrets out of the state: by the name of the key, and by the shape of the value. Runs before a value is stored
 * anywhere in the daemon. The names and shapes of secrets are in the folder of the same name.
 */
import type { Scalar } from '../model/scalar.ts';
import { REDACTED } from '../model/secrets.ts';
import { hidesNumber, hidesText } from './redact/hides.ts';
import { isNamed, judgeName, mayNameSecret, type Verdict } from './redact/judge-name.ts';
import { redactNamedValues } from './redact/named-values.ts';
import { replaceSchemes, replaceShapes } from './redact/shapes.ts';
import { redactCommands, redactNamedPatterns } from './redact/text-patterns.ts';
import { isStandIn, looksRandom } from './redact/value-looks.ts';

export { REDACTED } from '../model/secrets.ts';
export { HARMLESS, judgeName, MATERIAL, mayNameSecret, stricter, type Verdict } from './redact/judge-name.ts';
export { materialAt } from './redact/material.ts';

/** An address remains after one of its parameters is removed. */
const ADDRESS = /^https?:\/\/[^/\s[]\S*$/i;
/** A text without one of these contains no name with its value: most need no further check. */
const HAS_SEPARATOR = /[:=<"'`%\u0080-\uffff]/;
const HAS_PHRASE = /\s[-\d]|earer |login |\sis |assw/;

/** `verdict`: of the value's names, which is the same each time. */
export function redact(value: Scalar, verdict: Verdict): Scalar {
  if (typeof value === 'number') return hidesNumber(value, verdict) ? REDACTED : value;
  if (typeof value !== 'string' || value === '') return value;
  if (hidesText(value, verdict)) return REDACTED;
  const clean = redactText(value, verdict.isId);
  if (clean === value || isStandIn(value)) return value;
  // Everything in an address but the parameter is worth showing.
  return ADDRESS.test(clean) ? clean : REDACTED;
}

/** By its name only. */
export function hides(value: string | number, verdict: Verdict): boolean {
  return typeof value === 'number' ? hidesNumber(value, verdict) : hidesText(value, verdict);
}

/** For texts of an app: parts with a secret's shape or name are removed, the rest stays. */
export function redactText(text: string, isId = false): string {
  const clean = replaceShapes(text, REDACTED, isId);
  if (!HAS_SEPARATOR.test(clean) && !HAS_PHRASE.test(clean)) return clean;
  const called = redactCommands(clean);
  if (!mayNameSecret(called)) return called;
  return redactNamedValues(redactNamedPatterns(replaceSchemes(called, REDACTED)));
}

/** A text of the state, or a name, is hidden as a whole if `redactText` would hide a part of it. */
export function holdsSecret(text: string): boolean {
  return redactText(text) !== text;
}

/** True if a name below `container`, a path, is itself the secret: `tokens["9f8e…"]`. */
export function isSecretName(name: string, container: string): boolean {
  // `usersByToken`: whatever the key looks like.
  const by = /[a-z\d]_?(?:By|by_)([A-Z_a-z]{2,40})$/.exec(container.slice(-80))?.[1];
  if (by !== undefined && isNamed(judgeName(by))) return true;
  if (!looksRandom(name) && !IS_LONG.test(name)) return false;
  // With the first word of the name: `tokens["font-size-2"]` is none.
  return (
    OF_SESSIONS.test(container) || isNamed(judgeName(`${container}.${/^[a-z]{3,}(?![a-z\d])/i.exec(name)?.[0] ?? ''}`))
  );
}

const IS_LONG = /^(?=.*\d)[^\s.]{16,}$/;
/** `sessions`, `sessionStore`, `user_sessions` */
const OF_SESSIONS = /(?:^|[^A-Za-z])(?:[a-z]*S|s)essions?(?:[A-Z_][a-z]*)?$/;
