/** What is known of the methods of one program, and the actions that are made of it. */
import type { ActionArguments, RawAction, RawParameter } from '../../../model/raw-action.ts';
import { type BeanOperation, planOperation } from '../arguments/bean-operation.ts';
import { type ChosenOverload, chooseOverload, isNarrower, type Overload } from '../arguments/choose-overload.ts';
import { type MadeValue, UnfitValueError } from '../arguments/made-value.ts';
import type { DescribedTypes, TypeDefinition } from '../arguments/type-definition.ts';
import { ValuePlanner } from '../arguments/value-planner.ts';
import { sayableTypes, type ValueTable } from '../arguments/value-table.ts';
import { type Effect, EffectGraph } from '../effects/effect-graph.ts';
import type { Platform } from '../effects/platform.ts';
import { isMinor, isOffered } from './action-filter.ts';
import { type Candidate, chooseCandidates, describeCandidate, type OfferedMethod, SCHEME } from './choose-actions.ts';
import { type KnownMethod, type KnownType, knownMethod, knownType } from './known-method.ts';
import type { MethodFacts, MethodsAnswer, Place } from './method-facts.ts';
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
  readonly values: ValueTable;
  /** What it calls a map. */
  readonly map: string;
  /** The agent finds the element or entry by itself where there is only one. */
  readonly isOnlyOneFound: boolean;
}

/** A method, by its type and its number there. */
export type MethodKey = readonly [type: number, index: number];

/** What an agent needs to call a method: where the object is, and what is called on it. */
export interface MethodCall {
  readonly path: string;
  /** What the gaps in the path are called for which nothing was given: the agent finds the only one that fits. */
  readonly open: readonly string[];
  readonly method: string;
  /** By the type that the object may have: what is called, or why nothing can be. */
  readonly choices: readonly (
    | {
        readonly type: number;
        readonly index: number;
        readonly signature: string;
        readonly values: readonly MadeValue[];
      }
    | { readonly type: number; readonly refusal: string }
  )[];
}

/** What has to be known before it is decided what a call calls. */
export interface CallQuestion {
  /** Whose parameters are of types that were not told of. */
  readonly methods: readonly MethodKey[];
  /** Whether there are objects, and of which types. */
  readonly paths: readonly string[];
}

/** The objects that arguments name, as the agent last saw them. */
export type NamedObjects = ReadonlyMap<string, DescribedTypes['named'][number]>;

type MethodOverload = Overload & { readonly index: number };

/** `code`: undefined where it is not known yet, null where there is none. */
interface Unjudged {
  readonly key: MethodKey;
  readonly code: number | null | undefined;
}

/** What is to be told next. */
export interface MethodsQuestion {
  /** How far the answers were taken. */
  readonly sequence: number;
  /** With the first question: names of the platform's types that JSON can say. */
  readonly sayable?: { readonly scalars: readonly string[]; readonly others: readonly string[] };
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
  private readonly graph: EffectGraph;
  private sequence = 0;
  private readonly types = new Map<number, KnownType>();
  private readonly definitions = new Map<string, TypeDefinition>();
  private readonly methods = new Map<number, readonly OfferedMethod[]>();
  private readonly places = new Map<number, { place: Place; path: ShapePath }>();
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

  constructor(traits: RuntimeTraits) {
    this.traits = traits;
    this.graph = new EffectGraph(traits.platform);
  }

