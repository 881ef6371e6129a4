/**
 * Patterns for keys, step by step. A key is a row of steps: `.name`, `["odd name"]`, `[3]`. In a pattern `*` stands for
 * anything within one step, quoted or not, `?` for one character, `[*]` for any element, `**` for any number of steps.
 * Matches character by character with all possibilities at once, so that no pattern, wherever it comes from, takes
 * long.
 */
const DOT = 1;
const QUOTED = 2;
const ELEMENT = 4;
const ANY = DOT | QUOTED | ELEMENT;

type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  /** The beginning of a step, of one of these kinds. */
  | { readonly kind: 'border'; readonly kinds: number }
  /** `skippable`: nothing, or the two tokens that follow. */
  | { readonly kind: 'one' | 'within' | 'anything' | 'skippable' };

interface Step {
  readonly kind: number;
  readonly text: string;
  /** The index in the pattern where the step ends. */
  readonly end: number;
}

const DEEP = /^\*\*+$/;

/** `cart.items[*].name`, `**.price`, `cart` (which also means everything below it). */
export function globMatcher(pattern: string): (key: string) => boolean {
  const steps = splitSteps(pattern);
  const firstWild = steps.findIndex(({ text }) => /[*?]/.test(text));
  // Steps without wildcards are compared as plain text.
  const plain = firstWild < 0 ? pattern.length : (steps[firstWild - 1]?.end ?? 0);
  const prefix = pattern.slice(0, plain);
  if (firstWild < 0) return (key) => key.startsWith(prefix) && isStepEnd(key, prefix.length);
  const tokens = steps.slice(firstWild).flatMap((step, at, rest) => tokensOf(step, rest[at - 1], at + 1 < rest.length));
  const shortest = prefix.length + tokens.filter(({ kind }) => kind === 'letter' || kind === 'one').length;
  // Most keys lack this text, or are too short, and need no closer look.
  const words = steps.slice(firstWild).flatMap(({ text }) => text.split(/[*?]+/));
  const needle = words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
  // Allocated once, because a state has very many keys.
  const rooms = [new Uint8Array(tokens.length + 1), new Uint8Array(tokens.length + 1)] as const;
  return (key) =>
    key.length >= shortest &&
    key.startsWith(prefix) &&
    key.includes(needle, prefix.length) &&
    matches(tokens, key, prefix.length, rooms);
}

/** Ignores case, for callers who do not know how an app spells its names. */
export function anyCaseMatcher(pattern: string): (key: string) => boolean {
  const matches = globMatcher(pattern.toLowerCase());
  return (key) => matches(key.toLowerCase());
}

function isStepEnd(key: string, at: number): boolean {
  return at === key.length || key[at] === '.' || key[at] === '[';
}

export function splitSteps(pattern: string): Step[] {
  const steps: Step[] = [];
  let at = 0;
  do {
    if (pattern.startsWith('["', at)) {
      const close = endOfQuoted(pattern, at + 2);
      steps.push({ kind: QUOTED, text: pattern.slice(at + 2, close), end: close + 2 });
    } else if (pattern[at] === '[') {
      const close = pattern.indexOf(']', at);
      const to = close < 0 ? pattern.length : close;
      steps.push({ kind: ELEMENT, text: pattern.slice(at + 1, to), end: to + 1 });
    } else {
      const from = pattern[at] === '.' && steps.length > 0 ? at + 1 : at;
      let to = from;
      while (to < pattern.length && pattern[to] !== '.' && pattern[to] !== '[') to++;
      steps.push({ kind: DOT, text: pattern.slice(from, to), end: to });
    }
    at = steps.at(-1)?.end ?? pattern.length;
  } while (at < pattern.length);
  return steps;
}

/** The index of `"]`, or the end of the text. */
function endOfQuoted(text: string, from: number): number {
  let at = from;
  while (at < text.length && !text.startsWith('"]', at)) at += text[at] === '\\' ? 2 : 1;
  return at;
}

