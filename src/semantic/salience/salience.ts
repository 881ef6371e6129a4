/**
 * Decides which keys of one app matter, and how much: evidence is gathered as leaves are added, changed and removed,
 * and weighed by pattern on demand. All elements of a list have one score. A key that was shown once stays shown while
 * it exists.
 */
import type { Scalar } from '../../model/scalar.ts';
import { CONSTANT_ORIGIN, isPresentation, LIVE_ORIGIN, nameWords } from './evidence.ts';
import { isHandle, isWrittenDown, kindOf, MILLION, measure, noteName, otherHalf, saysNothing } from './kinds.ts';
import {
  type Area,
  addTo,
  forgetNames,
  isBetter,
  isGood,
  isMap,
  isMostlyNoise,
  isOfProgram,
  isRow,
  isTable,
  type Kind,
  newParent,
  noPart,
  noSums,
  type Parent,
  type Pattern,
  type Root,
  SMALL_TABLE,
  type Sums,
  tableLimit,
} from './places.ts';
import { FLOOR, kindsOfNames, OWN, originScore, type PatternFacts, scoreOf, WEAK } from './score.ts';
import { count, isOwnName, sampleOf, siblingOf, stepsOf } from './values.ts';

/** The facts about a new leaf. */
export interface NewLeaf {
  readonly origin: string;
  readonly value: Scalar;
  /** The confidence of its name. */
  readonly confidence: number;
  readonly isOpaque: boolean;
  /** The probe reports it as a constant. */
  readonly isConstant?: boolean;
}

/** The amount of each kind, weighed. */
export interface Found extends Readonly<Pick<Sums, 'kinds' | 'changed' | 'screen' | 'held' | 'meaningful'>> {
  /** The confidence of shown names, without constants; null if there are none. */
  readonly names: number | null;
  /** Number of all keys, shown or not. */
  readonly keys: number;
}

const SHORTEST_ID = 5;
const LONGEST_LABEL = 40;
const ID_MARK = /[\d@_-]/;
const ID = /^(?=.*[\d@_-])[\w@.+-]*[a-z][\w@.+-]*$/i;
const HUGE_ROOT = 3000;
const LONG_LIST = 100;
/** Fewer may be alike by chance. */
const MANY = 8;
/** Patterns that are remembered after their last leaf was removed, because removals are reported, too. */
const MAX_GONE = 20_000;
const MAX_ALIKE = 16;
const FEW_PATTERNS = 200;
/** The rounding error of sums after everything was subtracted. */
const LEAST_WEIGHT = 1e-9;
/** Patterns per step. */
const STEP = 64;
/** Text by people; names in programs are often in capitals. */
const SENTENCE = /\p{L}\p{Ll}/u;

/** Below it each frame of a page has a screen and objects of its own. */
const FRAMES = 'frames';

function rootName(steps: readonly string[]): string {
  return steps[0] === FRAMES ? steps.slice(0, 3).join('.') : (steps[0] ?? '');
}

export class Salience {
  /** Raised when hidden keys become shown without a change of their own. */
  shownVersion = 0;
  private readonly patterns = new Map<string, Pattern>();
  private hasFrameScreen = false;
  private readonly roots = new Map<string, Root>();
  private readonly parents = new Map<string, Parent>();
  private readonly areas = new Map<string, Area>();
  private readonly screenTexts = new Map<string, number>();
  /** Words of short texts on the screen: people's names for things. */
  private readonly screenWords = new Map<string, number>();
  /** By their value: the same value at several places. */
  private readonly samples = new Map<string, Pattern[]>();
  /** Number of roots with state of the app, besides the screen. */
  private goodRoots = 0;
  /** Patterns of all other roots. */
  private weakPatterns = 0;
  /** Patterns without a leaf. */
  private gone = 0;
  private leaves = 0;
  private clock = 1;
  private readonly sums: Sums = noSums();
  /** Patterns whose contribution to the sums may have changed. */
  private readonly stale = new Set<Pattern>();
  /** Something that many patterns depend on has changed. */
  private isAllStale = false;

