/**
 * Finds the line of an answer that matches some words best. Lines form a tree: a word counts fully for a line that
 * contains it, and less the larger the part of the tree is that has both. Rare words count more than frequent ones.
 */

export interface Line {
  /** As written by the tool. */
  readonly text: string;
  /**
   * From the outside in: steps of a key, or the lines that it is indented under. Equal prefixes mean the same place.
   */
  readonly path: readonly string[];
  /** Its content beyond its place and kind. */
  readonly says: string;
  /** The name or reference that tools need to act on it. */
  readonly handle: string | null;
  readonly kind: 'value' | 'group' | 'offer' | 'field';
  /** For a field that takes several values at once. */
  readonly parameters?: readonly string[];
  /** For one of several choices. */
  readonly choice?: string;
}

export interface Ranked {
  readonly line: Line;
  readonly score: number;
  /** Share of the words (by weight) that are in the line or near it. */
  readonly coverage: number;
}

const STOP = new Set(
  'a an and are as at be by can did do does for from has have how in into is it many me of on or its say says shown tell that the their there this to until wait was what when which who why with'.split(
    ' ',
  ),
);
/** For each doubling of the part of the tree. */
const FADE = 0.8;
/** A larger part says nothing about one of its lines. */
const MOST_LINES = 200;

/** Lower-case words without endings; camelCase and snake_case are split. */
export function wordsOf(text: string): string[] {
  return (text.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[\p{L}\d]+/gu) ?? []).map(stem);
}

function stem(word: string): string {
  const lower = word.toLowerCase();
  const cut = lower.replace(/(?<=\w{3})(?:ing|ied|ies|ed|es|s|ure)$/, '');
  return cut.replace(/(?<=\w{3})[ey]$/, '');
}

export interface Question {
  readonly words: readonly string[];
  /** The same words as written. */
  readonly plain: readonly string[];
  /** The quoted texts. */
  readonly quoted: readonly string[];
}

export function questionOf(text: string): Question {
  const quoted = [...text.matchAll(/"([^"]*)"/g)].map(([, inner = '']) => inner);
  const plain = (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter((word) => !STOP.has(word));
  return { words: [...new Set(plain.map(stem))], plain: [...new Set(plain)], quoted };
}

interface Place {
  readonly words: Set<string>;
  lines: number;
}

/** Best first, without lines that do not match. */
export function rank(lines: readonly Line[], question: Question): Ranked[] {
  const asked = [...question.words, ...question.quoted.map(phrase)];
  const found = lines.map((line) => wordsFor(line.text, asked));
  const weights = weightsOf(found, asked);
  const total = sum(asked.map((word) => weights.get(word) ?? 0));
  const places = placesOf(lines, found);
  return lines
    .map((line, at): Ranked => {
      const own = found[at] ?? new Set();
      let score = 0;
      let covered = 0;
      for (const word of asked) {
        const distance = own.has(word) ? 0 : distanceTo(word, line, places);
        if (distance === null) continue;
        const weight = weights.get(word) ?? 0;
        score += weight * FADE ** distance;
        covered += weight;
      }
      // The shorter one of two equal lines is better.
      const long = wordsOf(line.text).length;
      return {
        line,
        score: score / (1 + Math.max(0, long - own.size) / 150),
        coverage: total === 0 ? 0 : covered / total,
      };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/** A literal quotation counts as one more word. */
const phrase = (quoted: string) => ` ${wordsOf(quoted).join(' ')} `;

function wordsFor(text: string, asked: readonly string[]): Set<string> {
  const all = wordsOf(text);
  const set = new Set(all);
  const joined = ` ${all.join(' ')} `;
  return new Set(asked.filter((word) => (word.startsWith(' ') ? joined.includes(word) : set.has(word))));
}

function weightsOf(found: readonly ReadonlySet<string>[], asked: readonly string[]): Map<string, number> {
  return new Map(
    asked.map((word) => {
      const having = found.filter((words) => words.has(word)).length;
      return [word, Math.log(1 + found.length / (1 + having))];
    }),
  );
}

/** For each place of the tree, all asked words at or below it. */
function placesOf(lines: readonly Line[], found: readonly ReadonlySet<string>[]): Map<string, Place> {
  const places = new Map<string, Place>();
  lines.forEach((line, at) => {
    for (let depth = 1; depth <= line.path.length; depth++) {
      const name = placeName(line.path, depth);
      const place = places.get(name) ?? { words: new Set(), lines: 0 };
      places.set(name, place);
      place.lines++;
      for (const word of found[at] ?? []) place.words.add(word);
    }
  });
  return places;
}

const placeName = (path: readonly string[], depth: number) => path.slice(0, depth).join('\u0000');

function distanceTo(word: string, { path }: Line, places: ReadonlyMap<string, Place>): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const place = places.get(placeName(path, depth));
    if (place === undefined || place.lines > MOST_LINES) return null;
    if (place.words.has(word)) return Math.log2(place.lines + 1);
  }
  return null;
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