function tokensOf({ kind, text }: Step, before: Step | undefined, isFollowed: boolean): Token[] {
  if (kind === DOT && DEEP.test(text)) {
    if (!isFollowed) return [{ kind: 'border', kinds: ANY }, { kind: 'anything' }];
    // Several in a row mean the same as one.
    if (before && DEEP.test(before.text)) return [];
    return [{ kind: 'skippable' }, { kind: 'border', kinds: ANY }, { kind: 'anything' }];
  }
  const parts = text.match(/\*+|[\s\S]/g) ?? [];
  const letters = parts.map((part): Token => {
    if (part === '*') return { kind: 'within' };
    if (part.startsWith('**')) return { kind: 'anything' };
    return part === '?' ? { kind: 'one' } : { kind: 'letter', letter: part };
  });
  return [{ kind: 'border', kinds: bordersOf(kind, text) }, ...letters];
}

/** A step with a wildcard also matches quoted steps; one without is compared as keys are written. */
function bordersOf(kind: number, text: string): number {
  if (kind === DOT && text.startsWith('**')) return ANY;
  if (kind === DOT) return /[*?]/.test(text) ? DOT | QUOTED : DOT;
  return kind === ELEMENT && text === '*' ? ELEMENT | QUOTED : kind;
}

type Rooms = readonly [Uint8Array, Uint8Array];

function matches(tokens: readonly Token[], key: string, from: number, [first, second]: Rooms): boolean {
  const end = tokens.length;
  let [reached, next] = [first.fill(0), second];
  // No later token is reached, so a long pattern costs no more than the part of it that a key can fill.
  let last = reach(tokens, reached, 0);
  let isQuoted = false;
  let isEscaped = false;
  // The first step of a key has no dot before it.
  for (let at = from === 0 && key[0] !== '[' ? -1 : from; at < key.length; at++) {
    const letter = at < 0 ? '.' : (key[at] ?? '');
    let border = 0;
    if (isQuoted) {
      if (letter === '"' && key[at + 1] === ']' && !isEscaped) {
        isQuoted = false;
        continue;
      }
      isEscaped = letter === '\\' && !isEscaped;
    } else if (letter === ']') continue;
    else if (letter === '.') border = DOT;
    else if (letter === '[') {
      isQuoted = key[at + 1] === '"';
      border = isQuoted ? QUOTED : ELEMENT;
      if (isQuoted) at++;
    }
    // Everything below a match matches, too.
    if (reached[end] === 1 && border !== 0) return true;
    last = advance(tokens, reached, next.fill(0), last, letter, border);
    if (last === -1) return false;
    [reached, next] = [next, reached];
  }
  return reached[end] === 1;
}

/** Moves by one character, or into the next step. Returns the last place reached, or -1. */
function advance(
  tokens: readonly Token[],
  reached: Uint8Array,
  next: Uint8Array,
  last: number,
  letter: string,
  border: number,
): number {
  let nextLast = -1;
  for (let place = 0; place <= last; place++) {
    const token = reached[place] === 1 ? tokens[place] : undefined;
    if (token === undefined) continue;
    const { kind } = token;
    const stays = kind === 'anything' || (kind === 'within' && border === 0);
    const goesOn =
      border === 0
        ? kind === 'one' || (kind === 'letter' && token.letter === letter)
        : kind === 'border' && (token.kinds & border) !== 0;
    if (stays) nextLast = Math.max(nextLast, reach(tokens, next, place));
    if (goesOn) nextLast = Math.max(nextLast, reach(tokens, next, place + 1));
  }
  return nextLast;
}

/** Marks a place and those behind it that need no character. Returns the last of them. */
function reach(tokens: readonly Token[], reached: Uint8Array, place: number): number {
  reached[place] = 1;
  const kind = tokens[place]?.kind;
  if (kind === 'anything' || kind === 'within') return reach(tokens, reached, place + 1);
  if (kind !== 'skippable') return place;
  reach(tokens, reached, place + 1);
  return reach(tokens, reached, place + 3);
}

/**
 * Matches names of apps, which have no steps: `*` stands for any text, `?` for one character; case does not matter.
 * Takes at most the product of both lengths.
 */
export function matchesName(glob: string, name: string): boolean {
  const [pattern, text] = [glob.toLowerCase(), name.toLowerCase()];
  let [at, from] = [0, 0];
  let star = -1;
  let tried = 0;
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      tried = from;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++tried;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
