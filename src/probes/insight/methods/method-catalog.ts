/** The known methods of one program, and the actions made from them. */
import type { ActionArguments, CodeEffect, RawAction, RawParameter } from '../../../model/raw-action.ts';
import type { TypeDefinition } from '../arguments/type-definition.ts';
import { sayableTypes, type ValueTable } from '../arguments/value-table.ts';
import { type BeanOperation, planOperation } from '../beans/bean-operation.ts';
import type { Platform } from '../effects/platform.ts';
import { isMinor, isOffered } from './action-filter.ts';
import {
  bindingOf,
  bringsNothing,
  type Candidate,
  chooseCandidates,
  describeCandidate,
  type OfferedMethod,
  SCHEME,
} from './choose-actions.ts';
import type { KeptFacts } from './kept-facts.ts';
import { isProperty, type KnownType, knownMethod, knownType, takesScalar } from './known-method.ts';
import { type CallPlan, chooseMethods, type MethodKey, type NamedObjects } from './method-call.ts';
import { MethodEffects } from './method-effects.ts';
import type { CodeStamp, MethodFacts, MethodsAnswer, Place, TypeFacts, TypeMethods } from './method-facts.ts';
import { parametersOf } from './method-parameters.ts';
import { expected, ShapePath } from './shape-path.ts';

/** The limit of one question. */
const MAX_WANTED = 400;
/** Methods farther away than this many others are not looked at. */
const MAX_METHODS = 2000;
/** The limit of operations of management beans to judge. */
const MAX_OTHERS = 500;
/** The limit of types and facts of code to keep. No program has so many: more are an attack. */
const MAX_KNOWN = 100_000;

/** The differences between runtimes. */
export interface RuntimeTraits {
  readonly platform: Platform;
  readonly values: ValueTable;
  /** The runtime's word for a map. */
  readonly map: string;
  /** The agent itself finds the element or entry if there is only one. */
  readonly isOnlyOneFound: boolean;
}

/** The next question to the agent. */
export interface MethodsQuestion {
  /** The last answer that was applied. */
  readonly sequence: number;
  /** In the first question: names of the platform's types that JSON can represent. */
  readonly sayable?: { readonly scalars: readonly string[]; readonly others: readonly string[] };
  /** Types whose methods are wanted, the nearest first. */
  readonly types: readonly number[];
  /** The agent may stop after this many methods. */
  readonly enough: number;
  /** Asks which code is loaded. */
  readonly wantsStamp: boolean;
  /** Methods whose code is to be numbered. */
  readonly methods: readonly MethodKey[];
  /** Numbers of the code that is needed. */
  readonly bodies: readonly number[];
  /** Members whose possible targets are needed. */
  readonly members: readonly number[];
  /** Types whose methods that the platform may call are needed. */
  readonly contracts: readonly number[];
}

export class MethodCatalog {
  private readonly traits: RuntimeTraits;
  private readonly named: (shape: string) => string | null;
  private readonly effects: MethodEffects;
  private sequence = 0;
  private readonly kept: KeptFacts | null;
  /** All reported types. */
  private readonly reported = new Map<number, TypeFacts>();
  /** Types whose methods are known. */
  private readonly types = new Map<number, KnownType>();
  /** Types whose methods are known only in part. */
  private readonly parts = new Set<number>();
  private readonly definitions = new Map<string, TypeDefinition>();
  private readonly methods = new Map<number, readonly OfferedMethod[]>();
  /** The number of all reported methods of each type. */
  private readonly counts = new Map<number, number>();
  private wanted: readonly number[] = [];
  private enough = MAX_METHODS;
  /** `reported` is the shape as the agent sent it. */
  private readonly places = new Map<number, { place: Place; path: ShapePath; reported: string }>();
  /** Null until it is reported. */
  private order: readonly number[] | null = null;
  private chosen: readonly Candidate[] = [];
  private isWhole = false;
  /** The list was complete at least once. */
  private wasListed = false;
  /** More is known than when the actions were chosen. */
  private isOutdated = false;
  private codeVersion = 0;
  /** The stamp of the current code; null until it is reported. */
  private stamp: CodeStamp | null = null;
  /** The agent was asked for it and could not determine it. */
  private hasNoStamp = false;
  /** There are facts that were not stored yet. */
  private hasUnkept = false;
  /** Methods that are no actions, but whose effects are asked for. */
  private others: readonly MethodKey[] = [];
  private shown: readonly RawAction[] = [];
  /** Identifies the list that `shown` was made from. */
  private shownSummary = '';

