/** What is known of the methods of one program, and the actions that are made of it. */
import type { ActionArguments, RawAction, RawParameter } from '../../../model/raw-action.ts';
import { type Effect, EffectGraph } from '../effects/effect-graph.ts';
import type { Platform } from '../effects/platform.ts';
import { isMinor, isOffered } from './action-filter.ts';
import { type Candidate, chooseCandidates, describeCandidate, type OfferedMethod, SCHEME } from './choose-actions.ts';
import type { MethodFacts, MethodsAnswer, Place, TypeFacts } from './method-facts.ts';
import { parametersOf } from './method-parameters.ts';
import { expected, ShapePath } from './shape-path.ts';

const SEVERITY: readonly Effect[] = ['none', 'setter', 'own-state', 'unknown'];
/** Asked for at a time. */
const MAX_WANTED = 400;
/** Types and facts of code that are kept. No program has so many: one that tells of more means harm. */
const MAX_KNOWN = 100_000;

/** In what runtimes differ. */
export interface RuntimeTraits {
  readonly platform: Platform;
  /** What it calls a map. */
  readonly map: string;
  /** The agent finds the element or entry by itself where there is only one. */
  readonly isOnlyOneFound: boolean;
}

/** A method, by its type and its number there. */
export type MethodKey = readonly [type: number, index: number];

/** What an agent needs to call a method: where the object is, and what the arguments of each overload are called. */
export interface MethodCall {
  readonly path: string;
  /** What the gaps in the path are called for which nothing was given: the agent finds the only one that fits. */
  readonly open: readonly string[];
  readonly method: string;
  readonly overloads: readonly { readonly type: number; readonly index: number; readonly names: readonly string[] }[];
  readonly args: ActionArguments;
}

/** `code`: undefined where it is not known yet, null where there is none. */
interface Unjudged {
  readonly key: MethodKey;
  readonly code: number | null | undefined;
}

/** What is to be told next. */
export interface MethodsQuestion {
  /** How far the answers were taken. */
  readonly sequence: number;
  /** Whose code is to be numbered. */
  readonly methods: readonly MethodKey[];
  /** Numbers of code that is needed. */
  readonly bodies: readonly number[];
  /** Numbers of what code refers to, of which it is needed what may run. */
  readonly members: readonly number[];
  /** Types of which it is needed what the platform may call on their objects. */
  readonly contracts: readonly number[];
}

export class MethodCatalog {
  private readonly traits: RuntimeTraits;
  private readonly named: (shape: string) => string | null;
  private readonly graph: EffectGraph;
  private sequence = 0;
  private readonly types = new Map<number, TypeFacts>();
  private readonly methods = new Map<number, readonly OfferedMethod[]>();
  /** `told`: the shape as it was told. */
  private readonly places = new Map<number, { place: Place; path: ShapePath; told: string }>();
  private order: readonly number[] = [];
  private chosen: readonly Candidate[] = [];
  private isListed = false;
  /** The list was whole once. */
  private wasListed = false;
  /** More is known than when the actions were chosen. */
  private isOutdated = false;
  private codeVersion = 0;
  /** The code of methods by their keys. */
  private readonly code = new Map<string, number | null>();
  private readonly effects = new Map<string, Effect>();
  /** Of code before other code was loaded: they stand until they are told anew. */
  private readonly before = new Map<string, Effect>();
  private unjudged: readonly Unjudged[] = [];
  private told: readonly RawAction[] = [];
  private tellsOf = '';

  /** `named`: turns the shape of a place, as the target tells it, into the one that is shown; null: it is not. */
  constructor(traits: RuntimeTraits, named: (shape: string) => string | null = (shape) => shape) {
    this.traits = traits;
    this.named = named;
    this.graph = new EffectGraph(traits.platform);
  }

  question(): MethodsQuestion {
    const methods = this.unjudged.filter(({ code }) => code === undefined).map(({ key }) => key);
    const missing = this.graph.missing(this.unjudged.flatMap(({ code }) => code ?? []));
    return { sequence: this.sequence, methods: methods.slice(0, MAX_WANTED), ...missing };
  }

  /** Nothing is left to be asked for. */
  get isSettled(): boolean {
    return this.isListed && this.unjudged.length === 0;
  }

  /** The very same list as long as nothing is new. */
  get actions(): readonly RawAction[] {
    return this.told;
  }