  add(name: string, leaf: NewLeaf): void {
    const pattern = this.patterns.get(name) ?? this.begin(name, leaf);
    if (pattern.count++ === 0 && pattern.wasThere) this.gone--;
    if (pattern.count === LONG_LIST || pattern.count === MANY) pattern.scoredAt = 0;
    this.noteVaried(pattern, leaf.value);
    if (pattern.count === 1) this.notePair(name, pattern, leaf.value);
    pattern.wasThere = true;
    pattern.confidence += millionths(leaf.confidence);
    this.leaves++;
    this.stale.add(pattern);
    if (++pattern.root.leaves === HUGE_ROOT) pattern.root.changedAt = this.nextTime();
    this.note(pattern, leaf.value, 1);
  }

  remove(name: string, value: Scalar, confidence: number): void {
    const pattern = this.patterns.get(name);
    if (!pattern) return;
    if (--pattern.count === 0) this.gone++;
    pattern.confidence -= millionths(confidence);
    pattern.root.leaves--;
    this.leaves--;
    this.stale.add(pattern);
    this.note(pattern, value, -1);
    if (this.gone > MAX_GONE) this.forgetGone();
  }

  change(name: string, before: Scalar, after: Scalar): void {
    const pattern = this.patterns.get(name);
    if (!pattern) return;
    this.noteVaried(pattern, after);
    if (pattern.root.isScreen) {
      this.note(pattern, before, -1);
      this.note(pattern, after, 1);
    }
    if (!pattern.hasChanged) this.noteFirstChange(pattern);
  }

  /** From 0 to 1; 0 for an unknown pattern. */
  of(name: string): number {
    const pattern = this.patterns.get(name);
    return pattern ? this.scoreOf(pattern) : 0;
  }

  /** The rank of its root, so that its keys stay together. */
  rankOf(name: string): number {
    return this.patterns.get(name)?.root.best ?? 0;
  }

  /** True if this first step is the content of a window or a page. */
  isScreen(step: string): boolean {
    return this.roots.get(step)?.isScreen ?? (step === FRAMES && this.hasFrameScreen);
  }

  isShown(name: string): boolean {
    const pattern = this.patterns.get(name);
    return pattern ? this.isPatternShown(pattern) : false;
  }

  /** The amounts by kind, and the weighed confidence of the names, or null. */
  found(): Found {
    this.sumUp();
    const { weight, confidence, ...sums } = this.sums;
    return { ...sums, names: weight < LEAST_WEIGHT ? null : confidence / weight, keys: this.leaves };
  }

  /** The number of shown keys. */
  shownKeys(): number {
    this.sumUp();
    return this.sums.keys;
  }

  /** After all leaves were read anew: takes over the knowledge about the same patterns, and scores all, in steps. */
  *settling(before: Salience): Generator<void, void, void> {
    let count = 0;
    for (const [name, known] of before.patterns) {
      if (++count % STEP === 0) yield;
      const pattern = this.patterns.get(name);
      if (pattern) {
        pattern.wasShown ||= known.wasShown;
        if (known.hasChanged) this.noteFirstChange(pattern);
        // A recently removed one is reported, if it was shown.
      } else if (this.gone < MAX_GONE && before.isShown(name)) {
        this.patterns.set(name, { ...known, count: 0, confidence: 0, part: noPart() });
        this.gone++;
      }
    }
    for (const pattern of this.patterns.values()) {
      this.isPatternShown(pattern);
      if (++count % STEP === 0) yield;
    }
    this.shownVersion = before.shownVersion + 1;
  }

  private noteVaried(pattern: Pattern, value: Scalar): void {
    if (pattern.first === undefined) pattern.first = value;
    else if (!pattern.isVaried && pattern.first !== value) {
      pattern.isVaried = true;
      pattern.scoredAt = 0;
    }
  }

