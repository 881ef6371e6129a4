/** The words of a name, in any script: `settings.userAPIToken[0]` is settings, user, api, token. */

const IS_ASCII = /^[\0-\x7f]*$/;
/** Letters that Unicode does not decompose into a plain one and a mark. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ß', 'ss'],
  ['ı', 'i'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  // Arabic letters with several spellings
  ['أ', 'ا'],
  ['إ', 'ا'],
  ['آ', 'ا'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ة', 'ه'],
]);
const ODD_LETTERS = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'gu');
/** Accents of Latin, Greek and Cyrillic letters; vowels of Arabic ones; mere joiners. */
const MARKS = /[\u0300-\u036f\u0640\u064b-\u0655\u200c\u200d]/g;

export const isAscii = (text: string) => IS_ASCII.test(text);

/** The same text for all spellings: `Contraseña` and `contrasena` are equal. */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(ODD_LETTERS, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
}

/** One list for each step of the path. A quoted name may contain steps of its own. */
export function stepsOf(path: string): string[][] {
  if (!isAscii(path)) return path.split(STEP).map(wordsOf).filter(isSome);
  const steps: string[][] = [[]];
  for (const token of path.match(STEP_OR_WORD) ?? [])
    if (IS_STEP.test(token)) steps.push([]);
    else steps.at(-1)?.push(token.toLowerCase());
  return steps.filter(isSome);
}

const STEP = /[.[\]"]+/;
const IS_STEP = /^[.[\]"]/;
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
const STEP_OR_WORD = new RegExp(`${STEP.source}|${WORD.source}`, 'g');
const isSome = (words: readonly string[]) => words.length > 0;

export function wordsOf(name: string): string[] {
  if (isAscii(name)) return name.match(WORD)?.map((word) => word.toLowerCase()) ?? [];
  const parted = name
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  return folded(parted).match(/[\p{L}\p{M}]+/gu) ?? [];
}
