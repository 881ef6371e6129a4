/**
 * A build renames variables, but not properties. Confirmed names below such a variable are kept with a print of it:
 * hashes of the names below it. If the variable is gone, and another one without corrections is clearly the same by its
 * print, it gets the confirmed names. Never by values.
 */
import type { AppSchema, LabelEntry } from '../model/app-schema.ts';
import type { LeafRoot } from '../model/leaves.ts';
import { joinPath, pathPattern } from '../model/path.ts';
import { hasSecretName } from './labels.ts';
import { hashText } from './opaque.ts';

/** Nobody has confirmed that it is the same: slightly less certain than a person's correction. */
const MOVED_CONFIDENCE = 0.9;
/** The share of common names among all names of two sets. */
const ALIKE = 0.8;
/** The required distance of the best from the second. */
const AHEAD = 0.1;
/** A root with the old name is still the same one, although it may have changed much. */
const STILL_THERE = 0.5;
/** Levels of names below a root that count. */
const LEVELS = 2;
/** Hashes in a print. */
const MOST = 64;
/** The limit of names of one root: one with more is a dictionary. */
const MAX_NAMES = 1000;
/** Prints in a schema. */
const MAX_PRINTS = 50;

type RootPrint = NonNullable<AppSchema['roots']>[string];

interface Settled {
  /** Labels have moved, so the keys have to follow. */
  readonly isMoved: boolean;
  /** The schema has something new. */
  readonly isNoted: boolean;
}

const NOTHING: Settled = { isMoved: false, isNoted: false };

/** The facts about an existing root. */
interface Present {
  readonly family: string;
  readonly names: Set<string>;
  /** Computed from the names; null after new names. */
  hashes: readonly string[] | null;
  /** A confirmed key exists in it. */
  isConfirmed: boolean;
}

/** The roots of one capture of an app. More may be added later. */
export class RootPrints {
  private readonly schema: AppSchema;
  private readonly present = new Map<string, Present>();
  /** Confirmed shapes, by their root. */
  private readonly confirmed = new Map<string, string[]>();
  private readonly confirmedShapes = new Set<string>();
  private hasNews = true;
  /** Something may still be found. */
  private isOpen: boolean;

  constructor(schema: AppSchema, roots: readonly LeafRoot[]) {
    this.schema = schema;
    for (const { name, family } of roots) {
      if (family !== undefined) this.present.set(joinPath('', name), newPresent(family));
    }
    const prints = this.prints();
    if (this.present.size > 0) {
      for (const [shape, { confirmed }] of Object.entries(schema.labels)) {
        const root = confirmed ? rootOf(shape) : '';
        if (!Object.hasOwn(prints, root) && !this.present.has(root)) continue;
        const shapes = this.confirmed.get(root);
        if (shapes) shapes.push(shape);
        else this.confirmed.set(root, [shape]);
        this.confirmedShapes.add(shape);
      }
    }
    this.isOpen = this.confirmed.size > 0;
  }

  /** False if leaves need not be checked. */
  get isWanted(): boolean {
    return this.isOpen;
  }

  /** Called for each leaf. */
  note(rawPath: string): void {
    const root = rootOf(rawPath);
    const known = this.present.get(root);
    if (!known) return;
    if (!known.isConfirmed && this.confirmed.has(root) && this.isConfirmedPath(rawPath)) {
      known.isConfirmed = true;
      this.hasNews = true;
    }
    if (known.names.size < MAX_NAMES && addNames(known.names, rawPath, root.length)) {
      known.hashes = null;
      this.hasNews = true;
    }
  }

  /** Applies the results to the schema: with the last of its steps, all at once. */
  *settle(): Generator<void, Settled, void> {
    if (!this.hasNews || !this.isOpen) return NOTHING;
    const { schema_version } = this.schema;
    for (const known of this.present.values()) {
      if (known.hashes === null) yield;
      hashesOf(known);
    }
    const moves = yield* this.choose(this.lost());
    // A person has corrected something meanwhile, so it starts anew.
    if (schema_version !== this.schema.schema_version) return NOTHING;
    this.hasNews = false;
    const isNoted = this.takePrints();
    if (moves.size > 0) this.move(moves);
    const prints = this.prints();
    this.isOpen = [...this.confirmed.keys()].some((root) => !Object.hasOwn(prints, root)) || this.lost().length > 0;
    return { isMoved: moves.size > 0, isNoted: isNoted || moves.size > 0 };
  }

  private isConfirmedPath(rawPath: string): boolean {
    return this.confirmedShapes.has(rawPath) || this.confirmedShapes.has(pathPattern(rawPath));
  }

  private prints(): Record<string, RootPrint> {
    return this.schema.roots ?? {};
  }

  /** If two look alike, they could not be distinguished later: then there is no print. */
  private takePrints(): boolean {
    const taken: [string, RootPrint][] = [];
    for (const root of this.confirmed.keys()) {
      const own = this.present.get(root);
      if (!own?.isConfirmed || Object.hasOwn(this.prints(), root)) continue;
      const names = hashesOf(own);
      if (names.length < 2 || !isTelling(own.names)) continue;
      const isOneOfTwo = [...this.present].some(
        ([other, known]) =>
          other !== root && known.family === own.family && similarity(names, hashesOf(known)) > ALIKE - AHEAD,
      );
      if (!isOneOfTwo) taken.push([root, { family: own.family, names: [...names] }]);
    }
    const kept = Object.entries(this.prints()).filter(([root]) => this.confirmed.has(root));
    const fitting = taken.slice(0, Math.max(0, MAX_PRINTS - kept.length));
    if (fitting.length > 0) this.setPrints([...kept, ...fitting]);
    return fitting.length > 0;
  }