  private begin(name: string, { origin, value, isOpaque, isConstant = false }: NewLeaf): Pattern {
    const steps = stepsOf(name);
    const root = this.rootOf(rootName(steps), origin);
    const parent = this.parentOf(steps, root);
    const pattern: Pattern = {
      steps,
      root,
      parent,
      area: this.areaOf(steps, root),
      isOpaque,
      ...kindsOfNames(steps),
      isOwnName: false,
      isReported: isConstant,
      isPaired: false,
      hasValue: false,
      first: undefined,
      isVaried: false,
      wasThere: false,
      count: 0,
      confidence: 0,
      hasChanged: false,
      wasShown: false,
      wasHidden: false,
      sample: null,
      score: 0,
      scoredAt: 0,
      part: noPart(),
    };
    this.patterns.set(name, pattern);
    if (pattern.root.originScore < OWN) this.weakPatterns++;
    const wasWrittenDown = isWrittenDown(parent);
    noteName(parent, steps.at(-1) ?? '', value);
    if (parent.names === parent.limit || isWrittenDown(parent) !== wasWrittenDown) parent.changedAt = this.nextTime();
    return pattern;
  }

  private rootOf(name: string, origin: string): Root {
    let root = this.roots.get(name);
    if (!root) {
      const score = originScore(origin);
      root = {
        originScore: score,
        isScreen: score === 1,
        isLive: LIVE_ORIGIN.test(origin),
        isConstant: CONSTANT_ORIGIN.test(origin),
        leaves: 0,
        areas: 0,
        hits: 0,
        best: 0,
        hasChanged: false,
        changedAt: 0,
      };
      this.roots.set(name, root);
      if (root.isScreen && name.startsWith(FRAMES)) this.hasFrameScreen = true;
      if (isGood(root)) this.goodRoots++;
    }
    return root;
  }

  private parentOf(steps: readonly string[], root: Root): Parent {
    const name = steps.slice(0, -1).join('\0');
    let parent = this.parents.get(name);
    if (!parent) {
      parent = newParent(tableLimit(steps, root));
      this.parents.set(name, parent);
    }
    return parent;
  }

  private areaOf(steps: readonly string[], root: Root): Area {
    const name = `${steps[0]}\0${steps[1] ?? ''}`;
    let area = this.areas.get(name);
    if (!area) {
      area = { patterns: 0, noise: 0, changedAt: 0 };
      if (++root.areas === SMALL_TABLE && root.originScore < WEAK) root.changedAt = this.nextTime();
      this.areas.set(name, area);
    }
    const before = isMostlyNoise(area);
    area.patterns++;
    if (steps.some(saysNothing)) area.noise++;
    if (isMostlyNoise(area) !== before) area.changedAt = this.nextTime();
    return area;
  }

  private noteFirstChange(pattern: Pattern): void {
    const { root, parent } = pattern;
    pattern.hasChanged = true;
    pattern.scoredAt = 0;
    this.stale.add(pattern);
    // Only in these the other patterns depend on it.
    const isAlike = parent.names >= parent.limit || isWrittenDown(parent);
    if (!parent.hasChanged && isAlike) parent.changedAt = this.nextTime();
    if (!root.hasChanged && root.leaves >= HUGE_ROOT) root.changedAt = this.nextTime();
    parent.hasChanged = true;
    root.hasChanged = true;
  }

  private nextTime(): number {
    this.isAllStale = true;
    return ++this.clock;
  }

  private sumUp(): void {
    for (const pattern of this.isAllStale ? this.patterns.values() : this.stale) {
      const { count, root } = pattern;
      addTo(this.sums, pattern.part, -1);
      this.measure(pattern);
      addTo(this.sums, pattern.part, 1);
      if (count > 0 && pattern.wasShown) root.best = Math.max(root.best, pattern.score);
    }
    this.stale.clear();
    this.isAllStale = false;
  }

