/** Chooses which of the methods that could be called are shown, and in which order. */
import type { RawAction, RawParameter } from '../../../model/raw-action.ts';
import type { KnownMethod, KnownType } from './known-method.ts';
import type { Place } from './method-facts.ts';
import { joinParameters } from './method-parameters.ts';
import type { ShapePath } from './shape-path.ts';

export const SCHEME = 'method:';

export function bindingOf(shape: string, method: string): string {
  return `${SCHEME}${shape}#${method}`;
}
const MAX_ACTIONS = 300;
/** Minor methods are shown only if there are fewer others than this. */
const MAX_WITH_MINOR = 60;
/** Each type may show this many actions before it gives way to others. */
const SHARE = 24;
/** The same method of a type is minor after this many places. */
const MAX_PLACES = 3;
/** Deeper objects are about how the program works, not what it is for. */
const MAX_DEPTH = 4;
const STATIC = 2;
const MINOR = 1_000_000;
const MAX_DESCRIPTION = 1000;

/** A method that can be called, as it is described to callers. */
export interface OfferedMethod {
  readonly type: KnownType;
  readonly facts: KnownMethod;
  /** `addItem`, or `setTitle` for a property. */
  readonly name: string;
  readonly parameters: readonly RawParameter[];
  /** `addItem(String sku, int quantity) -> int`. */
  readonly signature: string;
  readonly isMinor: boolean;
}

/** All overloads of one name at one place. */
export interface Candidate {
  readonly place: Place;
  readonly path: ShapePath;
  readonly name: string;
  readonly methods: OfferedMethod[];
}

/** The most useful first. A type that occurs in many places gives way to others, but all room is used. */
export function chooseCandidates(all: readonly Candidate[]): Candidate[] {
  const { first, waiting, minor } = sorted(by(nearest(all), rankOf));
  const useful = [...first, ...waiting];
  if (useful.length > MAX_ACTIONS) return useful.slice(0, MAX_ACTIONS);
  return [...useful, ...minor.slice(0, Math.max(0, MAX_WITH_MINOR - useful.length))];
}

/** Methods farther away than this many others are dropped; objects come before static helpers. */
function nearest(all: readonly Candidate[]): readonly Candidate[] {
  const ordered = by(
    all,
    (candidate) => nearness(candidate) + (candidate.place.isStatic ? STATIC : 0) + minority(candidate.path),
  );
  const { ends } = sorted(ordered);
  const last = ordered[(ends ?? 0) - 1]?.place;
  return ends === null ? ordered : ordered.filter(({ place }, at) => at < ends || place === last);
}

/** `ends`: the number of candidates after which `first` is full; null if it never is. */
function sorted(ordered: readonly Candidate[]) {
  const first: Candidate[] = [];
  const waiting: Candidate[] = [];
  const minor: Candidate[] = [];
  let ends: number | null = null;
  const counts = new Map<string | number, number>();
  const count = (what: string | number): number => {
    const now = (counts.get(what) ?? 0) + 1;
    counts.set(what, now);
    return now;
  };
  for (const [at, candidate] of ordered.entries()) {
    const type = candidate.methods[0]?.type.id ?? 0;
    if (isMinor(candidate) || count(`${type} ${candidate.name}`) > MAX_PLACES) minor.push(candidate);
    else (count(type) <= SHARE ? first : waiting).push(candidate);
    if (ends === null && first.length >= MAX_ACTIONS) ends = at + 1;
  }
  return { first, waiting, minor, ends };
}

function by(candidates: readonly Candidate[], rank: (candidate: Candidate) => number): readonly Candidate[] {
  const ranked = candidates.map((candidate) => ({ candidate, rank: rank(candidate) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}

/** The lower, the more useful: verbs of near objects first, then setters, then reads. */
function rankOf(candidate: Candidate): number {
  const { methods } = candidate;
  const isRead = methods.every(({ name }) => /^(?:[Gg]et|[Ii]s|[Hh]as)(?![a-z])/.test(name));
  const isSetter = methods.every(({ name, parameters }) => /^[Ss]et(?![a-z])/.test(name) && parameters.length === 1);
  return nearness(candidate) + (isRead ? 2 : isSetter ? 1 : 0) + (isMinor(candidate) ? MINOR : 0);
}

/** An element is as near as its list or map. Objects that hold much are what the program is about. */
function nearness({ path, place }: Candidate): number {
  return Math.max(1, path.depth - path.gaps.length - (place.isLarge && !place.isStatic ? 1 : 0));
}

function minority({ depth, isConstant }: ShapePath): number {
  return depth > MAX_DEPTH || isConstant ? MINOR : 0;
}

/** Minor by itself, or because of its place. */
function isMinor({ path, methods }: Candidate): boolean {
  return minority(path) > 0 || methods.every((method) => method.isMinor);
}

/** `gaps`: the parameters for the place. */
export function describeCandidate(
  { place, path, name, methods }: Candidate,
  gaps: readonly RawParameter[],
  effect: RawAction['effect'],
): RawAction {
  const own = methods.map(({ parameters }) =>
    parameters.map((parameter) => ({ ...parameter, name: path.nameFor(parameter.name) })),
  );
  const returns = new Set(methods.map(({ facts }) => facts.returns.json));
  const [only] = returns;
  return {
    binding: bindingOf(place.shape, name),
    name: path.nameOf(name),
    parameters: [...gaps, ...joinParameters(own)],
    returns: returns.size === 1 && only !== undefined ? only : 'unknown',
    effect,
    description: descriptionOf(place, name, methods),
  };
}

function descriptionOf({ shape, isStatic }: Place, name: string, methods: readonly OfferedMethod[]): string {
  const [first] = methods;
  if (first === undefined) return '';
  const { type, facts } = first;
  const what = facts.flags.includes('property')
    ? `Sets the ${isStatic ? 'static ' : ''}property ${facts.name}`
    : `${isStatic ? 'Static method' : 'Method'} ${name}`;
  const inside = type.package === '' ? '' : ` (${type.package})`;
  const signatures = [...new Set(methods.map(({ signature }) => signature))].join('; ');
  const text = `${what} of ${type.name}${inside} on ${shape}: ${signatures}`;
  return `${text.length > MAX_DESCRIPTION ? `${text.slice(0, MAX_DESCRIPTION)}…` : text}.`;
}

/** A call returns nothing, throws nothing, and cannot be awaited. */
export function bringsNothing({ methods }: Candidate): boolean {
  return methods.every(({ facts }) => facts.returns.text === 'void' && !facts.flags.includes('throws'));
}
