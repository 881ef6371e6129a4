/**
 * What a call of a method may change, proven from its code and that of everything it calls. Whatever cannot be proven is
 * unknown. Code is asked for when it is needed: most of what is unknown shows before much was looked at.
 */
import { type BodySummary, summarise } from './body-summary.ts';
import type { CodeBody, CodeFacts, MemberFacts } from './code-facts.ts';
import type { Platform } from './platform.ts';
import { LEVEL, type Level, levelSeenFrom, worst } from './value-origin.ts';

/** Pieces of code looked at for one answer. */
const MAX_LOOKS = 600;
/** All that is kept. */
const MAX_BODIES = 6000;
/** Asked for at a time. */
const MAX_ASKED = 400;

export type Effect = 'none' | 'setter' | 'own-state' | 'unknown';

interface Missing {
  readonly bodies: Set<number>;
  readonly members: Set<number>;
  readonly contracts: Set<number>;
}

export class EffectGraph {
  private readonly platform: Platform;
  private readonly members = new Map<number, MemberFacts>();
  private readonly bodies = new Map<number, CodeBody>();
  /** By type, by the name of the method. */
  private readonly contracts = new Map<number, ReadonlyMap<string, readonly number[] | null>>();
  private readonly summaries = new Map<number, BodySummary>();
  private levels: ReadonlyMap<number, Level> = new Map();

  constructor(platform: Platform) {
    this.platform = platform;
  }

  forget(): void {
    for (const all of [this.members, this.bodies, this.contracts, this.summaries]) all.clear();
    this.levels = new Map();
  }

  /** Code was loaded: other code may run where something is called, and what could not be followed may be there. */
  outdate(): void {
    for (const all of [this.members, this.contracts, this.summaries]) all.clear();
    for (const [id, { isOpaque }] of this.bodies) if (isOpaque) this.bodies.delete(id);
    this.levels = this.join();
  }

  take({ members, bodies, contracts }: CodeFacts): void {
    if (members.length + bodies.length + contracts.length === 0) return;
    for (const member of members) this.members.set(member.id, member);
    for (const body of bodies) this.bodies.set(body.id, body);
    for (const { type, methods } of contracts) this.contracts.set(type, new Map(methods));
    this.summaries.clear();
    this.levels = this.join();
  }

  /** null: more has to be known for it. `takesScalar`: its only parameter is something that the state shows whole. */
  effectOf(code: number | null, takesScalar: boolean): Effect | null {
    if (code === null) return 'unknown';
    const missing = this.missingFor(code);
    const level = missing === 'too much' ? LEVEL.unknown : this.levels.get(code);
    if (level === LEVEL.unknown) return 'unknown';
    if (level === undefined || missing === 'too much' || !isNothing(missing)) return null;
    if (level === LEVEL.none) return 'none';
    return takesScalar && this.isSetter(code) ? 'setter' : 'own-state';
  }

  /** What is to be told before these can be judged. */
  missing(codes: Iterable<number>): { [part in keyof Missing]: readonly number[] } {
    const all: Missing = { bodies: new Set(), members: new Set(), contracts: new Set() };
    for (const code of codes) {
      if (all.bodies.size + all.members.size + all.contracts.size >= MAX_ASKED) break;
      const missing = this.missingFor(code);
      if (missing === 'too much') continue;
      for (const each of missing.bodies) all.bodies.add(each);
      for (const each of missing.members) all.members.add(each);
      for (const each of missing.contracts) all.contracts.add(each);
    }
    const some = (numbers: ReadonlySet<number>) => [...numbers].slice(0, MAX_ASKED);
    return { bodies: some(all.bodies), members: some(all.members), contracts: some(all.contracts) };
  }

  private missingFor(code: number): Missing | 'too much' {
    const missing: Missing = { bodies: new Set(), members: new Set(), contracts: new Set() };
    const seen = new Set([code]);
    for (const at of seen) {
      if (seen.size > MAX_LOOKS || this.bodies.size > MAX_BODIES) return 'too much';
      if (this.levels.get(at) === LEVEL.unknown) continue;
      const summary = this.summaryOf(at);
      if (summary === null) {
        missing.bodies.add(at);
        continue;
      }
      for (const member of summary.missingMembers) missing.members.add(member);
      for (const type of summary.missingContracts) missing.contracts.add(type);
      for (const { code: next } of summary.calls) seen.add(next);
    }
    return missing;
  }

  /** A circle changes what its members change: what they do apart from it decides. */
  private join(): Map<number, Level> {
    const levels = new Map<number, Level>();
    for (const id of this.bodies.keys()) levels.set(id, this.summaryOf(id)?.own ?? LEVEL.unknown);
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const id of this.bodies.keys()) {
        const before = levels.get(id) ?? LEVEL.unknown;
        if (before === LEVEL.unknown) continue;
        let level: Level = before;
        for (const { code, receiver } of this.summaryOf(id)?.calls ?? [])
          level = worst(level, levelSeenFrom(receiver, levels.get(code) ?? LEVEL.none));
        isChanged ||= level !== before;
        levels.set(id, level);
      }
    }
    return levels;
  }

  /**
   * It puts what it is given into one field of its object, whatever is there, and does nothing else: to give it the value
   * from before, as the state showed it, undoes it.
   */
  private isSetter(code: number): boolean {
    const summary = this.summaryOf(code);
    if (summary === null || summary.setField === null || summary.ofPlatform !== LEVEL.none) return false;
    return summary.calls.every(
      ({ code: called, receiver }) => levelSeenFrom(receiver, this.levels.get(called) ?? LEVEL.unknown) === LEVEL.none,
    );
  }

  private summaryOf(id: number): BodySummary | null {
    const known = this.summaries.get(id);
    if (known !== undefined) return known;
    const body = this.bodies.get(id);
    if (body === undefined) return null;
    const summary = summarise(body, this.members, this.contracts, this.platform);
    this.summaries.set(id, summary);
    return summary;
  }
}

function isNothing({ bodies, members, contracts }: Missing): boolean {
  return bodies.size + members.size + contracts.size === 0;
}