  take(answer: MethodsAnswer): void {
    if (answer.isReset) this.forget();
    if (this.types.size + this.methods.size + this.graph.size > MAX_KNOWN)
      throw new Error('the target told of too many methods');
    this.sequence = answer.sequence;
    for (const type of answer.types) this.types.set(type.id, type);
    for (const { type, methods } of answer.methods) this.takeMethods(type, methods);
    if (answer.places !== null) this.takePlaces(answer.places);
    if (answer.codeVersion !== this.codeVersion) {
      this.codeVersion = answer.codeVersion;
      for (const [key, effect] of this.effects) this.before.set(key, effect);
      this.effects.clear();
      this.graph.outdate();
      this.code.clear();
    }
    if (answer.code.isReset) {
      this.graph.forget();
      this.code.clear();
    }
    this.graph.take(answer.code);
    for (const [type, index, code] of answer.code.methods) this.code.set(`${type} ${index}`, code);
    this.isListed = answer.isListed;
    this.isOutdated ||= answer.places !== null || answer.methods.length > 0 || answer.types.length > 0;
    // A part of the list is better than none, and worse than the one from before.
    const isPart = !this.isListed && this.wasListed;
    this.wasListed ||= this.isListed;
    if (this.isOutdated && !isPart) {
      this.chosen = chooseCandidates(this.candidates());
      this.isOutdated = false;
    }
    this.unjudged = this.isListed ? this.judge() : [];
    this.tell();
  }

  /** Roots have other names from now on. */
  rename(): void {
    for (const { place, told } of [...this.places.values()]) this.takePlace(place, told);
    this.chosen = chooseCandidates(this.candidates());
    this.tell();
  }

  /** Judges what can be judged by now; gives the rest. */
  private judge(): readonly Unjudged[] {
    const open = new Map<string, Unjudged>();
    for (const { methods } of this.chosen) {
      for (const { type, index, facts } of methods) {
        const key = `${type.id} ${index}`;
        if (this.effects.has(key) || open.has(key)) continue;
        const code = this.code.get(key);
        const effect = code === undefined ? null : this.graph.effectOf(code, takesScalar(facts));
        if (effect === null) open.set(key, { key: [type.id, index], code });
        else this.effects.set(key, effect);
      }
    }
    return [...open.values()];
  }

  private tell(): void {
    const listed = this.chosen.map((candidate) => ({ candidate, effect: this.effectOf(candidate) }));
    const shown = listed.filter(({ candidate, effect }) => effect !== 'none' || !bringsNothing(candidate));
    const tellsOf = shown
      .map(({ candidate: { place, name, methods }, effect }) =>
        [place.shape, name, effect, ...methods.map(({ type, index }) => `${type.id}:${index}`)].join(' '),
      )
      .join('\n');
    if (tellsOf === this.tellsOf) return;
    this.tellsOf = tellsOf;
    this.told = shown.map(({ candidate, effect }) =>
      describeCandidate(candidate, this.gapsOf(candidate.path), effect ?? 'unjudged'),
    );
  }

  /** A text says why it cannot be called; null: there is no such action. */
  call(binding: string, args: ActionArguments): MethodCall | string | null {
    const hash = binding.lastIndexOf('#');
    const shape = binding.slice(SCHEME.length, hash);
    const method = binding.slice(hash + 1);
    const found = this.candidates().find(({ place, name }) => place.shape === shape && name === method);
    if (!binding.startsWith(SCHEME) || found === undefined) return null;
    const { map, isOnlyOneFound } = this.traits;
    const filled = found.path.fill(args, map);
    if (typeof filled === 'string') return filled;
    const [missing] = filled.open;
    if (missing !== undefined && !isOnlyOneFound)
      return `${missing.name} is missing; expected ${expected(missing, map)}`;
    const gaps = new Set(found.path.gaps.map(({ name }) => name));
    return {
      path: filled.path,
      open: filled.open.map(({ name }) => name),
      method,
      overloads: found.methods.map(({ type, index, parameters }) => ({
        type: type.id,
        index,
        names: parameters.map(({ name }) => found.path.nameFor(name)),
      })),
      args: Object.fromEntries(Object.entries(args).filter(([name]) => !gaps.has(name))),
    };
  }

  private forget(): void {
    for (const all of [this.types, this.methods, this.places, this.code, this.effects, this.before]) all.clear();
    this.graph.forget();
    this.order = [];
    this.codeVersion = 0;
    this.isListed = false;
  }