  /**
   * `named`: turns the reported shape of a place into the shown one; null if it is not shown. `kept`: the facts from
   * earlier starts; null if nothing is kept.
   */
  constructor(
    traits: RuntimeTraits,
    named: (shape: string) => string | null = (shape) => shape,
    kept: KeptFacts | null = null,
  ) {
    this.traits = traits;
    this.named = named;
    this.kept = kept;
    this.effects = new MethodEffects(traits.platform);
  }

  question(): MethodsQuestion {
    const sayable = this.sequence === 0 ? { sayable: sayableTypes(this.traits.values) } : {};
    return {
      sequence: this.sequence,
      ...sayable,
      types: this.wanted.slice(0, MAX_WANTED),
      enough: this.enough,
      wantsStamp: this.wantsStamp,
      ...this.effects.question(MAX_WANTED),
    };
  }

  /** Their code is asked for before any other; an empty list ends that. */
  judgeFirst(methods: readonly MethodKey[]): void {
    this.effects.judgeFirst(methods);
  }

  /** The methods of an action. */
  methodsOf(binding: string): readonly MethodKey[] {
    const found = this.chosen.find(({ place, name }) => bindingOf(place.shape, name) === binding);
    return found === undefined ? [] : keysOf(found);
  }

  /** Judges these in addition. */
  judgeAlso(methods: readonly MethodKey[]): void {
    this.others = methods.slice(0, MAX_OTHERS);
    this.judge();
  }

  /** Grows with each judged method. */
  get judgedCount(): number {
    return this.effects.judgedCount;
  }

  /** Null if one of them is not judged yet. */
  worstOf(methods: readonly MethodKey[]): CodeEffect | null {
    return this.effects.worstOf(methods);
  }

  /** A caller waits for an action whose code is not known yet. */
  get isAwaited(): boolean {
    return this.effects.isAwaited;
  }

  /** All methods are known. */
  get isListed(): boolean {
    return this.isWhole;
  }

  /** Nothing is left to ask for, not even for the next start. */
  get isComplete(): boolean {
    return this.isSettled && !this.wantsStamp;
  }

  /** Asked for first if effects are known from an earlier start, else at the end if there are facts to store. */
  private get wantsStamp(): boolean {
    if (this.kept === null || this.stamp !== null || this.hasNoStamp) return false;
    return this.sequence === 0 ? this.kept.hasEffects : this.isSettled && this.hasUnkept;
  }

  /** Nothing is left to ask for. */
  get isSettled(): boolean {
    return this.isWhole && this.effects.isSettled;
  }

  /** The same array as long as nothing changes. */
  get actions(): readonly RawAction[] {
    return this.shown;
  }

  take(answer: MethodsAnswer): void {
    const { wantsStamp: wantedStamp } = this;
    if (answer.isReset) this.forget();
    if (this.reported.size + this.methods.size + this.definitions.size + this.effects.size > MAX_KNOWN)
      throw new Error('the target reported too many methods');
    this.sequence = answer.sequence;
    if (answer.codeVersion !== this.codeVersion) this.outdate(answer.codeVersion);
    if (answer.stamp !== null) this.stamp = answer.stamp;
    else if (wantedStamp) this.hasNoStamp = true;
    this.kept?.see(answer.types);
    for (const type of answer.types) this.reported.set(type.id, type);
    this.takeDefinitions(answer.definitions);
    for (const { type, isPart, ...methods } of answer.methods) this.takeAsked(type, methods, isPart);
    for (const type of answer.types) this.restore(type);
    if (answer.places !== null) this.takePlaces(answer.places);
    this.effects.take(answer.code);
    this.wanted = this.wantedTypes();
    this.isWhole = this.order !== null && this.wanted.length === 0;
    this.isOutdated ||= answer.places !== null || answer.methods.length > 0 || answer.types.length > 0;
    // A partial list is better than none, but worse than the previous one.
    const isPart = !this.isWhole && this.wasListed;
    this.wasListed ||= this.isWhole;
    if (this.isOutdated && !isPart) {
      this.chosen = chooseCandidates(this.candidates());
      this.isOutdated = false;
    }
    this.judge();
    this.publish();
  }

