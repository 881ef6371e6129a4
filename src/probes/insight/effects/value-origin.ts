/**
 * What is known of a value while a method runs: where it came from decides what writing to it means. On the wire a value is
 * a number of bits: one for each origin that it may have, from bit 10 on one for each call whose result it may be.
 */
export type Origin =
  /** Anything: to write to it changes what others may see. */
  | 'other'
  | 'this'
  /** Made by the method itself. */
  | 'fresh'
  /** A parameter, at most converted. */
  | 'argument'
  | 'constant'
  /** Read from a field of `this`. */
  | 'held'
  /** A function whose body is among the calls of the method, or made of such. */
  | 'function'
  /** The address of a variable of the method, or of a part of something fresh. */
  | 'local'
  /** The address of a field of `this`, or of a part of it. */
  | 'part'
  /** What a compiler made for variables which outlive a piece of code; through it leads the way to `this`. */
  | 'closure';

const ORIGINS: readonly Origin[] = [
  'other',
  'this',
  'fresh',
  'argument',
  'constant',
  'held',
  'function',
  'local',
  'part',
  'closure',
];
const FIRST_CALL = ORIGINS.length;

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

/** Of each set of origins, without calls. */
const MERGED: readonly (Origin | null)[] = Array.from({ length: 2 ** FIRST_CALL }, (_, bits) =>
  ORIGINS.reduce<Origin | null>(
    (merged, origin, bit) => (bits & (1 << bit) ? mergeOrigins(merged, origin) : merged),
    null,
  ),
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
