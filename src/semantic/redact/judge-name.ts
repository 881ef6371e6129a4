/** Decides whether a name is that of a secret, and how certain that is. */
import { judgeGenerator } from './generators.ts';
import {
  ABOUT,
  ABOUT_BELOW,
  CARD_NAMES,
  CARDS,
  CONTEXTS,
  ENTITIES,
  FLAGS,
  HELD,
  IDS,
  LABELLED,
  MAYBE_LABELLED,
  NUMBERED,
  NUMBERS,
  SPEAKS,
  VERBS,
} from './harmless-names.ts';
import {
  FIRST_WORDS,
  type Kind,
  MAY_END,
  MOST_WORDS,
  NAME_ENDINGS,
  nameParts,
  otherScripts,
  SECRET_NAMES,
} from './secret-names.ts';
import { folded, isAscii, stepsOf, wordsOf } from './words.ts';

/** There are few of them, each created once: two equal ones are the same object. */
export interface Verdict {
  readonly kind: Kind | null;
  /** Numbers are secrets, too: all, or those that only a machine would have chosen. */
  readonly numbers: 'all' | 'large' | null;
  /** The text may be one for people: any sentence, or only the name of a secret. */
  readonly label: 'sentence' | 'name' | null;
  /** A long number is an id. */
  readonly isId: boolean;
  /** A long number is that of a card, and a short one is none. */
  readonly isCard: boolean;
}

const verdicts = new Map<string, Verdict>();

function verdict(of: Verdict): Verdict {
  const { kind, numbers, label, isId, isCard } = of;
  const name = [kind, numbers, label, isId, isCard].join(' ');
  const made = verdicts.get(name) ?? of;
  verdicts.set(name, made);
  return made;
}

const NOTHING: Verdict = { kind: null, numbers: null, label: null, isId: false, isCard: false };
export const HARMLESS = verdict(NOTHING);
const ID = verdict({ ...NOTHING, isId: true });
const CARD = verdict({ ...NOTHING, isCard: true });
/** For a value that is secret by its context, not by its name. */
export const MATERIAL = verdict({ ...NOTHING, kind: 'secret', numbers: 'all' });

const NAME_PARTS = nameParts();
const MAY_BE_SECRET = new RegExp(NAME_PARTS.join('|'), 'i');
const MAY_NAME_SECRET = new RegExp(
  ['basic', 'identified', 'saml', 'sess', 'logged_in', 'remember', 'aspnet', ...NAME_PARTS].join('|'),
  'i',
);
const MAY_BE_NUMBER = new RegExp(`(?:${[...IDS, ...NUMBERS, ...CARDS].join('|')})[^a-z]{0,20}$`, 'i');
const OTHER_SCRIPTS = otherScripts(folded);
const SURENESS: readonly (Kind | null)[] = [null, 'bare', 'material', 'hint', 'code', 'key', 'secret', 'password'];

interface Hit {
  readonly kind: Kind;
  /** The range of its words. */
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** As written: singular or plural. */
  readonly spelled: string;
}

/** The facts about a path besides its names, each found in one pass. */
interface Path {
  readonly words: readonly string[];
  /** The kind of the word before each word in its own step. */
  readonly before: readonly ('flag' | 'verb' | 'word' | null)[];
  /** The first word of a step. */
  readonly isStart: readonly boolean[];
  /** The last word below which everything is about something. */
  readonly lastAbout: number;
}

/** False if no name in a text can be that of a secret, and no scheme (`Basic …`) is before one. Fast. */
export const mayNameSecret = (text: string) => MAY_NAME_SECRET.test(text) || !isAscii(text);

export function judgeName(path: string): Verdict {
  const isPlain = isAscii(path);
  const generator = judgeGenerator(path);
  if (isPlain && !MAY_BE_SECRET.test(path)) return generator === null ? harmlessKind(path) : ofGenerator(generator);
  const read = readPath(path);
  const { words } = read;
  let best: Kind | null = null;
  let numbers: Verdict['numbers'] = generator;
  let isCard = false;
  let first = words.length;
  const isInList = IN_LIST.test(path.slice(-LONGEST_INDEX));
  for (const hit of hitsIn(words)) {
    const kind = inContext(hit, read);
    // A vague name says nothing about the values below it.
    if (kind === null || (kind === 'bare' && hit.to < words.length)) continue;
    first = Math.min(first, hit.from);
    best = surer(kind, best);
    const isLast = hit.to === words.length;
    if (isLast && OF_NUMBERS.has(kind)) numbers = 'all';
    if (isInList && kind !== 'bare' && isBytesOf(hit, words)) numbers = 'all';
    if (isLast && CARD_NAMES.has(hit.name)) isCard = true;
  }
  const other = isPlain ? null : kindInOtherScript(folded(path));
  if (other !== null) {
    best = surer(other, best);
    if (other !== 'key') numbers = 'all';
  }
  if (isKeyOfEnvironment(path)) best = surer('hint', best);
  if (best === null) return generator === null ? harmlessKind(path) : ofGenerator(generator);
  return verdict({ kind: best, numbers, label: labelOf(words.slice(0, first)), isId: false, isCard });
}

const ofGenerator = (numbers: Verdict['numbers']) => verdict({ ...NOTHING, kind: 'material', numbers });

/** False if only a value that looks like a key makes the name one of a secret. */
export const isNamed = ({ kind }: Verdict) => kind !== null && kind !== 'material' && kind !== 'bare';

const OF_NUMBERS: ReadonlySet<Kind> = new Set(['password', 'secret', 'code']);
/** Names for the bytes of a key below its name. */
const BYTES: ReadonlySet<string> = new Set([
  'bytes',
  'byte',
  'data',
  'buffer',
  'raw',
  'value',
  'words',
  'array',
  'content',
]);
const IN_LIST = /\[(?:\*|\d+)\]$/;
/** Includes its brackets. */
const LONGEST_INDEX = 20;

