/**
 * The rules by which agents walk objects: what is noise, what is secret, how much is read. The JavaScript agents are built
 * with them; those of Java and .NET get them once per connection, before the first capture (`rules`). An agent only
 * applies them, so that the same objects give the same state in every runtime.
 */
import { SECRET_TYPES } from '../../model/secrets.ts';

/**
 * Matches names: `Logger`, `this$*`, `*Logger`, `java.util.concurrent.*Map`, `*Compar*`. With `!` in front, the names that
 * it matches do not belong to the list. The first pattern of a list that matches a name decides.
 */
export type NamePattern = string;

/** The list of patterns as a function, for the agents in JavaScript. */
function matcherOf(patterns: readonly NamePattern[]): (name: string) => boolean {
  const escaped = patterns.map((pattern) =>
    pattern
      .split('*')
      .map((part) => part.replace(/[^\w]/g, '\\$&'))
      .join('.*'),
  );
  const expression = new RegExp(`^(?:${escaped.join('|')})$`);
  return (name) => expression.test(name);
}

export interface WalkLimits {
  /** Objects below this depth are not read. */
  readonly maxDepth: number;
  /** Longer texts are cut; a multiple of four. Also the size of bytes that are shown as the text they hold. */
  readonly maxText: number;
  /** A longer key is data, not a name. */
  readonly maxKey: number;
  /** Larger arrays of numbers are pictures, sounds, buffers or tables: only the length is reported. */
  readonly maxNumbers: number;
  /** In a larger array of objects null is an unused place, not a value. */
  readonly maxWithNulls: number;
  /** An object with at most so many fields, all of them scalars, is shown in full at each place that holds it. */
  readonly maxFlat: number;
  /** Members of a larger set, and entries of a larger map, are not brought into a stable order. */
  readonly maxOrdered: number;
  /** Limit of nested wrappers that are removed around an object. */
  readonly maxWrappers: number;
  /** A larger collection gets a share of the leaves of its own if not all can be read. */
  readonly smallCollection: number;
  /** Down to this depth every object has a share of its own, whatever its neighbours lead to. */
  readonly nearDepth: number;
  /** Leaves in the smallest share. */
  readonly leastShare: number;
  /** After each round a share is larger by this power of two. */
  readonly shareGrowth: number;
  /** Shares within a root grow slower in the first rounds, so that none of them uses up the root's share. */
  readonly slowRounds: number;
  readonly maxRounds: number;
  /** A longer static table of scalars that has not changed so far (words, codes, translations) is only counted. */
  readonly longTable: number;
  /** Objects without leaves take room as well: so many are read besides two for each leaf. */
  readonly leastObjects: number;
  readonly maxRoots: number;
  /** Limit of former roots whose numbers are kept. */
  readonly maxFormerRoots: number;
}

export const WALK_LIMITS: WalkLimits = {
  maxDepth: 32,
  maxText: 4096,
  maxKey: 1000,
  maxNumbers: 1000,
  maxWithNulls: 64,
  maxFlat: 24,
  maxOrdered: 10_000,
  maxWrappers: 8,
  smallCollection: 16,
  nearDepth: 4,
  leastShare: 16,
  shareGrowth: 2,
  slowRounds: 6,
  maxRounds: 16,
  longTable: 500,
  leastObjects: 1000,
  maxRoots: 2000,
  maxFormerRoots: 500,
};

/** Types without state of the app, by their names without namespace or package. */
const NOISE_TYPES: readonly NamePattern[] = ['*Logger', 'ILog'];

/** True if objects of a class of this name are not shown. */
export const isNoiseType = matcherOf(NOISE_TYPES);
/** True if objects of a class of this name are secrets, and are not read. */
export const isSecretType = matcherOf(SECRET_TYPES);

/** Static fields that hold the one object of their own type. */
const SINGLETONS = list('INSTANCE Instance instance _instance sInstance theInstance SINGLETON singleton MODULE$');

/** Decides whether a type belongs to the platform, a library or the app. */
export interface Owners {
  /** First words of the names of .NET's own assemblies, in any case. The JVM knows its own classes. */
  readonly frameworks: readonly string[];
  /** Beginnings of the names of classes; first words of the names of assemblies, in any case. */
  readonly libraries: readonly string[];
  /** Types of the platform that lead to no state, or to too many objects that are none: beginnings of their names. */
  readonly deadEnds: readonly string[];
  /** Parts of the names of types that frameworks generate around others. */
  readonly proxies: readonly string[];
  /** The beginning of names that belong to the app although a library has it too; null if there is none. */
  readonly own: string | null;
}

/** The rules that depend on the platform's own names. */
export interface PlatformRules {
  readonly owners: Owners;
  /** Fields that compilers and frameworks add. */
  readonly noiseFields: readonly NamePattern[];
  /**
   * Types of the platform that move, format or translate state. Their objects are not shown, nor those of types derived
   * from them; the objects they hold may lead to state nonetheless.
   */
  readonly machinery: readonly string[];
  /** Types of the platform that consist of their fields only. */
  readonly plainData: readonly NamePattern[];
  /** Interfaces of the platform whose objects are shown; a null in a field of another interface says nothing. */
  readonly dataInterfaces: readonly NamePattern[];
  /** Immutable collections: many places share one empty object, so that no place is shown as a reference. */
  readonly sharedEmpties: readonly NamePattern[];
}

export interface WalkRules extends PlatformRules {
  readonly limits: WalkLimits;
  readonly noiseTypes: readonly NamePattern[];
  /** No object of these types is read; by their names without namespace or package. */
  readonly secretTypes: readonly NamePattern[];
  readonly singletons: readonly string[];
}

export function walkRules(platform: PlatformRules): WalkRules {
  return {
    ...platform,
    limits: WALK_LIMITS,
    noiseTypes: NOISE_TYPES,
    secretTypes: SECRET_TYPES,
    singletons: SINGLETONS,
  };
}

/** Splits lines of text into names. */
export function list(...lines: readonly string[]): readonly string[] {
  return lines.join(' ').split(' ');
}