  private setPrints(prints: Iterable<readonly [string, RootPrint]>): void {
    const roots: Record<string, RootPrint> = Object.create(null);
    for (const [root, print] of prints) roots[root] = print;
    this.schema.roots = roots;
  }

  /** Roots of absent places, such as another site, are not lost. */
  private lost(): [string, RootPrint][] {
    const families = new Set([...this.present.values()].map(({ family }) => family));
    return Object.entries(this.prints()).filter(([root, { family, names }]) => {
      const now = this.present.get(root);
      if (!this.confirmed.has(root) || !families.has(family)) return false;
      return now?.family !== family || similarity(names, hashesOf(now)) < STILL_THERE;
    });
  }

  /** The new root of each lost one, if it is clear from both sides. */
  private *choose(lost: readonly [string, RootPrint][]): Generator<void, Map<string, string>, void> {
    const lostRoots = new Set(lost.map(([root]) => root));
    const free = [...this.present].filter(([root]) => !this.confirmed.has(root) || lostRoots.has(root));
    const likeness = ([, { family, names }]: [string, RootPrint], [, known]: [string, Present]) =>
      known.family === family ? similarity(names, hashesOf(known)) : 0;
    const moves = new Map<string, string>();
    for (const one of lost) {
      yield;
      const target = clearlyBest(free, (candidate) => likeness(one, candidate));
      if (target && clearlyBest(lost, (other) => likeness(other, target)) === one) moves.set(one[0], target[0]);
    }
    // A root that keeps its own labels has no room for those of another.
    for (let isStable = false; !isStable; ) {
      isStable = true;
      for (const [from, to] of moves) {
        if (!this.confirmed.has(to) || moves.has(to)) continue;
        moves.delete(from);
        isStable = false;
      }
    }
    return moves;
  }

  private move(moves: ReadonlyMap<string, string>): void {
    const { labels } = this.schema;
    const entries: [string, LabelEntry][] = [];
    const prints = new Map(Object.entries(this.prints()));
    const shapes = new Map([...moves.keys()].map((from) => [from, this.confirmed.get(from) ?? []]));
    for (const [from, to] of moves) {
      prints.delete(from);
      this.confirmed.delete(from);
      for (const shape of shapes.get(from) ?? []) {
        const entry = labels[shape];
        delete labels[shape];
        if (entry?.confirmed) entries.push(movedTo(to + shape.slice(from.length), shape, entry));
      }
    }
    for (const [shape, entry] of entries) labels[shape] = entry;
    for (const [from, to] of moves) {
      const known = this.present.get(to);
      if (known) prints.set(to, { family: known.family, names: [...hashesOf(known)] });
      this.confirmed.set(
        to,
        (shapes.get(from) ?? []).map((shape) => to + shape.slice(from.length)),
      );
    }
    this.setPrints(prints);
  }
}

function movedTo(path: string, from: string, { moved, ...entry }: LabelEntry): [path: string, LabelEntry] {
  const first = moved ?? { from, confidence: entry.confidence };
  // Back at its original place: the earlier build runs again.
  if (first.from === path) return [path, { ...entry, confidence: first.confidence }];
  return [path, { ...entry, confidence: Math.min(entry.confidence, MOVED_CONFIDENCE), moved: first }];
}

function newPresent(family: string): Present {
  return { family, names: new Set(), hashes: null, isConfirmed: false };
}

/** The first segment of a path, as it is written there. */
function rootOf(path: string): string {
  return /^(?:\["(?:[^"\\]|\\.)*"\]|[^.[]+)/s.exec(path)?.[0] ?? path;
}

/** A quoted name may be made of data. */
const STEP = /\.([A-Za-z_$][\w$]*)|\[\d+\]/y;

/** Returns true if one of them is new. */
function addNames(names: Set<string>, path: string, from: number): boolean {
  const before = names.size;
  STEP.lastIndex = from;
  for (let level = 0; level < LEVELS; ) {
    const step = STEP.exec(path);
    if (step === null) break;
    if (step[1] === undefined) continue;
    level++;
    names.add(pathPattern(path.slice(from, STEP.lastIndex)));
  }
  return names.size > before;
}

/** Names of one or two letters may be a minifier's, and a single name proves nothing. */
function isTelling(names: ReadonlySet<string>): boolean {
  return [...names].some((name) => /\w{3}$/.test(name) && !/\.(?:length|size)$/.test(name));
}

/** The lowest ones, in order: their similarity is that of the large sets. */
function hashesOf(known: Present): readonly string[] {
  known.hashes ??= [...known.names]
    .filter((name) => !hasSecretName(name.replace(/^\./, '')))
    .map(hashText)
    .sort()
    .slice(0, MOST);
  return known.hashes;
}

/** From 0 to 1, over the lowest hashes of both together. */
export function similarity(one: readonly string[], other: readonly string[]): number {
  let [at, otherAt, both, all] = [0, 0, 0, 0];
  while ((at < one.length || otherAt < other.length) && all < MOST) {
    const [left, right] = [one[at], other[otherAt]];
    all++;
    if (left === right) both++;
    const isLeftNext = right === undefined || (left !== undefined && left <= right);
    const isRightNext = left === undefined || (right !== undefined && right <= left);
    if (isLeftNext) at++;
    if (isRightNext) otherAt++;
  }
  return all === 0 ? 0 : both / all;
}

/** Null if none is similar, or if two are about equally so. */
function clearlyBest<Item>(items: readonly Item[], likeness: (item: Item) => number): Item | null {
  let [best, most, second]: [Item | null, number, number] = [null, 0, 0];
  for (const item of items) {
    const score = likeness(item);
    if (score > most) [best, most, second] = [item, score, most];
    else if (score > second) second = score;
  }
  return most >= ALIKE && most - second >= AHEAD ? best : null;
}
