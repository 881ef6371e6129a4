/** What a value looks like, where its name alone does not decide. */
import { STATES } from './harmless-names.ts';

/** `********`, `••••`, `<hidden>`, `[redacted]`, `${DB_PASSWORD}`: what stands in place of one. */
const STAND_IN =
  /^(?:[*•●·xX._-]{3,}|<[\w -]{1,20}>|\[[\w -]{1,20}\]|\$\{[\w.:-]{1,60}\}|\$[A-Z][A-Z_\d]{2,60}|%[A-Z_]{3,60}%)$/;
const COUNT = /^\d{1,7} ?(?:of|\/) ?\d{1,7}$/;
const LITERAL = /^(?:true|false|null|undefined|nil|None|NaN)$/i;
/** Dates, versions, measures, colours, addresses, paths, files, mail addresses, dotted names. */
const KNOWN_FORM =
  /^(?:\d{4}-\d\d-\d\d.{0,30}|v?\d+(?:\.\d+){1,4}[\w.-]{0,20}|[\d.,]+\s?[a-z%]{0,5}|#[\da-f]{3,8}|#\/?[\w-]{0,40}|(?:[a-z]+:\/\/|\.{0,2}\/)\S{0,4000}|[\w-]{1,80}\.[a-z]{2,4}|[^@\s]{1,80}@[^@\s]{1,80}\.[a-z]{2,}|[a-z]+(?:[._-][a-z]+){0,20}[._-]?\d{0,4})$/i;
const MNEMONIC = /^[a-z]{3,12}(?: [a-z]{3,12}){11,26}$/;
/** From a letter to a digit and back, as in nothing that a person would call something. */
const MIXED = /[a-z][^a-z\d]?\d+[^a-z\d]?[a-z]|\d[^a-z\d]?[a-z]+[^a-z\d]?\d/i;
const PAIR = /^[^\s:/]{1,60}:(?=[^\s:/]*\d)(?=[^\s:/]*[A-Za-z])[^\s:/]+$|(?:^|; ?)[\w.-]{1,60}=[^\s;]{6,}/;

export const isStandIn = (text: string) => LITERAL.test(text) || STAND_IN.test(text);

/** `expired`, `Required.`, `3 of 5` */
export function isState(text: string): boolean {
  return text.length <= 20 && (COUNT.test(text) || STATES.has(text.toLowerCase().replace(/[.!,;:]+$/, '')));
}

/** As if a machine had made it. */
export function looksRandom(text: string): boolean {
  if (text.length < 6) return false;
  if (PAIR.test(text)) return true;
  if (/\s/.test(text)) return MNEMONIC.test(text);
  return !KNOWN_FORM.test(text) && MIXED.test(text.slice(0, 200));
}

/** Of three digits at least, and little else. */
export function looksLikeCode(text: string): boolean {
  if (text.length > 40) return false;
  const digits = text.replace(/\D/g, '').length;
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  return digits >= 3 && digits >= letters;
}

/** Words for people, and not only words: a passphrase has several, too. */
export function looksLikeSentence(text: string): boolean {
  if (text.length > 300 || /[\d_]{3}|[=;{}]/.test(text)) return false;
  if (!/\p{L}[\p{M}'’]*[\s,:-]+\p{L}/u.test(text)) return /[.?!…:]$/.test(text);
  return /^[\p{Lu}\p{Lo}]|[.?!…:]$|\b(?:must|is|are|be|the|a|an|your|at|not|too|please|required)\b/u.test(text);
}