  question(): MethodsQuestion {
    const methods = this.unjudged.filter(({ code }) => code === undefined).map(({ key }) => key);
    const missing = this.graph.missing(this.unjudged.flatMap(({ code }) => code ?? []));
    const sayable = this.sequence === 0 ? { sayable: sayableTypes(this.traits.values) } : {};
    return { sequence: this.sequence, ...sayable, methods: methods.slice(0, MAX_WANTED), ...missing };
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
    if (this.types.size + this.methods.size + this.definitions.size + this.graph.size > MAX_KNOWN)
      throw new Error('the target told of too many methods');
    this.sequence = answer.sequence;
    for (const type of answer.types) this.types.set(type.id, knownType(type, this.traits.values));
    this.takeDefinitions(answer.definitions);
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

  takeDefinitions(definitions: readonly TypeDefinition[]): void {
    for (const definition of definitions) this.definitions.set(definition.name, definition);
  }

  /**
   * A text says why it cannot be called; null: there is no such action. `named`: null where nothing was asked yet, and
   * there may be a question.
   */
  call(binding: string, args: ActionArguments, named: NamedObjects | null): MethodCall | CallQuestion | string | null {
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
    const own = Object.fromEntries(Object.entries(args).filter(([name]) => !gaps.has(name)));
    const choices = this.choicesOf(found, own, named);
    if ('paths' in choices) return choices;
    const [first] = choices;
    if (first && 'refusal' in first && choices.every((choice) => 'refusal' in choice)) return first.refusal;
    return { path: filled.path, open: filled.open.map(({ name }) => name), method, choices };
  }

  planOperation(name: string, operations: readonly BeanOperation[], args: ActionArguments) {
    return planOperation(name, operations, args, this.traits.values, this.definitions);
  }

  private choicesOf(
    { path, name, methods }: Candidate,
    args: ActionArguments,
    named: NamedObjects | null,
  ): MethodCall['choices'] | CallQuestion {
    const known = {
      definition: (key: string) => this.definitions.get(key),
      named: (object: string) => named?.get(object),
    };
    const { values } = this.traits;
    const planner = new ValuePlanner(values, known);
    const types = new Set(methods.map(({ type }) => type.id));
    const choices = [...types].map((type) => {
      const ofType = methods.filter((method) => method.type.id === type);
      const overloads = ofType.map((method) => overloadOf(method, name, (own) => path.nameFor(own)));
      try {
        const narrower = (one: Overload, other: Overload) => isNarrower(one, other, values, known);
        const { overload, values: made }: ChosenOverload<MethodOverload> = chooseOverload(
          overloads,
          args,
          planner,
          narrower,
        );
        return { type, index: overload.index, signature: overload.signature, values: made };
      } catch (error) {
        if (!(error instanceof UnfitValueError)) throw error;
        return { type, refusal: error.message };
      }
    });
    const { unknown } = planner;
    if (named !== null || unknown.types.size + unknown.paths.size === 0) return choices;
    return {
      methods: unknown.types.size === 0 ? [] : methods.map(({ type, index }) => [type.id, index] as const),
      paths: [...unknown.paths],
    };
  }

  private forget(): void {
    for (const all of [this.types, this.definitions, this.methods, this.places, this.code, this.effects, this.before])
      all.clear();
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
    for (const place of changed) this.places.set(place.id, { place, path: new ShapePath(place.shape) });
    const left = new Set(order);
    for (const id of this.places.keys()) if (!left.has(id)) this.places.delete(id);
    this.order = order;
  }

  private offered(typeId: number, methods: readonly MethodFacts[]): readonly OfferedMethod[] {
    const type = this.types.get(typeId);
    if (type === undefined) return [];
    const offered = methods.flatMap((told, index) => {
      const facts = knownMethod(told, this.traits.values, this.definitions);
      if (facts === null || !isOffered(type, facts)) return [];
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
    const shown = new Set<string>();
    for (const { place } of this.places.values()) {
      if (place.isStatic) continue;
      for (const id of place.types) for (const each of this.types.get(id)?.lineage ?? []) shown.add(each);
    }
    return this.order.flatMap((id) => {
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
function takesScalar({ parameters }: KnownMethod): boolean {
  const [only, ...more] = parameters;
  if (only === undefined || more.length > 0 || only.isOptional) return false;
  return only.json === 'string' || only.json === 'number' || only.json === 'boolean';
}

function isProperty({ flags }: KnownMethod): boolean {
  return flags.includes('property');
}

/** `name`: of the action; `nameFor`: what callers call its parameters. */
function overloadOf(
  { index, facts, parameters }: OfferedMethod,
  name: string,
  nameFor: (own: string) => string,
): MethodOverload {
  const own = parameters.map((parameter, at) => ({ name: nameFor(parameter.name), told: facts.parameters[at] }));
  const spoken = own.map((each) => `${each.told?.text ?? ''} ${each.name}`);
  return {
    index,
    signature: `${name}(${spoken.join(', ')}) -> ${facts.returns.text}`,
    parameters: own.flatMap(({ name: called, told }) =>
      told === undefined ? [] : [{ name: called, use: told.use, leftOut: told.leftOut }],
    ),
  };
}
