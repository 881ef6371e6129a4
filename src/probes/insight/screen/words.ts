/**
 * From texts that people read to words, names of keys and values. Decided once for pages and windows: the agent in a page
 * is built from this file as well.
 */

const MAX_NAME = 40;
const MAX_WORDS = 6;
/** Above it digits would be lost. */
const MAX_DIGITS = 15;

/** The same texts come at each look. */
const known = new Map<string, string>();
const MAX_KNOWN = 5_000;

/** `Recipient's e-mail *` -> `recipients_e_mail`; empty when the text has neither letter nor digit. */
export function toName(text: string | null | undefined): string {
  if (!text) return '';
  let name = known.get(text);
  if (name === undefined) {
    name = nameOfWords(wordsOf(text));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, name);
  }
  return name;
}

/** As many of the words as a name may have. */
export function nameOfWords(spoken: readonly string[]): string {
  let name = '';
  for (const word of spoken.slice(0, MAX_WORDS)) {
    const longer = name === '' ? word.slice(0, MAX_NAME) : `${name}_${word}`;
    if (longer.length > MAX_NAME) break;
    name = longer;
  }
  return /^\d/.test(name) ? `_${name}` : name;
}

/** The first name that says something. */
export function firstName(...texts: readonly (string | null | undefined)[]): string {
  for (const text of texts) {
    const name = toName(text);
    if (name !== '') return name;
  }
  return '';
}

/**
 * Letters and digits of all scripts, roughly: between them lie punctuation, symbols and emoji. `\p{L}` would be exact, but
 * to compile it costs a page some milliseconds.
 */
const NO_LETTERS = /[^a-z0-9\u00aa\u00b5\u00ba\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufaff\uff10-\uff5a]+/;

/** `Recipient's e-mail *` -> recipients, e, mail. */
export function wordsOf(text: string | null | undefined): string[] {
  if (!text) return [];
  const plain = withoutAccents(text.trim());
  // Only what is written without spaces can be camelCase: `iPhone case` is no `i_phone_case`.
  return (/\s/.test(plain) ? plain : splitCamelCase(plain))
    .replace(/['’]/g, '')
    .toLowerCase()
    .split(NO_LETTERS)
    .filter((word) => word !== '');
}

function withoutAccents(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

function splitCamelCase(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/([A-Z])(?=[A-Z][a-z])/g, '$1_');
}

export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** A number where the text is nothing but one; `007` and long runs of digits are names of things, not numbers. */
export function toValue(text: string): string | number {
  if (!/^[-+−]?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(text)) return text;
  const digits = text.replace(/,/g, '').replace('−', '-');
  // `-0` is 0.
  return digits.replace(/\D/g, '').length > MAX_DIGITS ? text : Number(digits) || 0;
}