  private measure(pattern: Pattern): void {
    if (pattern.count <= 0) Object.assign(pattern.part, noPart());
    else measure(pattern, this.kindOf(pattern), this.isPatternShown(pattern) ? this.scoreOf(pattern) : null);
  }

  /** The kind of its value; null for an unknown pattern. */
  kind(name: string): Kind | null {
    const pattern = this.patterns.get(name);
    return pattern ? this.kindOf(pattern) : null;
  }

  private kindOf(pattern: Pattern): Kind {
    const { sample } = pattern;
    const isOnScreen = sample !== null && this.screenTexts.has(sample);
    return kindOf(pattern, this.isPatternShown(pattern), isOnScreen);
  }

  /** Enumerations of TypeScript have entries in both directions. */
  private notePair(name: string, pattern: Pattern, value: Scalar): void {
    const { steps, parent } = pattern;
    const last = steps.at(-1) ?? '';
    if (steps.length < 2 || last === '*') return;
    // Most objects have no names that are numbers: then there is nothing to search.
    const other = parent.numbers === 0 ? null : otherHalf(last, value);
    if (other === null) return;
    const partner = this.patterns.get(siblingOf(name, last, other.name));
    if (!partner || partner === pattern || partner.first !== other.value) return;
    for (const half of [pattern, partner]) {
      half.isPaired = true;
      half.scoredAt = 0;
      this.stale.add(half);
    }
  }

  private isPatternShown(pattern: Pattern): boolean {
    if (pattern.wasShown) return true;
    pattern.wasShown = this.scoreOf(pattern) >= FLOOR;
    if (pattern.wasShown && pattern.wasHidden) this.shownVersion++;
    pattern.wasHidden = !pattern.wasShown;
    return pattern.wasShown;
  }

  /** Texts of the screen are counted; one sample of other patterns is kept. */
  private note(pattern: Pattern, value: Scalar, by: 1 | -1): void {
    if (by === 1 && value) pattern.hasValue = true;
    if (by === 1 && !pattern.parent.holdsHandle && isHandle(value)) {
      pattern.parent.holdsHandle = true;
      this.isAllStale = true;
    }
    const text = sampleOf(value);
    if (text === null) return;
    if (pattern.root.isScreen) this.noteScreen(text, by);
    else if (by === 1 && pattern.sample === null) this.noteSample(pattern, text);
  }

  /** Ids and addresses are recognised anywhere, whatever is beside them. */
  private noteScreen(text: string, by: 1 | -1): void {
    this.noteScreenText(text, by);
    if (text.length <= LONGEST_LABEL) for (const word of nameWords(text)) count(this.screenWords, word, by);
    if (!ID_MARK.test(text)) return;
    for (const word of text.split(/[\s,;()]+/)) {
      if (word !== text && word.length >= SHORTEST_ID && ID.test(word)) this.noteScreenText(word, by);
    }
  }

  private noteScreenText(text: string, by: 1 | -1): void {
    if (count(this.screenTexts, text, by) !== 1 || by !== 1) return;
    for (const pattern of this.samples.get(text) ?? []) this.noteHit(pattern);
  }

  private noteSample(pattern: Pattern, text: string): void {
    pattern.sample = text;
    pattern.isOwnName = isOwnName(pattern.steps, text);
    pattern.scoredAt = 0;
    const alike = this.samples.get(text);
    // A word that occurs everywhere means nothing.
    if (alike && alike.length < MAX_ALIKE) alike.push(pattern);
    else if (!alike) this.samples.set(text, [pattern]);
    if (this.screenTexts.has(text)) this.noteHit(pattern);
  }

  /** A value of the pattern is on the screen. */
  private noteHit(pattern: Pattern): void {
    pattern.scoredAt = 0;
    this.stale.add(pattern);
    if (pattern.root.hits++ === 0) pattern.root.changedAt = this.nextTime();
  }

