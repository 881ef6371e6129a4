/** The look of a value, if its name alone does not decide. */
import { STATES } from './harmless-names.ts';

/** `********`, `••••`, `<hidden>`, `[redacted]`, `${DB_PASSWORD}`, `YOUR_API_KEY`: placeholders for a secret. */
const STAND_IN =
  /^(?:(?:your|insert|enter|replace)[ _-][\w -]{0,40}(?:key|token|secret|password|here)|[*•●·xX._-]{3,}|<[\w -]{1,20}>|\[[\w -]{1,20}\]|\$\{[\w.:-]{1,60}\}|\$[A-Z][A-Z_\d]{2,60}|%[A-Z_]{3,60}%)$/;
/** References to a secret: its name in a vault, in the environment, in a pipeline. */
const REFERENCE =
  /^(?:\$?\{\{[^{}]{1,200}\}\}|(?:op|vault|awssm|gcpsm|azkv|keyring|secretref|ref\+\w{1,20}):\/{0,2}[\w./#+ -]{1,200}|arn:aws[\w-]{0,10}:(?:secretsmanager|ssm|kms|iam):\S{1,300}|projects\/[\w-]{1,60}\/secrets\/[\w/-]{1,100}|@Microsoft\.KeyVault\([^)]{1,300}\)|!secret [\w-]{1,60}|env:[A-Z_\d]{1,60}|\/run\/secrets\/[\w.-]{1,100})$/;
/** Public values that say so. */
const PUBLIC =
  /^(?:pk_(?:live|test)_\w+|sb_publishable_[\w-]+|phc_\w+|ssh-(?:rsa|ed25519|dss) \S+|ecdsa-sha2-\S+ \S+|-----BEGIN (?:CERTIFICATE|PUBLIC KEY|PGP PUBLIC)[\s\S]*|age1[a-z\d]{50,}|0x[\da-fA-F]{40}(?![\da-fA-F])|SHA256:[\w+/]{43}=?)/;
const COUNT = /^\d{1,7} ?(?:of|\/) ?\d{1,7}$/;
const LITERAL = /^(?:true|false|null|undefined|nil|None|NaN)$/i;
/** Dates, versions, measures, colours, addresses, paths, files, mail addresses, dotted names. */
const KNOWN_FORM =
  /^(?:\d{4}-\d\d-\d\d.{0,30}|v?\d+(?:\.\d+){1,4}[\w.-]{0,20}|[\d.,]+\s?[a-z%]{0,5}|#[\da-f]{3,8}|#\/?[\w-]{0,40}|(?:[a-z]+:\/\/|\.{0,2}\/)\S{0,4000}|[\w-]{1,80}\.[a-z]{2,4}|[^@\s]{1,80}@[^@\s]{1,80}\.[a-z]{2,}|[a-z]+(?:[._-][a-z]+){0,20}[._-]?\d{0,4})$/i;
const MNEMONIC = /^[a-z]{3,12}(?: [a-z]{3,12}){11,26}$/;
/** From a letter to a digit and back, unlike any human name. */
const MIXED = /[a-z][^a-z\d]?\d+[^a-z\d]?[a-z]|\d[^a-z\d]?[a-z]+[^a-z\d]?\d/i;
const PAIR = /^[^\s:/]{1,60}:(?=[^\s:/]*\d)(?=[^\s:/]*[A-Za-z])[^\s:/]+$|(?:^|; ?)[\w.-]{1,60}=[^\s;]{6,}/;

export const isStandIn = (text: string) => LITERAL.test(text) || STAND_IN.test(text) || REFERENCE.test(text);
export const isPublic = (text: string) => PUBLIC.test(text);

/** `expired`, `Required.`, `3 of 5` */
export function isState(text: string): boolean {
  return text.length <= 20 && (COUNT.test(text) || STATES.has(text.toLowerCase().replace(/[.!,;:]+$/, '')));
}

/** True if it looks machine-made. */
export function looksRandom(text: string): boolean {
  if (text.length < 6) return false;
  if (PAIR.test(text)) return true;
  if (/\s/.test(text)) return MNEMONIC.test(text);
  return !KNOWN_FORM.test(text) && MIXED.test(text.slice(0, 200));
}

const HEX = /^(?:0x)?(?=[^a-f]*[a-f])(?=\D*\d)[\da-f]{16,}$/i;
const BASE64 = /^[\w+/-]{20,}={0,2}$/;
const OF_KEY = /^(?:[\w+/-]{22}==|[\w+/-]{43}=?|[\w+/-]{86}(?:==)?)$/;
const HAS_ALL = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)/;

/** The bytes of a key: in hexadecimal, in base64, or of all kinds of letters. */
export function looksLikeMaterial(text: string): boolean {
  if (text.length < 12 || text.length > 4000 || !/^\S+$/.test(text)) return false;
  if (HEX.test(text)) return true;
  if (!HAS_ALL.test(text) || turns(text) < 3) return false;
  return BASE64.test(text) || (/[^\w./:@-]/.test(text) && !KNOWN_FORM.test(text));
}

/** Base64 of 16, 32 or 64 bytes, unlike any human name. */
export function looksLikeKeyBytes(text: string): boolean {
  return OF_KEY.test(text) && HAS_ALL.test(text) && turns(text) >= 4;
}

/** The number of changes between digits and letters. */
export function turns(text: string): number {
  let count = 0;
  let last = 0;
  for (let at = 0; at < text.length && at < 200; at++) {
    const unit = text.charCodeAt(at);
    const now = unit >= 0x30 && unit <= 0x39 ? 1 : (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a ? 2 : 0;
    if (now !== 0 && last !== 0 && now !== last) count++;
    if (now !== 0) last = now;
  }
  return count;
}

/** `WDJB-MJHT`, `4F7C-91AB`: groups of one length, unlike words. */
const GROUPS = /^[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){1,9}$/;
export function looksGrouped(text: string): boolean {
  if (!GROUPS.test(text)) return false;
  const groups = text.split('-');
  return groups.every(({ length }) => length === groups[0]?.length) && groups.some((group) => !/[AEIOU]/.test(group));
}

/** At least three digits, and little else. */
export function looksLikeCode(text: string): boolean {
  if (text.length > 40) return false;
  const digits = text.replace(/\D/g, '').length;
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  return digits >= 3 && digits >= letters;
}

/** Words for people, and more than words: a passphrase has several, too. */
export function looksLikeSentence(text: string): boolean {
  if (text.length > 300 || /[\d_]{3}|[=;{}]/.test(text)) return false;
  if (!/\p{L}[\p{M}'’]*[\s,:-]+\p{L}/u.test(text)) return /[.?!…:]$/.test(text);
  return /^[\p{Lu}\p{Lo}]|[.?!…:]$|\b(?:must|is|are|be|the|a|an|your|at|not|too|please|required)\b/u.test(text);
}
