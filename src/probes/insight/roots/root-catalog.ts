/** The roots of one program and their names. A root keeps its name while it exists, and for a while after. */
import type { LeafRoot } from '../../../model/leaves.ts';
import { joinPath, parsePath } from '../../../model/path.ts';
import { NameAllocator } from '../name-allocator.ts';
import type { RootFacts, RootsUpdate } from './root-facts.ts';
import { originOf, type TypeNames, wantedName } from './root-names.ts';

/** The limit of former roots whose names are kept. */
const MAX_FORMER = 500;
const NONE: ReadonlySet<string> = new Set();

/** The differences between runtimes. */
export interface RootTraits {
  readonly types: TypeNames;
  /** Names for fixed roots only, even while there are none. */
  readonly reserved: readonly string[];
}

export class RootCatalog {
  private readonly traits: RootTraits;
  private facts = new Map<number, RootFacts>();
  /** Includes former roots, the oldest first. */
  private readonly names = new Map<number, string>();
  /** The first segments of their paths. */
  private readonly beginnings = new Map<number, string>();
  private ids: ReadonlyMap<string, number> = new Map();
  private listed: readonly LeafRoot[] = [];

  constructor(traits: RootTraits) {
    this.traits = traits;
  }

  /** The same array as long as nothing changes. */
  get roots(): readonly LeafRoot[] {
    return this.listed;
  }

  /**
   * A null update means the same roots. `others`: names of roots from other sources. Returns false if a root was
   * renamed, so that its leaves are needed again.
   */
  take(update: RootsUpdate | null, others: ReadonlySet<string> = NONE): boolean {
    if (update !== null) this.takeFacts(update);
    else if (!this.isInTheWay(others)) return true;
    return this.nameAll(others);
  }

  /** `12.orders[0]` with the name of its root; null if there is no such root. */
  find(path: string): string | null {
    let end = 0;
    let id = 0;
    // A regular expression would be too slow for large states.
    for (let digit = digitAt(path, 0); digit >= 0; digit = digitAt(path, ++end)) id = id * 10 + digit;
    const beginning = end === 0 ? undefined : this.beginnings.get(id);
    // A joined string is flat; a concatenated one makes every later read a quarter slower.
    return beginning === undefined ? null : [beginning, path.slice(end)].join('');
  }

  named(path: string): string {
    const named = this.find(path);
    if (named === null) throw new Error('the target sent a path of an unknown root');
    return named;
  }

  /** The text in place of an object that is shown elsewhere or, in a returned value, elsewhere within it. */
  reference(path: string): string {
    if (path === '') return '[ref] (the returned value)';
    return `[ref] ${digitAt(path, 0) >= 0 ? this.named(path) : path}`;
  }

  idOf(name: string): number | undefined {
    return this.ids.get(name);
  }

  /**
   * The ids of the roots of all paths in a request, by name. A path may have gaps, `[*]` and `{*}`, that the agent
   * fills.
   */
  idsIn(request: unknown): Record<string, number> {
    const found = new Map<string, number>();
    const open: unknown[] = [request];
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) open.push(part);
      const [root] = typeof value === 'string' ? (parsePath(value.replace(/^\[ref\] |\[\*\]|\{\*\}/g, '')) ?? []) : [];
      const id = typeof root === 'string' ? this.idOf(root) : undefined;
      if (typeof root === 'string' && id !== undefined) found.set(root, id);
    }
    return Object.fromEntries(found);
  }

  private takeFacts({ order, added }: RootsUpdate): void {
    const described = new Map(added.map((facts) => [facts.id, facts]));
    const facts = new Map<number, RootFacts>();
    for (const id of order) {
      const known = described.get(id) ?? this.facts.get(id);
      if (known === undefined) throw new Error('the target listed a root that it has not described');
      facts.set(id, known);
    }
    this.facts = facts;
  }

  private isInTheWay(others: ReadonlySet<string>): boolean {
    return [...this.facts.values()].some((facts) => !isFixed(facts) && others.has(this.names.get(facts.id) ?? ''));
  }

  /** Fixed names go first, then those of windows, then those of discovered roots. */
  private nameAll(others: ReadonlySet<string>): boolean {
    const names = new NameAllocator();
    const before = this.ids;
    const all = [...this.facts.values()];
    this.giveNames(all.filter(isFixed), names);
    for (const name of [...this.traits.reserved, ...others]) names.block(name);
    this.giveNames(
      all.filter((facts) => !isFixed(facts)),
      names,
    );
    this.forgetFormer();
    this.list(all);
    return [...before].every(([name, id]) => !this.facts.has(id) || this.names.get(id) === name);
  }

  /** Roots that have a name come before new ones. */
  private giveNames(roots: readonly RootFacts[], names: NameAllocator): void {
    const unnamed = roots.filter((facts) => {
      const name = this.names.get(facts.id);
      if (name === undefined || names.isTaken(name)) return true;
      this.give(facts, names.take(name));
      return false;
    });
    for (const facts of unnamed) {
      const { name, other } = wantedName(facts, this.traits.types);
      const isOther = other !== null && names.isTaken(name) && !names.isTaken(other);
      this.give(facts, names.take(isOther ? other : name));
    }
  }

  private give({ id }: RootFacts, name: string): void {
    // Inserted again, so that current roots come last.
    this.names.delete(id);
    this.names.set(id, name);
    this.beginnings.set(id, joinPath('', name));
  }

  private forgetFormer(): void {
    let surplus = this.names.size - this.facts.size - MAX_FORMER;
    for (const id of this.names.keys()) {
      if (surplus-- <= 0) break;
      this.names.delete(id);
    }
    for (const id of this.beginnings.keys()) if (!this.facts.has(id)) this.beginnings.delete(id);
  }

  private list(all: readonly RootFacts[]): void {
    this.ids = new Map(all.map(({ id }) => [this.names.get(id) ?? '', id]));
    this.listed = all.map((facts) => ({
      name: this.names.get(facts.id) ?? '',
      origin: originOf(facts, this.traits.types),
      mangled: false,
    }));
  }
}

/** -1 if there is none. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function isFixed({ kind }: RootFacts): boolean {
  return kind === 'fixed';
}
