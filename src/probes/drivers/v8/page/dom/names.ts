/** Turns visible texts into names for programs, and into values. */

const MAX_NAME = 40;
const MAX_WORDS = 6;
/** More digits would lose precision. */
const MAX_DIGITS = 15;

/** The same texts come at each poll. */
const known = new Map<string, string>();
const MAX_KNOWN = 5_000;

/** `Recipient's e-mail *` -> `recipients_e_mail`; empty if the text has neither letter nor digit. */
export function toName(text: string): string {
  let name = known.get(text);
  if (name === undefined) {
    name = makeName(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, name);
  }
  return name;
}

/**
 * Letters and digits of all scripts, roughly: punctuation, symbols and emoji separate them. `\p{L}` would be exact, but
 * compiling it costs a page some milliseconds.
 */
const NO_LETTERS = /[^a-z0-9\u00aa\u00b5\u00ba\u00c0-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufaff\uff10-\uff5a]+/;

/** `Recipient's e-mail *` -> recipients, e, mail. */
export function wordsOf(text: string): string[] {
  // Only text without spaces can be camelCase: `iPhone case` is no `i_phone_case`.
  const trimmed = text.trim();
  const parted = /\s/.test(trimmed) ? trimmed : splitCamelCase(trimmed);
  return withoutAccents(parted)
    .replace(/['’]/g, '')
    .toLowerCase()
    .split(NO_LETTERS)
    .filter((word) => word !== '');
}

function makeName(text: string): string {
  let name = '';
  for (const word of wordsOf(text).slice(0, MAX_WORDS)) {
    const longer = name === '' ? word.slice(0, MAX_NAME) : `${name}_${word}`;
    if (longer.length > MAX_NAME) break;
    name = longer;
  }
  return /^\d/.test(name) ? `_${name}` : name;
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

const MAX_CONTEXT_WORDS = 4;

/** The name of a row or section, without parts that may change: `Lyon: 18.0 °C` is `lyon`. */
export function contextName(text: string): string {
  const [first = ''] = text.split(/[:;,|•·–—(]|\s-\s|\s[$€£#]?\d/);
  return (toName(first) || toName(text)).split('_').slice(0, MAX_CONTEXT_WORDS).join('_');
}

/** The first text with a name. */
export function firstName(...texts: readonly (string | null | undefined)[]): string {
  for (const text of texts) {
    const name = text ? toName(text) : '';
    if (name !== '') return name;
  }
  return '';
}

/** Replaces runs of white space by one space. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** A number if the text is nothing else; `007` and long runs of digits are names of things, not numbers. */
export function toValue(text: string): string | number {
  if (!/^[-+−]?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/.test(text)) return text;
  const digits = text.replace(/,/g, '').replace('−', '-');
  return digits.replace(/\D/g, '').length > MAX_DIGITS ? text : Number(digits);
}

/** `Total: 42.50` and `3 items left` are a name and a value in one text. */
export function splitPair(text: string): { name: string; value: string } | null {
  const labelled = /^([A-Za-z\u00aa-\uffff][^:\n]{0,39}?)\s*:\s+(\S.*)$/.exec(text);
  if (labelled) return { name: toName(labelled[1] ?? ''), value: labelled[2] ?? '' };
  const counted = /^(\d{1,9}) ([A-Za-z\u00aa-\uffff][A-Za-z\u00aa-\uffff ]{1,30})$/.exec(text);
  if (counted) return { name: toName(counted[2] ?? ''), value: counted[1] ?? '' };
  return null;
}

/** True for a text that appears beside a label: an amount, a count, a share, a time. */
export function looksLikeValue(text: string): boolean {
  return text.length <= 40 && /\d/.test(text) && !/[A-Za-z\u00aa-\uffff]{12}/.test(text) && text.split(' ').length <= 4;
}

export function looksLikeLabel(text: string): boolean {
  return text.length >= 2 && text.length <= 40 && /^[A-Za-z\u00aa-\uffff][^\d.!?]*$/.test(text);
}

/** `From:` -> `from`; empty if it is no label. */
export function labelName(text: string): string {
  return looksLikeLabel(text.slice(0, -1)) ? toName(text) : '';
}
