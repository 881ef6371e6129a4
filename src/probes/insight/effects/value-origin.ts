/**
 * The origin of a value while a method runs, which decides what a write to it means. While code is followed a value is
 * a set of bits: one for each possible origin, and from bit 10 on one for each call whose result it may be.
 */
export const BITS = {
  /** Any object: a write to it is visible to others. */
  other: 1,
  this: 2,
  /** Made by the method itself. */
  fresh: 4,
  /** A parameter, perhaps converted. */
  argument: 8,
  constant: 16,
  /** Read from a field of `this`. */
  held: 32,
  /** A function whose body is among the calls of the method, or one made from such functions. */
  function: 64,
  /** The address of a variable of the method, or of a part of a fresh object. */
  local: 128,
  /** The address of a field of `this`, or of a part of it. */
  part: 256,
  /** An object that the compiler generated for captured variables; it may lead to `this`. */
  closure: 512,
} as const;
export type Origin = keyof typeof BITS;

const FIRST_CALL = 10;
/** A number has only 53 exact bits. */
export const MAX_CALLS = 53 - FIRST_CALL;
const HALF = 2 ** 26;

/** The bits for the result of a numbered call; null for a call whose name is not known. */
export function bitsOfResult(call: number | null): number {
  return call === null || call >= MAX_CALLS ? BITS.other : 2 ** (FIRST_CALL + call);
}

export function unite(one: number, other: number): number {
  if (one === other) return one;
  const upper = Math.floor(one / HALF) | Math.floor(other / HALF);
  return upper * HALF + ((one % HALF) | (other % HALF));
}

/** Maps each origin to the bits of its row; an origin without a row, and a value without an origin, become `other`. */
export function mapOrigins(value: number, ...rows: readonly (readonly [origins: number, bits: number])[]): number {
  let mapped = 0;
  let rest = (value % 2 ** FIRST_CALL) & ~BITS.constant;
  for (const [origins, bits] of rows) {
    if (rest & origins) mapped |= bits;
    rest &= ~origins;
  }
  return rest !== 0 || value >= 2 ** FIRST_CALL || mapped === 0 ? mapped | BITS.other : mapped;
}

/** The value has no other origin, unless it is null. */
export function isOnly(value: number, origin: number): boolean {
  return value < 2 ** FIRST_CALL && (value & ~BITS.constant) === origin;
}

/** Each level is worse than the one before. */
export const LEVEL = {
  none: 0,
  /** Writes fields of `this` and nothing else. */
  fields: 1,
  /** Changes lists, maps or arrays that fields of `this` hold, or takes its lock. */
  own: 2,
  unknown: 3,
} as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/** The result does not depend on the order: a constant beside another origin keeps that origin. */
export function mergeOrigins(one: Origin | null, other: Origin): Origin {
  if (one === null || one === other || one === 'constant') return other;
  return other === 'constant' ? one : 'other';
}

const ORIGINS = Object.keys(BITS) as Origin[];
/** The merged origin for each set of origins, without calls. */
const MERGED: readonly (Origin | null)[] = Array.from({ length: 2 ** FIRST_CALL }, (_, bits) =>
  ORIGINS.filter((origin) => bits & BITS[origin]).reduce<Origin | null>(mergeOrigins, null),
);

/**
 * `results`: the origins of results, by the numbers of calls. Null if it is only the result of calls that are not known
 * yet.
 */
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

/** The level of a write to an object of this origin. */
export function levelOfWritingTo(origin: Origin | undefined): Level {
  if (origin === 'fresh' || origin === 'local' || origin === 'closure') return LEVEL.none;
  return origin === 'held' || origin === 'this' || origin === 'part' ? LEVEL.own : LEVEL.unknown;
}

/**
 * The level of a call on this receiver: nobody else sees the fields of a fresh object, others see those of any object
 * but
 * `this`.
 */
export function levelSeenFrom(receiver: Origin, level: Level): Level {
  if (level === LEVEL.none || receiver === 'this' || receiver === 'closure') return level;
  if (receiver === 'part') return worst(level, LEVEL.fields);
  return (receiver === 'fresh' || receiver === 'local') && level === LEVEL.fields ? LEVEL.none : LEVEL.unknown;
}

export function worst(one: Level, other: Level): Level {
  return one > other ? one : other;
}
