/**
 * Keeps secrets out of the state: by the name of the key, and by the shape of the value. Runs before a value is stored
 * anywhere in the daemon.
 */
import type { Scalar } from '../model/scalar.ts';

export const REDACTED = '[redacted]';

/** As a word of its own, or at the end of one that is written together (`accesstoken`). */
const SECRET_WORD =
  /^(?:pwd|jwt|bearer|authorization|privatekey|cookies?|sessionid)$|(?:password|passwd|passphrase|passcode|secret|token|credential|apikey)s?$/;
/** Two words in a row that make a secret of an innocent second one. */
const SECRET_PAIRS = new Set([
  'api key',
  'api keys',
  'access key',
  'private key',
  'secret key',
  'signing key',
  'encryption key',
  'master key',
  'session id',
  'session ids',
  'session key',
  'auth key',
  'auth header',
  'security code',
  'pin code',
  'otp code',
  'recovery code',
  'recovery codes',
  'backup codes',
  'recovery phrase',
  'seed phrase',
  'card number',
]);
/** Secret as the last word only: a `pin.color` is none. */
const SECRET_LAST_WORDS = new Set(['pin', 'cvv', 'cvc', 'otp', 'ssn', 'pass']);
/** Secret even as a number. */
const SECRET_NUMBERS = new Set(['pin', 'cvv', 'cvc', 'otp', 'ssn', 'passcode', 'password', 'secret']);
const SECRET_NUMBER_PAIRS = new Set(['security code', 'pin code', 'otp code', 'recovery code']);
const SHORTEST_CARD = 10 ** 12;
/** What is said about a secret is none: `token_count`, `passwordExpires`. */
const HARMLESS_LAST_WORDS = new Set(
  'count length size limit max min expires expiry expired expiration at type name label id index hint policy strength required enabled used usage per'.split(
    ' ',
  ),
);

/**
 * Found anywhere in a text, each with what no such text is without. Every repetition is bounded where a search could start
 * again inside it.
 */
