/**
 * Finds out what a call of a method may change, proven from its code and all code that it calls. Anything that cannot
 * be proven is unknown. Code is asked for only when it is needed, since most unknown effects show early.
 */
import type { CodeEffect } from '../../../model/raw-action.ts';
import { type BodySummary, NOTHING, summarise } from './body-summary.ts';
import type { CodeBody, CodeFacts, Instructions, MemberFacts } from './code-facts.ts';
import { UnfollowableError } from './instruction-set.ts';
import type { Platform } from './platform.ts';
import { LEVEL, type Level, levelSeenFrom, type Origin, worst } from './value-origin.ts';

/** The limit of code to ask for; the rest stays unknown. */
const MAX_BODIES = 3000;
/** The limit of one question. */
const MAX_ASKED = 400;

const OPAQUE = { isOpaque: true, writes: [], reads: [], calls: [], handled: [], initialisers: [] };

interface Missing {
  readonly bodies: Set<number>;
  readonly members: Set<number>;
  readonly contracts: Set<number>;
}

export class EffectGraph {
  private readonly platform: Platform;
  private readonly members = new Map<number, MemberFacts>();
  /** Code that is not followed yet. */
  private readonly instructions = new Map<number, Instructions>();
  private readonly bodies = new Map<number, CodeBody>();
  /** By type, then by the name of the method. */
  private readonly contracts = new Map<number, ReadonlyMap<string, readonly number[] | null>>();
  private readonly summaries = new Map<number, BodySummary>();
  private levels: ReadonlyMap<number, Level> = new Map();
  /** Code that more facts are needed for. */
  private open: ReadonlySet<number> = new Set();

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** The number of facts it holds. */
  get size(): number {
    return this.members.size + this.instructions.size + this.bodies.size + this.contracts.size;
  }

  forget(): void {
    for (const all of [this.members, this.instructions, this.bodies, this.contracts, this.summaries]) all.clear();
    this.join();
  }

  /** To be called after code was loaded: calls may run other code, and code that could not be read may be readable. */
  outdate(): void {
    for (const all of [this.members, this.contracts, this.summaries]) all.clear();
    for (const [id, { isOpaque }] of this.bodies) if (isOpaque) this.bodies.delete(id);
    this.join();
  }

  take({ members, bodies, contracts }: CodeFacts): void {
    if (members.length + bodies.length + contracts.length === 0) return;
    for (const member of members) this.members.set(member.id, member);
    for (const code of bodies) this.instructions.set(code.id, code);
    for (const { type, methods } of contracts) this.contracts.set(type, new Map(methods));
    for (const [id, { missingMembers, missingContracts }] of this.summaries)
      if (missingMembers.length + missingContracts.length > 0) this.summaries.delete(id);
    for (const { id } of bodies) for (const all of [this.bodies, this.summaries]) all.delete(id);
    this.join();
  }

  /** Null if more facts are needed. `takesScalar`: its only parameter is a value that the state shows completely. */
  effectOf(code: number | null, takesScalar: boolean): CodeEffect | null {
    if (code === null) return 'unknown';
    const level = this.levels.get(code);
    if (level === LEVEL.unknown) return 'unknown';
    if (level === undefined || this.open.has(code))
      return this.instructions.size + this.bodies.size < MAX_BODIES ? null : 'unknown';
    if (level === LEVEL.none) return 'none';
    return takesScalar && this.isSetter(code) ? 'setter' : 'own-state';
  }

  /** The facts that are needed to judge these. */
  missing(codes: Iterable<number>): { [part in keyof Missing]: readonly number[] } {
    const missing: Missing = { bodies: new Set(), members: new Set(), contracts: new Set() };
    const seen = new Set(codes);
    for (const at of seen) {
      if (missing.bodies.size + missing.members.size + missing.contracts.size >= MAX_ASKED) break;
      if (this.levels.get(at) === LEVEL.unknown) continue;
      const summary = this.summaryOf(at);
      if (summary === null) missing.bodies.add(at);
      for (const member of summary?.missingMembers ?? []) missing.members.add(member);
      for (const type of summary?.missingContracts ?? []) missing.contracts.add(type);
      for (const { code } of summary?.calls ?? []) seen.add(code);
    }
    const some = (numbers: ReadonlySet<number>) => [...numbers].slice(0, MAX_ASKED);
    return { bodies: some(missing.bodies), members: some(missing.members), contracts: some(missing.contracts) };
  }

  /** Spreads effects from callees to callers. A circle of calls has the effects of all its members. */
  private join(): void {
    const levels = new Map<number, Level>();
    const callers = new Map<number, { code: number; receiver: Origin }[]>();
    const open = new Set<number>();
    for (const id of [...this.instructions.keys(), ...this.bodies.keys()]) {
      const summary = this.summaryOf(id);
      if (summary === null) continue;
      levels.set(id, summary.own);
      if (summary.missingMembers.length + summary.missingContracts.length > 0) open.add(id);
      for (const { code, receiver } of summary.calls) {
        const known = callers.get(code);
        if (known === undefined) callers.set(code, [{ code: id, receiver }]);
        else known.push({ code: id, receiver });
      }
    }
    for (const code of callers.keys()) if (!this.bodies.has(code)) open.add(code);
    // An effect that has grown reaches all callers.
    const changed = [...levels.keys()];
    for (let id = changed.pop(); id !== undefined; id = changed.pop()) {
      for (const { code, receiver } of callers.get(id) ?? []) {
        const before = levels.get(code) ?? LEVEL.none;
        const level = worst(before, levelSeenFrom(receiver, levels.get(id) ?? LEVEL.none));
        if (level === before) continue;
        levels.set(code, level);
        changed.push(code);
      }
    }
    // The loop also visits what it adds to the set. An effect that is already unknown needs no more facts.
    for (const id of open)
      for (const { code } of callers.get(id) ?? []) if (levels.get(code) !== LEVEL.unknown) open.add(code);
    this.levels = levels;
    this.open = open;
  }

  /**
   * It stores its argument in one field of its object and does nothing else, so that the previous value, as the state
   * showed it, undoes the call.
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
    const body = this.bodies.get(id) ?? this.follow(id);
    if (body === null) return null;
    const summary = Array.isArray(body)
      ? { ...NOTHING, missingMembers: body }
      : summarise(body, this.members, this.contracts, this.platform);
    this.summaries.set(id, summary);
    return summary;
  }

  /** An array holds the members that are needed first; null means that the code itself is needed. */
  private follow(id: number): CodeBody | number[] | null {
    const code = this.instructions.get(id);
    if (code === undefined) return null;
    const missing = code.references.flatMap((reference) => {
      const member = this.members.get(reference);
      if (member === undefined) return [reference];
      return member.runs === null || this.members.has(member.runs) ? [] : [member.runs];
    });
    if (missing.length > 0) return missing;
    let body: CodeBody = { ...OPAQUE, id, notes: code.notes };
    try {
      if (!code.isOpaque) body = this.platform.follow(code, this.members);
    } catch (error) {
      if (!(error instanceof UnfollowableError)) throw error;
    }
    this.instructions.delete(id);
    this.bodies.set(id, body);
    return body;
  }
}
