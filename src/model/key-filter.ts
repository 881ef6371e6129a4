/** The keys that several globs mean. */
import { globMatcher } from './glob.ts';
import { pathPattern } from './path.ts';

/** What can tell one element of a list from another. */
const SINGLE = /[\d?]/;
const MAX_REMEMBERED = 200_000;

/** What was found out is remembered: the keys of an app are asked about again and again. */
export class KeyFilter {
  /** What says nothing of single elements is true of all that have one pattern, or of none. */
  private readonly general: readonly ((pattern: string) => boolean)[];
  private readonly special: readonly { mayMatch(pattern: string): boolean; matches(key: string): boolean }[];
  private readonly patterns = new Map<string, boolean | null>();
  private readonly keys = new Map<string, boolean>();

  constructor(globs: readonly string[], matcherOf = globMatcher) {
    this.general = globs.filter((glob) => !SINGLE.test(glob)).map(matcherOf);
    this.special = globs
      .filter((glob) => SINGLE.test(glob))
      .map((glob) => {
        const anyElement = glob.replace(/\[\d+\]/g, '[*]');
        const mayMatch = SINGLE.test(anyElement) ? () => true : matcherOf(anyElement);
        return { mayMatch, matches: matcherOf(glob) };
      });
  }

  /** Whether all keys of a pattern are meant, or none; null: that depends on the key. */
  ofPattern(pattern: string): boolean | null {
    return remembered(this.patterns, pattern, () => {
      if (this.general.some((matches) => matches(pattern))) return true;
      return this.special.some(({ mayMatch }) => mayMatch(pattern)) ? null : false;
    });
  }

  matches(key: string, pattern = pathPattern(key)): boolean {
    return (
      this.ofPattern(pattern) ?? remembered(this.keys, key, () => this.special.some(({ matches }) => matches(key)))
    );
  }
}

function remembered<Answer>(known: Map<string, Answer>, about: string, find: () => Answer): Answer {
  const answer = known.get(about);
  if (answer !== undefined) return answer;
  const found = find();
  if (known.size >= MAX_REMEMBERED) known.clear();
  known.set(about, found);
  return found;
}

/** Of the globs in one request. */
const MAX_GLOBS = 50;
const MAX_GLOB_CHARACTERS = 500;

/** `inbox.**,cart["a,b"]`: commas part them, but those within quotes and brackets. */
export function splitGlobs(text: string): string[] {
  const globs: string[] = [];
  let from = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isQuoted && letter === '\\') at++;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === '[' || letter === ']') isBracketed = letter === '[';
    else if (letter === ',' && !isBracketed) {
      globs.push(text.slice(from, at));
      from = at + 1;
    }
  }
  globs.push(text.slice(from));
  return globs.map((glob) => glob.trim()).filter((glob) => glob !== '');
}

/** What is wrong with a list of globs; null: nothing. */
export function flawOfGlobs(text: string): string | null {
  const globs = splitGlobs(text);
  if (globs.length === 0 || globs.length > MAX_GLOBS) return `expected 1 to ${MAX_GLOBS} globs, parted by commas`;
  const isLong = globs.some((glob) => glob.length > MAX_GLOB_CHARACTERS);
  return isLong ? `expected globs of at most ${MAX_GLOB_CHARACTERS} characters` : null;
}