/** `privateKey[3]`, `secretKey.data[3]`: an item of a list below the name of one key. */
function isBytesOf({ name, spelled, to }: Hit, words: readonly string[]): boolean {
  if (!/(?:key|secret|salt|seed)$/.test(spelled) || spelled !== name) return false;
  for (let at = to; at < words.length; at++) if (!BYTES.has(words[at] ?? '')) return false;
  return true;
}

function readPath(path: string): Path {
  const words: string[] = [];
  const before: Path['before'][number][] = [];
  const isStart: boolean[] = [];
  let lastAbout = -1;
  for (const step of stepsOf(path)) {
    let found: Path['before'][number] = null;
    for (const [at, word] of step.entries()) {
      if (ABOUT_BELOW.has(word)) lastAbout = words.length;
      words.push(word);
      isStart.push(at === 0);
      before.push(found);
      if (FLAGS.has(word)) found = 'flag';
      else if (at === 0) found = VERBS.has(word) ? 'verb' : 'word';
    }
  }
  return { words, before, isStart, lastAbout };
}

function labelOf(before: readonly string[]): Verdict['label'] {
  if (before.some((word) => LABELLED.has(word))) return 'sentence';
  return before.some((word) => MAYBE_LABELLED.has(word)) ? 'name' : null;
}

const surer = (one: Kind | null, other: Kind | null) => (SURENESS.indexOf(one) > SURENESS.indexOf(other) ? one : other);

/** For a value with two names. */
export function stricter(one: Verdict, other: Verdict): Verdict {
  const labels = new Set([one, other].flatMap(({ kind, label }) => (kind === null ? [] : [label])));
  return verdict({
    kind: surer(one.kind, other.kind),
    numbers: one.numbers === 'all' || other.numbers === 'all' ? 'all' : (one.numbers ?? other.numbers),
    label: labels.size === 1 ? ([...labels][0] ?? null) : null,
    isId: one.isId && other.isId,
    isCard: [one, other].every(({ numbers, isCard }) => isCard || numbers === null) && (one.isCard || other.isCard),
  });
}

function hitsIn(words: readonly string[]): Hit[] {
  const hits: Hit[] = [];
  for (let from = 0; from < words.length; from++) {
    const hit = hitAt(words, from);
    if (hit) hits.push(hit);
  }
  return hits;
}

function hitAt(words: readonly string[], from: number): Hit | null {
  const most = FIRST_WORDS.has(words[from] ?? '') ? Math.min(MOST_WORDS, words.length - from) : 1;
  for (let count = most; count > 0; count--) {
    const to = from + count;
    const together = words.slice(from, to).join('');
    for (const name of together.endsWith('s') ? [together, together.slice(0, -1)] : [together]) {
      const kind = SECRET_NAMES.get(name);
      if (kind !== undefined) return { kind, from, to, name, spelled: together };
    }
  }
  const word = words[from] ?? '';
  if (!MAY_END.test(word)) return null;
  for (const [kind, ending] of NAME_ENDINGS)
    if (ending.test(word)) return { kind, from, to: from + 1, name: word, spelled: word };
  return null;
}

/** Null if the context shows that it is none. */
function inContext({ kind, from, to, name, spelled }: Hit, { words, before, isStart, lastAbout }: Path): Kind | null {
  const [last = '', next = ''] = [words[from - 1], words[to]];
  for (const context of [CONTEXTS.get(name), spelled === name ? undefined : CONTEXTS.get(spelled)]) {
    if (context === undefined) continue;
    if (before[from] !== null && context.joined?.has(last)) return null;
    if (context.before?.has(last) || context.after?.has(next)) return null;
    for (let at = Math.max(0, from - 4); at < from; at++) {
      if (context.near?.has(words[at] ?? '')) return null;
      if (context.weaker?.has(words[at] ?? '')) return 'hint';
    }
  }
  if (to < words.length && (lastAbout >= to || isAbout(words.at(-1) ?? '', spelled !== name && isStart[to] === true)))
    return null;
  if (to < words.length && SPEAKS.has(next)) return null;
  // `secretLevel`, `secretIngredient`: a level that is secret, but no secret.
  if (name === 'secret' && isStart[from] && isStart[to] === false && !HELD.has(next)) return 'hint';
  if (before[from] === 'flag') return null;
  return before[from] === 'verb' ? 'hint' : kind;
}

/** `LOGGED_IN_KEY`: such a name in the environment mostly means a secret. */
function isKeyOfEnvironment(path: string): boolean {
  return /[A-Z]_KEYS?(?:"\])?$/.test(path) && !/(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE)_KEYS?/.test(path);
}

/** `orderNumber`, `userId`, `payment`: by its last two words. */
function harmlessKind(path: string): Verdict {
  if (!MAY_BE_NUMBER.test(path.slice(-40))) return HARMLESS;
  const words = wordsOf(path.slice(-40));
  const last = words.at(-1) ?? '';
  if (IDS.has(last) || (NUMBERS.has(last) && NUMBERED.has(words.at(-2) ?? ''))) return ID;
  return isOfCard(words) ? CARD : HARMLESS;
}

const isOfCard = (words: readonly string[]) => words.slice(-2).some((word) => CARDS.has(word));

/** A value below one of several may be named after its purpose. */
const isAbout = (word: string, isBelowSeveral: boolean) => ABOUT.has(word) && !(isBelowSeveral && ENTITIES.has(word));

function kindInOtherScript(text: string): Kind | null {
  return OTHER_SCRIPTS.find(([, names]) => names.test(text))?.[0] ?? null;
}