  /** Told again where more of them can be looked at: then their numbers are others. */
  private takeMethods(type: number, methods: readonly MethodFacts[]): void {
    for (const { index } of this.methods.get(type) ?? [])
      for (const all of [this.code, this.effects, this.before]) all.delete(`${type} ${index}`);
    this.methods.set(type, this.offered(type, methods));
  }

  private takePlaces({
    changed,
    order,
  }: {
    readonly changed: readonly Place[];
    readonly order: readonly number[];
  }): void {
    for (const place of changed) this.takePlace(place, place.shape);
    const left = new Set(order);
    for (const id of this.places.keys()) if (!left.has(id)) this.places.delete(id);
    this.order = order;
  }

  private takePlace(place: Place, told: string): void {
    const shape = this.named(told);
    if (shape === null) this.places.delete(place.id);
    else this.places.set(place.id, { place: { ...place, shape }, path: new ShapePath(shape), told });
  }

  private offered(typeId: number, methods: readonly MethodFacts[]): readonly OfferedMethod[] {
    const type = this.types.get(typeId);
    if (type === undefined) return [];
    const offered = methods.flatMap((facts, index) => {
      if (!isOffered(type, facts)) return [];
      const name = facts.flags.includes('property') ? `set${facts.name}` : facts.name;
      const parameters = parametersOf(facts);
      const spoken = parameters.map((parameter, at) => `${facts.parameters[at]?.text ?? ''} ${parameter.name}`);
      const signature = `${name}(${spoken.join(', ')}) -> ${facts.returns.text}`;
      return [{ type, index, facts, name, parameters, signature, isMinor: isMinor(type, facts) }];
    });
    // A method of the same name does more than to set the property.
    const names = new Set(offered.flatMap(({ facts, name }) => (isProperty(facts) ? [] : [name.toLowerCase()])));
    return offered.filter(({ facts, name }) => !isProperty(facts) || !names.has(name.toLowerCase()));
  }

  /** All that can be called with what the state shows. */
  private candidates(): Candidate[] {
    const shown = new Set<number>();
    for (const { place } of this.places.values()) {
      if (place.isStatic) continue;
      for (const id of place.types) for (const each of this.types.get(id)?.lineage ?? []) shown.add(each);
    }
    return this.order.flatMap((id) => {
      const known = this.places.get(id);
      return known === undefined ? [] : this.candidatesAt(known.place, known.path, shown);
    });
  }

  private candidatesAt(place: Place, path: ShapePath, shown: ReadonlySet<number>): Candidate[] {
    const byName = new Map<string, Candidate>();
    for (const type of place.types) {
      for (const method of this.methods.get(type) ?? []) {
        const { facts, name } = method;
        if (facts.flags.includes('static') !== place.isStatic || !facts.needs.every((need) => shown.has(need)))
          continue;
        const candidate = byName.get(name) ?? { place, path, name, methods: [] };
        candidate.methods.push(method);
        byName.set(name, candidate);
      }
    }
    return [...byName.values()];
  }

  /** The worst of all overloads; null: one of them is not told yet. */
  private effectOf({ methods }: Candidate): Effect | null {
    let worst = 0;
    for (const { type, index } of methods) {
      const key = `${type.id} ${index}`;
      const effect = this.effects.get(key) ?? this.before.get(key);
      if (effect === undefined) return null;
      worst = Math.max(worst, SEVERITY.indexOf(effect));
    }
    return SEVERITY[worst] ?? 'unknown';
  }

  private gapsOf({ gaps }: ShapePath): RawParameter[] {
    const { map, isOnlyOneFound } = this.traits;
    const only = isOnlyOneFound ? '; not needed if there is only one' : '';
    return gaps.map(({ name, kind }) => ({
      name,
      type: kind === 'index' ? 'number' : 'string',
      required: !isOnlyOneFound,
      isChecked: true,
      description: `${kind === 'index' ? 'which element of the list' : `which entry of the ${map}`}${only}`,
    }));
  }
}

/** Not even a refusal, and nothing that could be waited for. */
function bringsNothing({ methods }: Candidate): boolean {
  return methods.every(({ facts }) => facts.returns.text === 'void' && !facts.flags.includes('throws'));
}

/** One value that the state shows whole: to give it the one from before undoes it. */
function takesScalar({ parameters }: MethodFacts): boolean {
  const [only, ...more] = parameters;
  if (only === undefined || more.length > 0 || only.isOptional) return false;
  return only.json === 'string' || only.json === 'number' || only.json === 'boolean';
}

function isProperty({ flags }: MethodFacts): boolean {
  return flags.includes('property');
}