  /** To be called after roots were renamed. */
  rename(): void {
    for (const { place, reported } of [...this.places.values()]) this.takePlace(place, reported);
    this.chosen = chooseCandidates(this.candidates());
    this.publish();
  }

  /** Effects are asked for once the list is complete: before that, methods of nearer objects may still come. */
  private judge(): void {
    const { judgedCount } = this.effects;
    const chosen = this.chosen.flatMap(({ methods }) =>
      methods.map(({ type, facts }) => ({ key: [type.id, facts.key] as const, takesScalar: takesScalar(facts) })),
    );
    const others = this.others.map((key) => ({ key, takesScalar: false }));
    this.effects.judge(this.isWhole ? [...chosen, ...others] : []);
    this.hasUnkept ||= this.effects.judgedCount > judgedCount;
  }

  private publish(): void {
    const listed = this.chosen.map((candidate) => ({ candidate, effect: this.effects.worstOf(keysOf(candidate)) }));
    const shown = listed.filter(({ candidate, effect }) => effect !== 'none' || !bringsNothing(candidate));
    const summary = shown
      .map(({ candidate: { place, name, methods }, effect }) =>
        [place.shape, name, effect, ...methods.map(({ type, facts }) => `${type.id}:${facts.key}`)].join(' '),
      )
      .join('\n');
    if (summary === this.shownSummary) return;
    this.shownSummary = summary;
    this.shown = shown.map(({ candidate, effect }) =>
      describeCandidate(candidate, this.gapsOf(candidate.path), effect ?? 'unjudged'),
    );
  }

  takeDefinitions(definitions: readonly TypeDefinition[]): void {
    for (const definition of definitions) {
      this.definitions.set(definition.name, definition);
      this.kept?.keepDefinition(definition);
    }
  }

  /** Null if nothing is new, or not everything is known yet. */
  factsToKeep(): unknown {
    if (this.kept === null || !this.hasUnkept || !this.isComplete) return null;
    const effects = new Map<string, Map<string, CodeEffect>>();
    for (const [id, methods] of this.methods) {
      const name = this.reported.get(id)?.name ?? '';
      for (const { facts } of methods) {
        const effect = this.effects.current([id, facts.key]);
        if (effect === undefined) continue;
        const known = effects.get(name) ?? new Map<string, CodeEffect>();
        effects.set(name, known.set(facts.key, effect));
      }
    }
    this.kept.keepEffects(this.stamp, effects);
    this.hasUnkept = false;
    return this.kept.stored;
  }

  /**
   * Null if there is no such action. `named`: the objects that arguments refer to; null if nothing was asked yet, and the
   * plan may be a question.
   */
  plan(binding: string, args: ActionArguments, named: NamedObjects | null): CallPlan | null {
    const hash = binding.lastIndexOf('#');
    const shape = binding.slice(SCHEME.length, hash);
    const method = binding.slice(hash + 1);
    const found = this.candidates().find(({ place, name }) => place.shape === shape && name === method);
    if (!binding.startsWith(SCHEME) || found === undefined) return null;
    const { map, isOnlyOneFound } = this.traits;
    const filled = found.path.fill(args, map);
    if (typeof filled === 'string') return { refusal: filled };
    const [missing] = filled.open;
    if (missing !== undefined && !isOnlyOneFound)
      return { refusal: `${missing.name} is missing; expected ${expected(missing, map)}` };
    const gaps = new Set(found.path.gaps.map(({ name }) => name));
    const own = Object.fromEntries(Object.entries(args).filter(([name]) => !gaps.has(name)));
    const choices = chooseMethods(found, own, this.traits.values, this.definitions, named);
    if ('paths' in choices) return { question: choices };
    const [first] = choices;
    if (first && 'refusal' in first && choices.every((choice) => 'refusal' in choice))
      return { refusal: first.refusal };
    return { call: { path: filled.path, open: filled.open.map(({ name }) => name), method, choices } };
  }

  planOperation(name: string, operations: readonly BeanOperation[], args: ActionArguments) {
    return planOperation(name, operations, args, this.traits.values, this.definitions);
  }

