/**
 * "Did you mean": the names closest to one that does not exist. The cost is limited whatever the number of names: cheap
 * tests dismiss most, distances of last segments are cached (arrays repeat them), and the number of computed distances
 * is capped.
 */

const MAX_NAMES = 300_000;
const NAMES_PER_STEP = 64;
const MAX_DISTANCES = 10_000;
/** Longer names are compared by their end, where state keys differ. */
const MAX_COMPARED = 80;
/** A match of only the last segment ranks behind a whole name that is this many edits away. */
const LAST_SEGMENT_PENALTY = 1.5;
const CONTAINED_PENALTY = 2.5;

const BRACKET = 0x5b;
const ZERO = 0x30;
const NINE = 0x39;

interface Candidate {
  readonly name: string;
  readonly score: number;
}

export function nearestNames(wanted: string, names: Iterable<string>, max = 3): string[] {
  const steps = seekNearest(wanted, names, max);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `nearest` in steps. */
export function* seekNearest(wanted: string, names: Iterable<string>, max = 3): Generator<void, string[], void> {
  const scorer = new Scorer(wanted);
  const best: Candidate[] = [];
  const seenPatterns = new Set<number>();
  let examined = 0;
  for (const name of names) {
    examined += 1;
    if (examined > MAX_NAMES) break;
    if (examined % NAMES_PER_STEP === 0) yield;
    // One of several names that differ only in array indices is enough.
    const pattern = patternHash(name);
    if (seenPatterns.has(pattern)) continue;
    seenPatterns.add(pattern);
    const worst = best.length < max ? Number.POSITIVE_INFINITY : (best.at(-1)?.score ?? 0);
    const score = scorer.score(name, worst);
    if (score >= worst) continue;
    const place = best.findIndex((other) => score < other.score);
    best.splice(place < 0 ? best.length : place, 0, { name, score });
    if (best.length > max) best.pop();
  }
  return best.map((candidate) => candidate.name);
}

class Scorer {
  private readonly whole: string;
  private readonly letters: number;
  private readonly tolerance: number;
  private readonly last: string;
  private readonly lastScores = new Map<string, number>();
  private distancesLeft = MAX_DISTANCES;

  constructor(wanted: string) {
    this.whole = comparable(wanted);
    this.letters = lettersOf(this.whole);
    this.tolerance = toleranceFor(this.whole);
    this.last = lastSegment(this.whole);
  }

  /** Lower is nearer; infinite if not near. Only exact enough to compare it with `worst`. */
  score(original: string, worst: number): number {
    const name = comparable(original);
    if (name === this.whole) return 0;
    // Names that differ only in their last segment are siblings, and not similar for that.
    const byLast = this.lastSegmentScore(lastSegment(name));
    if (byLast === Number.POSITIVE_INFINITY) return byLast;
    const limit = Math.min(this.tolerance, Math.ceil(Math.min(worst, byLast)) - 1);
    if (limit < 1 || Math.abs(name.length - this.whole.length) > limit) return byLast;
    // An edit changes at most two letters of the set of letters.
    if (bitCount(lettersOf(name) ^ this.letters) > 2 * limit) return byLast;
    return Math.min(byLast, this.distance(this.whole, name, limit));
  }

  private lastSegmentScore(segment: string): number {
    const known = this.lastScores.get(segment);
    if (known !== undefined) return known;
    if (this.distancesLeft <= 0) return Number.POSITIVE_INFINITY;
    const tolerance = toleranceFor(this.last);
    let score = this.distance(this.last, segment, tolerance) + LAST_SEGMENT_PENALTY;
    if (score === Number.POSITIVE_INFINITY && contains(this.last, segment)) score = tolerance + CONTAINED_PENALTY;
    this.lastScores.set(segment, score);
    return score;
  }

  private distance(left: string, right: string, limit: number): number {
    if (this.distancesLeft <= 0) return Number.POSITIVE_INFINITY;
    this.distancesLeft -= 1;
    return editDistance(left, right, limit);
  }
}

/**
 * The number of characters to insert, delete, replace or swap with their neighbour; infinite above `limit`. Only the
 * cells within `limit` of the diagonal are computed.
 */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return Number.POSITIVE_INFINITY;
  const outside = limit + 1;
  let twoAbove: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = new Array<number>(right.length + 1).fill(outside);
    const from = Math.max(1, row - limit);
    const to = Math.min(right.length, row + limit);
    let before = from === 1 ? row : outside;
    let smallest = before;
    current[from - 1] = before;
    for (let column = from; column <= to; column += 1) {
      const same = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      before = Math.min((above[column] ?? outside) + 1, before + 1, (above[column - 1] ?? outside) + (same ? 0 : 1));
      if (isSwap(left, row, right, column)) before = Math.min(before, (twoAbove[column - 2] ?? outside) + 1);
      current[column] = before;
      if (before < smallest) smallest = before;
    }
    if (smallest > limit) return Number.POSITIVE_INFINITY;
    twoAbove = above;
    above = current;
  }
  const distance = above[right.length] ?? outside;
  return distance > limit ? Number.POSITIVE_INFINITY : distance;
}

function isSwap(left: string, row: number, right: string, column: number): boolean {
  return (
    row > 1 &&
    column > 1 &&
    left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
    left.charCodeAt(row - 2) === right.charCodeAt(column - 1)
  );
}

function toleranceFor(text: string): number {
  return Math.max(1, Math.min(6, Math.floor(text.length / 3)));
}

function comparable(name: string): string {
  return (name.length > MAX_COMPARED ? name.slice(-MAX_COMPARED) : name).toLowerCase();
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Words of up to three letters are contained in too many names. */
function contains(left: string, right: string): boolean {
  return (right.length > 3 && left.includes(right)) || (left.length > 3 && right.includes(left));
}

/** A hash of the name without its array indices. A collision only costs a suggestion. */
function patternHash(name: string): number {
  let hash = 0;
  let inIndex = false;
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (inIndex && code >= ZERO && code <= NINE) continue;
    inIndex = code === BRACKET;
    hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash;
}

/** A set of the letters in use, one bit each (other characters share the remaining bits). */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

function bitCount(bits: number): number {
  let rest = bits;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count += 1;
  }
  return count;
}
