/**
 * What is known of a value while a method runs: where it came from decides what writing to it means. While code is followed
 * a value is a number of bits: one for each origin that it may have, from bit 10 on one for each call whose result it may be.
 */
export const BITS = {
  /** Anything: to write to it changes what others may see. */
  other: 1,
  this: 2,
  /** Made by the method itself. */
  fresh: 4,
  /** A parameter, at most converted. */
  argument: 8,
  constant: 16,
  /** Read from a field of `this`. */
  held: 32,
  /** A function whose body is among the calls of the method, or made of such. */
  function: 64,
  /** The address of a variable of the method, or of a part of something fresh. */
  local: 128,
  /** The address of a field of `this`, or of a part of it. */
  part: 256,
  /** What a compiler made for variables which outlive a piece of code; through it leads the way to `this`. */
  closure: 512,
} as const;
export type Origin = keyof typeof BITS;

const FIRST_CALL = 10;
/** Numbers have no more bits that are exact. */
export const MAX_CALLS = 53 - FIRST_CALL;
const HALF = 2 ** 26;

/** Of the result of a call that has this number; null: of one that is not known by its name. */
export function bitsOfResult(call: number | null): number {
  return call === null || call >= MAX_CALLS ? BITS.other : 2 ** (FIRST_CALL + call);
}

export function unite(one: number, other: number): number {
  if (one === other) return one;
  const upper = Math.floor(one / HALF) | Math.floor(other / HALF);
  return upper * HALF + ((one % HALF) | (other % HALF));
}

/** What becomes of a value: for the origins of each row its bits, for any further origin and for none `other`. */
export function mapOrigins(value: number, ...rows: readonly (readonly [origins: number, bits: number])[]): number {
  let mapped = 0;
  let rest = (value % 2 ** FIRST_CALL) & ~BITS.constant;
  for (const [origins, bits] of rows) {
    if (rest & origins) mapped |= bits;
    rest &= ~origins;
  }
  return rest !== 0 || value >= 2 ** FIRST_CALL || mapped === 0 ? mapped | BITS.other : mapped;
}

/** It can be nothing else, unless it is null. */
export function isOnly(value: number, origin: number): boolean {
  return value < 2 ** FIRST_CALL && (value & ~BITS.constant) === origin;
}

/** Each worse than the one before. */
export const LEVEL = {
  none: 0,
  /** Writes fields of `this` and nothing else. */
  fields: 1,
  /** Changes what fields of `this` hold: lists, maps, arrays; or takes its lock. */
  own: 2,
  unknown: 3,
} as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/** The same whatever is asked for first: a constant beside something else does not make that unknown. */
export function mergeOrigins(one: Origin | null, other: Origin): Origin {
  if (one === null || one === other || one === 'constant') return other;
  return other === 'constant' ? one : 'other';
}

const ORIGINS = Object.keys(BITS) as Origin[];
/** Of each set of origins, without calls. */
const MERGED: readonly (Origin | null)[] = Array.from({ length: 2 ** FIRST_CALL }, (_, bits) =>
  ORIGINS.filter((origin) => bits & BITS[origin]).reduce<Origin | null>(mergeOrigins, null),
);

/** `results`: of calls, by their numbers. null: it is only what calls bring of which nothing is known yet. */
export function originOf(bits: number, results: ReadonlyMap<number, Origin>): Origin | null {
  let merged = MERGED[bits % 2 ** FIRST_CALL] ?? null;
  let calls = Math.floor(bits / 2 ** FIRST_CALL);
  if (calls === 0) return merged ?? 'other';
  for (let call = 0; calls > 0; call++, calls = Math.floor(calls / 2)) {
    const origin = calls % 2 === 1 ? results.get(call) : undefined;
    if (origin !== undefined) merged = mergeOrigins(merged, origin);
  }
  return merged;
}

/** Of changing what it stands for. */
export function levelOfWritingTo(origin: Origin | undefined): Level {
  if (origin === 'fresh' || origin === 'local' || origin === 'closure') return LEVEL.none;
  return origin === 'held' || origin === 'this' || origin === 'part' ? LEVEL.own : LEVEL.unknown;
}

/** Of a call on it: fields of a fresh object are nobody's; those of any other object than `this` are somebody's. */
export function levelSeenFrom(receiver: Origin, level: Level): Level {
  if (level === LEVEL.none || receiver === 'this' || receiver === 'closure') return level;
  if (receiver === 'part') return worst(level, LEVEL.fields);
  return (receiver === 'fresh' || receiver === 'local') && level === LEVEL.fields ? LEVEL.none : LEVEL.unknown;
}

export function worst(one: Level, other: Level): Level {
  return one > other ? one : other;
}