  private scoreOf(pattern: Pattern): number {
    const { scoredAt, parent, root, area } = pattern;
    if (scoredAt < Math.max(1, parent.changedAt, root.changedAt, area.changedAt)) {
      pattern.score = scoreOf(this.factsOf(pattern));
      pattern.scoredAt = this.clock;
    }
    return pattern.score;
  }

  private factsOf(pattern: Pattern): PatternFacts {
    const { steps, root, parent, area, isOpaque, hasChanged, hasValue, sample } = pattern;
    return {
      steps,
      originScore: root.originScore,
      isOpaque,
      hasChanged,
      isOnScreen: sample !== null && this.screenTexts.has(sample),
      isNamedOnScreen: steps.slice(-2).some((step) => this.isNamedOnScreen(step)),
      isInTable: isTable(steps, parent) || isMap(root),
      isInHugeRoot: root.leaves >= HUGE_ROOT && !root.hasChanged,
      isLongConstant: pattern.count >= LONG_LIST && steps.at(-1) === '*' && !hasChanged,
      isCopy: sample !== null && this.hasBetterPlace(pattern, sample),
      isPresentation: sample !== null && isPresentation(sample),
      isBestThereIs: root.originScore < OWN && this.goodRoots === 0 && this.hasEvidence(root),
      isAmongNoise: isMostlyNoise(area),
      isEmpty: !hasValue,
      isUniform: pattern.count >= MANY && !pattern.isVaried && !hasChanged,
      isOwnName: pattern.isOwnName,
      isOfProgram: isOfProgram(root),
      isConstant: pattern.isReported && !hasChanged,
      isPaired: pattern.isPaired && !hasChanged,
      isRow: isOfProgram(root) && sample !== null && isRow(steps) && SENTENCE.test(sample),
    };
  }

  private isNamedOnScreen(step: string): boolean {
    return this.screenWords.size > 0 && nameWords(step).some((word) => this.screenWords.has(word));
  }

  /** If there is little, all of it may matter. */
  private hasEvidence({ hits, hasChanged }: Root): boolean {
    return hits > 0 || hasChanged || this.weakPatterns < FEW_PATTERNS;
  }

  private hasBetterPlace(pattern: Pattern, sample: string): boolean {
    const name = pattern.steps.at(-1);
    return (this.samples.get(sample) ?? []).some(
      (other) => other !== pattern && other.count > 0 && other.steps.at(-1) === name && isBetter(other, pattern),
    );
  }

  /** Drops removed patterns, because apps may have ever new names. */
  private forgetGone(): void {
    this.gone = 0;
    this.weakPatterns = 0;
    for (const parent of this.parents.values()) forgetNames(parent);
    for (const area of this.areas.values()) Object.assign(area, { patterns: 0, noise: 0 });
    for (const [name, pattern] of this.patterns) {
      const { count, root, parent, area, steps } = pattern;
      if (count <= 0) {
        this.patterns.delete(name);
        this.stale.delete(pattern);
        addTo(this.sums, pattern.part, -1);
        continue;
      }
      noteName(parent, steps.at(-1) ?? '', pattern.first ?? null);
      area.patterns++;
      if (steps.some(saysNothing)) area.noise++;
      if (root.originScore < OWN) this.weakPatterns++;
    }
    for (const [name, { names }] of this.parents) if (names === 0) this.parents.delete(name);
    for (const [name, { patterns }] of this.areas) if (patterns === 0) this.areas.delete(name);
    for (const [name, { leaves }] of this.roots) if (leaves <= 0) this.roots.delete(name);
    this.goodRoots = [...this.roots.values()].filter(isGood).length;
    for (const [text, alike] of this.samples) {
      const left = alike.filter(({ count }) => count > 0);
      if (left.length === 0) this.samples.delete(text);
      else this.samples.set(text, left);
    }
  }
}

function millionths(confidence: number): number {
  return Math.round(confidence * MILLION);
}