const SECRET_SHAPES = [
  ['eyJ', /\beyJ[\w-]{8,2000}\.[\w-]{1,8000}\.[\w-]{0,2000}/g], // JSON Web Token
  ['eyJ', /\beyJ[\w-]{8,2000}(?:\.[\w-]{0,8000})?…/g], // one that was cut
  ['earer\\s', /\b[Bb]earer\s{1,3}(?=[\w.~+/=-]{0,200}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{8,}/g],
  ['(?:asic|oken)\\s', /\b(?:[Bb]asic|[Tt]oken)\s{1,3}(?=[\w.~+/=-]{0,200}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{16,}/g],
  ['BEGIN', /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g],
  [
    '(?:k|tok|whsec)_',
    /\b(?:sk|pk|rk|tok|whsec)_(?:(?:live|test|prod|substrate)_)?(?=[A-Za-z]{0,200}\d)[0-9A-Za-z]{16,}/g,
  ],
  ['sk-', /\bsk-(?=[A-Za-z_-]{0,200}\d)[\w-]{20,}/g],
  [
    '(?:gh[opsur]|pat|npm|v1|xox[abeprs])[_-]',
    /\b(?:gh[opsur]_[0-9A-Za-z]|github_pat_\w|npm_[0-9A-Za-z]{20}|(?:glpat|dop_v1|shpat|xox[abeprs])[_-][\w-])[\w-]{15,}/g,
  ],
  ['A[KS]IA', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['AIza', /\bAIza[\w-]{35}/g],
  ['://', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@"']{0,200}:[^/\s@"']{1,500}@/gi], // a URL with a password in it
  ['://', /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@"']{0,200}:(?!\d{1,5}…)[^/\s@"'…]{1,500}…/gi], // one that was cut (not after a port)
  ['\\.[Cc][Oo][Mm]/', /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{8,}/gi],
  ['\\.[Cc][Oo][Mm]/', /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{1,30}\/[\w-]{8,}/gi],
] as const;
/** One look instead of one for each shape: few texts have any of it. */
const HAS_MARK = new RegExp([...new Set(SECRET_SHAPES.map(([mark]) => mark))].join('|'));
const CARD = /(?<![\w+.-])[2-6]\d(?:[ -]?\d){11,17}\b/g;
/** `"token": "…"`, `password=…`, `authorization: Bearer …` */
const NAMED_VALUE =
  /(["']?)([A-Za-z_$][\w$-]{0,60})\1(\s{0,3}[:=]\s{0,3}(?!\/\/))("(?:[^"\\]|\\.){0,4000}"?|'(?:[^'\\]|\\.){0,4000}'?|(?:Bearer|Basic|Token) \S{1,4000}|[^\s"',;&{}[\]()]{1,4000})/g;

/** Parameters of an address, in its query or behind its `#`. */
const ADDRESS_VALUE = /([?&#;])([A-Za-z_][\w.-]{0,60})=([^&#\s"'<>;]{1,4000})/g;
/** In an address these are secrets too, where they look like one. */
const ADDRESS_NAMES =
  /^(?:code|sig|signature|ticket|sid|auth|hmac|assertion|samlresponse|samlrequest|x-(?:amz|goog)-(?:signature|credential|security-token))$/i;
const ADDRESS = /^https?:\/\/\S*$/i;
const LOOKS_RANDOM = /^(?=.*\d)[\w.~%+/=-]{12,}$/;
/** `/reset-password/9f8e7d…`: whoever has the address has the account. */
const ADDRESS_TICKET =
  /\/((?:reset|verify|confirm|invit|activat|magic|unsubscrib|recover|token|share|login)[\w-]{0,40})\/(?=[A-Za-z_-]{0,200}\d)[\w.~-]{16,500}/gi;

/**
 * Without one of these characters nothing above can match: most texts need no further look. The second is the same for
 * `NAMED_VALUE`: without a part of a secret name there is none.
 */
const MAY_HAVE_SHAPE = /[\d_:=/-]|[a-z][A-Z]|[A-Z]{8}|AIza/;
const MAY_HAVE_NAME =
  /pass|pwd|secret|token|credential|key|jwt|bearer|auth|cookie|session|code|phrase|card|pin|cv[vc]|otp|ssn/i;

/** Decides by names once per path, so that it can be remembered; the value's shape is looked at each time. */
export function isSecretPath(path: string): boolean {
  if (!MAY_HAVE_NAME.test(path)) return false;
  const words = wordsOf(path);
  const last = words.at(-1);
  if (last === undefined) return false;
  if (SECRET_PAIRS.has(lastPair(words))) return true;
  if (HARMLESS_LAST_WORDS.has(last)) return false;
  if (SECRET_LAST_WORDS.has(last)) return true;
  return words.some((word, at) => SECRET_WORD.test(word) || SECRET_PAIRS.has(`${words[at - 1]} ${word}`));
}

/** `secretPaths`: those of the value's names that are secret ones. */
export function redact(value: Scalar, secretPaths: readonly string[]): Scalar {
  if (typeof value === 'string') {
    if (value === '') return value;
    if (secretPaths.length > 0) return REDACTED;
    if (!holdsSecret(value)) return value;
    // Of an address all but the parameter is worth showing.
    const address = ADDRESS.test(value) ? redactAddress(value) : value;
    return holdsSecret(address) ? REDACTED : address;
  }
  return typeof value === 'number' && secretPaths.some((path) => isSecretNumber(value, path)) ? REDACTED : value;
}

/** For texts that an app returns: what has a secret's shape or name goes, the rest stays. */
export function redactText(text: string): string {
  if (!MAY_HAVE_SHAPE.test(text)) return text;
  let result = text;
  if (HAS_MARK.test(text)) for (const [, shape] of SECRET_SHAPES) result = result.replace(shape, REDACTED);
  result = result.replace(CARD, (number) => (isCardNumber(number) ? REDACTED : number));
  if (result.includes('/')) result = redactAddress(result);
  if (!MAY_HAVE_NAME.test(result)) return result;
  return result.replace(NAMED_VALUE, (whole, quote: string, name: string, between: string, value: string) =>
    MAY_HAVE_NAME.test(name) && isSecretPath(name)
      ? `${quote}${name}${quote}${between}${redactNamed(value, name)}`
      : whole,
  );
}

/** A text of the state, or a name, is hidden as a whole when `redactText` would hide a part of it. */
export function holdsSecret(text: string): boolean {
  return redactText(text) !== text;
}

/** True for `tokens`, `usersByApiKey`, `sessions`, `session_store`: what is below is named by the secrets themselves. */
export function isSecretContainer(name: string): boolean {
  if (isSecretPath(name)) return true;
  return /session/i.test(name) && /\bsessions\b|\bsession [a-z]/.test(wordsOf(name).join(' '));
}

function redactAddress(text: string): string {
  return text
    .replace(ADDRESS_TICKET, `/$1/${REDACTED}`)
    .replace(ADDRESS_VALUE, (whole, mark: string, name: string, value: string) => {
      const isSecret = isSecretPath(name) || (ADDRESS_NAMES.test(name) && LOOKS_RANDOM.test(value));
      return isSecret ? `${mark}${name}=${REDACTED}` : whole;
    });
}

function redactNamed(value: string, name: string): string {
  if (/^(?:true|false|null|undefined|""?|''?)$/.test(value)) return value;
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return String(redact(Number(value), [name]));
  const quote = /^["']/.exec(value)?.[0] ?? '';
  return `${quote}${REDACTED}${quote}`;
}

function isSecretNumber(value: number, path: string): boolean {
  const words = wordsOf(path);
  const pair = lastPair(words);
  if (pair === 'card number') return value >= SHORTEST_CARD;
  return SECRET_NUMBER_PAIRS.has(pair) || SECRET_NUMBERS.has(words.at(-1) ?? '');
}

/** A payment card: 13 to 19 digits, however they are grouped, with a right check digit and a known first digit. */
function isCardNumber(text: string): boolean {
  if (text.length > 23 || !/^[2-6]\d(?:[ -]?\d){11,17}$/.test(text)) return false;
  const digits = text.replace(/\D/g, '');
  // The one range that begins with 2 (2221 to 2720) has 16 digits.
  if (digits[0] === '2' && (digits.length !== 16 || digits < '2221' || digits >= '2721')) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    let digit = Number(digits[digits.length - 1 - at]);
    if (at % 2 === 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

function lastPair(words: readonly string[]): string {
  return `${words.at(-2)} ${words.at(-1)}`;
}

/** `settings.userAPIToken[0]` -> settings, user, api, token. */
function wordsOf(path: string): string[] {
  return path
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}