  private forget(): void {
    for (const all of [this.reported, this.types, this.parts, this.definitions, this.methods, this.places]) all.clear();
    this.effects.forget();
    this.order = null;
    this.codeVersion = 0;
    this.isWhole = false;
  }

  /** Code was loaded: effects stay valid until they are judged again, and more methods may be readable. */
  private outdate(codeVersion: number): void {
    this.codeVersion = codeVersion;
    this.stamp = null;
    this.hasNoStamp = false;
    this.effects.outdate();
    for (const id of this.parts) this.types.delete(id);
    this.parts.clear();
  }

  private takeAsked(id: number, methods: TypeMethods, isPart: boolean): void {
    const type = this.reported.get(id);
    if (type === undefined) return;
    this.takeMethods(type, methods);
    if (isPart) this.parts.add(id);
    else if (this.kept?.keepType(type, methods)) this.hasUnkept = true;
  }

  /** Adds the facts from an earlier start. */
  private restore(type: TypeFacts): void {
    const found = this.types.has(type.id) ? null : (this.kept?.find(type) ?? null);
    if (found === null) return;
    for (const definition of found.definitions) this.definitions.set(definition.name, definition);
    this.takeMethods(type, found.methods);
    for (const { key } of found.methods.methods) {
      const known = this.kept?.effectOf(type.name, key, this.stamp);
      if (known) this.effects.restore([type.id, key], known.effect, known.isSame);
    }
  }

  private takeMethods(reported: TypeFacts, { methods, ...facts }: TypeMethods): void {
    const type = knownType(reported, facts, this.traits.values);
    this.types.set(reported.id, type);
    this.methods.set(reported.id, this.offered(type, methods));
    this.counts.set(reported.id, methods.length);
  }

  /** Types at the nearest places, until there are enough methods. */
  private wantedTypes(): number[] {
    const wanted = new Set<number>();
    const counted = new Set<number>();
    let count = 0;
    for (const id of this.order ?? []) {
      for (const type of this.places.get(id)?.place.types ?? []) {
        if (!this.types.has(type) && this.reported.has(type)) wanted.add(type);
        if (!counted.has(type)) count += this.counts.get(type) ?? 0;
        counted.add(type);
      }
      if (count >= MAX_METHODS) break;
    }
    this.enough = Math.max(1, MAX_METHODS - count);
    return [...wanted];
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

  private takePlace(place: Place, reported: string): void {
    const shape = this.named(reported);
    if (shape === null) this.places.delete(place.id);
    else this.places.set(place.id, { place: { ...place, shape }, path: new ShapePath(shape), reported });
  }

  private offered(type: KnownType, methods: readonly MethodFacts[]): readonly OfferedMethod[] {
    const offered = methods.flatMap((reported) => {
      const facts = knownMethod(reported, this.traits.values, this.definitions);
      if (facts === null || !isOffered(type, facts)) return [];
      const name = facts.flags.includes('property') ? `set${facts.name}` : facts.name;
      const parameters = parametersOf(facts);
      const spoken = parameters.map((parameter, at) => `${facts.parameters[at]?.text ?? ''} ${parameter.name}`);
      const signature = `${name}(${spoken.join(', ')}) -> ${facts.returns.text}`;
      return [{ type, facts, name, parameters, signature, isMinor: isMinor(type, facts) }];
    });
    // A method of the same name does more than the setter of the property.
    const names = new Set(offered.flatMap(({ facts, name }) => (isProperty(facts) ? [] : [name.toLowerCase()])));
    return offered.filter(({ facts, name }) => !isProperty(facts) || !names.has(name.toLowerCase()));
  }

  /** All methods that can be called with the objects in the state. */
  private candidates(): Candidate[] {
    const shown = new Set<string>();
    for (const { place } of this.places.values()) {
      if (place.isStatic) continue;
      for (const id of place.types) for (const each of this.types.get(id)?.lineage ?? []) shown.add(each);
    }
    return (this.order ?? []).flatMap((id) => {
      const known = this.places.get(id);
      return known === undefined ? [] : this.candidatesAt(known.place, known.path, shown);
    });
  }

  private candidatesAt(place: Place, path: ShapePath, shown: ReadonlySet<string>): Candidate[] {
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

const keysOf = ({ methods }: Candidate): MethodKey[] => methods.map(({ type, facts }) => [type.id, facts.key]);
