/**
 * Keeps secrets out of the state: by the name of the key, and by the shape of the value. Runs before a value is stored
 * anywhere in the daemon.
 */
import type { Scalar } from '../model/scalar.ts';

export const REDACTED = '[redacted]';

const SECRET_WORDS = new Set(
  'password passwd passphrase passcode pwd secret secrets token tokens credential credentials cookie cookies authorization jwt bearer apikey privatekey'.split(
    ' ',
  ),
);
/** Two words in a row that make a secret of an innocent second one. */
const SECRET_PAIRS = new Set([
  'api key',
  'access key',
  'private key',
  'secret key',
  'signing key',
  'encryption key',
  'master key',
  'session id',
  'session key',
  'auth key',
  'auth header',
  'client secret',
  'security code',
  'card number',
]);
/** Secret even as a number. */
const SECRET_NUMBERS = new Set(['pin', 'cvv', 'cvc', 'otp', 'ssn', 'passcode', 'password', 'secret']);
/** What is said about a secret is none: `token_count`, `passwordExpires`. */
const HARMLESS_LAST_WORDS = new Set(
  'count length size limit max min expires expiry expired expiration at type name label id index hint policy strength required enabled used usage per'.split(
    ' ',
  ),
);

const SECRET_SHAPES = [
  /^eyJ[\w-]{8,}\.[\w-]+\.[\w-]*$/, // JSON Web Token
  /^(?:Bearer|Basic|Token)\s+[\w.~+/=-]{8,}$/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:sk|pk|rk|tok|whsec)_(?:live|test|prod|substrate)?_?[0-9A-Za-z]{16,}/,
  /\bsk-[\w-]{20,}/,
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|npm|xox[abprs]|dop_v1|shpat)[_-][\w-]{16,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}\b/,
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i, // a URL with a password in it
];

/** Decides by names once per path, so that it can be remembered; the value's shape is looked at each time. */
export function isSecretPath(path: string): boolean {
  const words = path.split(/[^A-Za-z]+/).flatMap(splitWords);
  const last = words.at(-1);
  if (last === undefined || HARMLESS_LAST_WORDS.has(last)) return false;
  return words.some(
    (word, at) => SECRET_WORDS.has(word) || SECRET_NUMBERS.has(word) || SECRET_PAIRS.has(`${words[at - 1]} ${word}`),
  );
}

export function redact(value: Scalar, secretPath: boolean, path: string): Scalar {
  if (typeof value === 'string') {
    if (value === '') return value;
    return secretPath || hasSecretShape(value) ? REDACTED : value;
  }
  if (typeof value === 'number' && secretPath) {
    const last = path
      .split(/[^A-Za-z]+/)
      .flatMap(splitWords)
      .at(-1);
    return last !== undefined && SECRET_NUMBERS.has(last) ? REDACTED : value;
  }
  return value;
}

/** For texts that an app returns: every secret-shaped word goes. */
export function redactText(text: string): string {
  return text
    .split(/(\s+|["',{}[\]])/)
    .map((word) => (hasSecretShape(word) ? REDACTED : word))
    .join('');
}

export function hasSecretShape(text: string): boolean {
  if (text.length < 8) return false;
  return SECRET_SHAPES.some((shape) => shape.test(text)) || isCardNumber(text);
}

/** A payment card: 13 to 19 digits in groups, with a right check digit and a known first digit. */
function isCardNumber(text: string): boolean {
  if (text.length > 23 || !/^[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,7}$/.test(text)) return false;
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    let digit = Number(digits[digits.length - 1 - at]);
    if (at % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

/** `userAPIToken` -> user, api, token. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '');
}
