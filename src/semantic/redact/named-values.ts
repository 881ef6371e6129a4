/**
 * Finds secrets in a text with their names: `"token": "…"`, `password=…`, `authorization: Bearer …`, JSON inside JSON,
 * URL-encoded text. Goes from one separator to the next and checks the name before it; the distance back is limited, so
 * that the cost grows with the text.
 */
import { REDACTED } from '../../model/secrets.ts';
import { hidesNumber, hidesText } from './hides.ts';
import { HARMLESS, isNamed, judgeName, type Verdict } from './judge-name.ts';
import { isStandIn, isState, looksRandom } from './value-looks.ts';

const SEPARATOR = /[:=：＝]|%(?:25){0,3}3[ad]/gi;
const MAX_NAME = 80;
/** `mot de passe`, `User Id`: a name of separate words. */
const MAX_PHRASE = 40;
/** The depth to which lists and objects below a secret name are searched. */
const MAX_DEPTH = 3;

const QUOTE = /\\*["'`]|%(?:25){0,3}22/y;
const GAP = /[=>]?[ \t]{0,3}/y;
const SCHEME = /(?:bearer|basic|token|digest|negotiate|apikey|hawk|aws4-hmac-sha256)[ \t]{1,3}/iy;
const WORD = /[^\s"'`,;&<>{}()[\]]{1,4000}/y;
const REST_OF_LINE = /[^\r\n"'`<]{1,4000}/y;
const TO_SEMICOLON = /[^\r\n"'`<;]{1,4000}/y;
const ENCODED_END = /%(?:25){0,3}(?:26|22|3b|2c|7d|0a)/i;
const HEADER = /(?:^|-)(?:authorization|cookie)$/i;
/** In an address these are secrets too, if they look like one. */
const ADDRESS_NAMES =
  /^(?:code|sig|signature|ticket|sid|auth|hmac|assertion|samlresponse|samlrequest|x-(?:amz|goog)-(?:signature|credential|security-token))$/i;
/** In a cookie also the names of sessions: `shop_session=…`, `.AspNetCore.Cookies=…`, `wordpress_logged_in_…=…`. */
const COOKIE_NAMES =
  /(?:^|[^a-z])(?:[a-z]{0,20}sess(?:ion)?|sid|auth|login|logged_in|remember(?:_me|_web)?|identity|cookies|aspxauth)(?:[_.-][\da-f]{6,64}|[_.-]?(?:v?\d{1,2}|prod|dev))?$/i;
/** `name="password" value="…"` */
const NAMED_BEFORE =
  /\b(?:name|key|id)[\\"']{0,8}\s{0,3}[=:]\s{0,3}[\\"']{1,8}([^"'\\]{1,60})[\\"']{1,8}[\s,]{0,10}[\\"']{0,8}$/i;

interface Found {
  readonly from: number;
  readonly to: number;
  readonly isQuoted: boolean;
}

/** `inside` is the name of the surrounding value. */
export function redactNamedValues(text: string, inside = '', depth = 0): string {
  let result = '';
  let done = 0;
  const separator = new RegExp(SEPARATOR);
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    const name = nameBefore(text, match.index, done);
    if (name === '') continue;
    const verdict = judgeNamed(text, match.index, name, inside);
    const isInAddress = '?&#;'.includes(text[match.index - name.length - 1] ?? ' ') && ADDRESS_NAMES.test(name);
    const isInCookie = match[0] === '=' && COOKIE_NAMES.test(name) && isPairStart(text[match.index - name.length - 1]);
    if (verdict.kind === null && !isInAddress && !isInCookie) continue;
    const value = valueAfter(text, match.index + match[0].length, name, depth < MAX_DEPTH);
    if (value === null) continue;
    const shown = text.slice(value.from, value.to);
    const isContainer = !value.isQuoted && /^[[{]/.test(shown);
    const clean = isContainer
      ? redactContainer(shown, `${inside}${inside && '.'}${name}`, verdict, depth)
      : isSecret(shown, value.isQuoted, verdict, isInAddress || isInCookie) && REDACTED;
    if (clean !== false) {
      result += text.slice(done, value.from) + clean;
      done = value.to;
      separator.lastIndex = value.to;
    } else if (!isContainer) separator.lastIndex = value.from;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Before the name of a cookie, or of a separate pair. */
const isPairStart = (letter: string | undefined) => letter === undefined || /[\s;,"'.]/.test(letter);

function isSecret(value: string, isQuoted: boolean, verdict: Verdict, isPair: boolean): boolean {
  if (isPair && looksRandom(value)) return true;
  if (!isQuoted && /^-?\d+(?:\.\d+)?$/.test(value)) return hidesNumber(Number(value), verdict);
  // A placeholder of a form, or a type: `token: string`.
  if (!isQuoted && (isState(value) || isStandIn(value))) return false;
  return hidesText(value, verdict);
}

/** Texts of a list are removed; an object's names are judged as on a path. */
function redactContainer(text: string, name: string, verdict: Verdict, depth: number): string {
  if (text.startsWith('{')) return redactNamedValues(text, name, depth + 1);
  let result = '';
  let done = 0;
  const quotes = /["'`]/g;
  for (let match = quotes.exec(text); match !== null; match = quotes.exec(text)) {
    const from = match.index + 1;
    let escapes = 0;
    while (match.index - escapes > done && text[match.index - escapes - 1] === '\\') escapes++;
    const to = closing(text, from, '\\'.repeat(escapes) + match[0]);
    if (hidesText(text.slice(from, to), verdict)) {
      result += text.slice(done, from) + REDACTED;
      done = to;
    }
    quotes.lastIndex = to + escapes + 1;
  }
  return result + text.slice(done);
}

function judgeNamed(text: string, at: number, name: string, inside: string): Verdict {
  const own = judgeName(inside === '' ? name : `${inside}.${name}`);
  if (isNamed(own)) return own;
  if (/^value$/i.test(name)) {
    const named = NAMED_BEFORE.exec(text.slice(Math.max(0, at - 100), at - name.length).replace(/["'\\]+$/, ''));
    return named?.[1] === undefined ? own : judgeName(named[1]);
  }
  const start = text.lastIndexOf(name, at);
  const before = /(?:[\p{L}\p{M}]+[ \t]){1,3}$/u.exec(text.slice(Math.max(0, start - MAX_PHRASE), start))?.[0];
  if (before === undefined) return own;
  const ofPhrase = judgePhrase(before, name);
  return ofPhrase === HARMLESS ? own : ofPhrase;
}

/** Only if the words before the last one make it a secret's name. */
function judgePhrase(before: string, last: string): Verdict {
  const words = before.trim().split(/[ \t]+/);
  for (let from = 0; from < words.length; from++) {
    const phrase = [...words.slice(from), last].join('_');
    const verdict = judgeName(phrase);
    // A secret's name before it, `password changed`, belongs to something else.
    if (isNamed(verdict) && !isNamed(judgeName(words.slice(from).join('_')))) return verdict;
  }
  return HARMLESS;
}

/** The name that ends before a separator: not before `from`, and no longer than names are. */
function nameBefore(text: string, separator: number, from: number): string {
  let end = separator;
  for (let spaces = 0; spaces < 3 && end > from && isSpace(text.charCodeAt(end - 1)); spaces++) end--;
  const encoded = /%(?:25){0,3}22$/.exec(text.slice(Math.max(from, end - 9), end));
  if (encoded) end -= encoded[0].length;
  else {
    if (text[end - 1] === ']') end--;
    if (end > from && '"\'`'.includes(text[end - 1] ?? ' ')) {
      end--;
      while (end > from && text[end - 1] === '\\') end--;
    }
  }
  let start = end;
  while (start > from && end - start < MAX_NAME && isNameUnit(text.charCodeAt(start - 1))) start--;
  const name = text.slice(start, end);
  // The rest of an encoded character before it: `%26password`.
  const isEncoded = text[start - 1] === '%';
  return (isEncoded ? name.replace(/^(?:25)*[\da-f]{2}/i, '') : name).replace(/^[-.]+/, '');
}

const isSpace = (unit: number) => unit === 0x20 || unit === 0x09;

/** Letters of any script, digits, and connectors of words. */
function isNameUnit(unit: number): boolean {
  if (unit < 0x80)
    return (
      (unit >= 0x61 && unit <= 0x7a) ||
      (unit >= 0x41 && unit <= 0x5a) ||
      (unit >= 0x30 && unit <= 0x39) ||
      unit === 0x5f ||
      unit === 0x2d ||
      unit === 0x2e ||
      unit === 0x24
    );
  return unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x206f) && !(unit >= 0x3000 && unit <= 0x303f) && unit < 0xff00;
}

function valueAfter(text: string, at: number, name: string, looksInside: boolean): Found | null {
  if (text.startsWith('//', at)) return null;
  GAP.lastIndex = at;
  GAP.exec(text);
  const from = GAP.lastIndex;
  const quote = matchAt(QUOTE, text, from);
  if (quote !== null) {
    const start = from + quote.length;
    // A header within a quoted text ends with it.
    return { from: start, to: closing(text, start, quote), isQuoted: true };
  }
  // Its end is only searched if it is used at once: otherwise each of many nested ones would search the rest.
  if (text[from] === '[' || text[from] === '{')
    return looksInside ? { from, to: closingBracket(text, from), isQuoted: false } : null;
  const header = HEADER.test(name) ? (/set-cookie$/i.test(name) ? TO_SEMICOLON : REST_OF_LINE) : null;
  const scheme = header ? null : matchAt(SCHEME, text, from);
  const word = matchAt(header ?? WORD, text, from + (scheme?.length ?? 0));
  if (word === null) return null;
  const end = text.includes('%') ? ENCODED_END.exec(word)?.index : undefined;
  return {
    from,
    to: from + (scheme?.length ?? 0) + (end ?? word.length),
    isQuoted: header !== null || scheme !== null,
  };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** The end of a quoted text, however often the surrounding text was quoted; the end of the text if it was cut. */
function closing(text: string, from: number, quote: string): number {
  if (quote.startsWith('%')) {
    const at = text.indexOf(quote, from);
    return at === -1 ? text.length : at;
  }
  const letter = quote.slice(-1);
  const depth = quote.length - 1;
  for (let at = text.indexOf(letter, from); at !== -1; at = text.indexOf(letter, at + 1)) {
    let escapes = 0;
    while (at - escapes > from && text[at - escapes - 1] === '\\') escapes++;
    if (escapes < depth || ((escapes - depth) / (depth + 1)) % 2 === 0) return at - Math.min(escapes, depth);
  }
  return text.length;
}

function closingBracket(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '[' || letter === '{') depth++;
    else if ((letter === ']' || letter === '}') && --depth === 0) return at + 1;
  }
  return text.length;
}
