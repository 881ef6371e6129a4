/** Selects keys by several globs. */
import { globMatcher } from './glob.ts';
import { pathPattern } from './path.ts';

/** A glob with one of these may select single elements of a list. */
const SINGLE = /[\d?]/;
const MAX_REMEMBERED = 200_000;

/** Results are cached, because the same keys are tested again and again. */
export class KeyFilter {
  /** Globs that select no single elements: one test answers for all keys of a pattern. */
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

  /** Whether all keys of a pattern are selected, or none; null if that depends on the key. */
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

/** The limit for one request. */
const MAX_GLOBS = 50;
const MAX_GLOB_CHARACTERS = 500;

/** `inbox.**,cart["a,b"]`: commas separate globs, except within quotes and brackets. */
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

/** The problem of a list of globs, or null. */
export function flawOfGlobs(text: string): string | null {
  const globs = splitGlobs(text);
  if (globs.length === 0 || globs.length > MAX_GLOBS) return `expected 1 to ${MAX_GLOBS} globs, separated by commas`;
  const isLong = globs.some((glob) => glob.length > MAX_GLOB_CHARACTERS);
  return isLong ? `expected globs of at most ${MAX_GLOB_CHARACTERS} characters` : null;
}
