/** Variables of closures, delivered by the daemon: V8 returns copies, so they are delivered again to be updated. */

import { toJson } from '../../tree/json.ts';
import type { PageClassifier } from './classify.ts';
import type { Discovery } from './discovery.ts';
import { shownInDom } from './dom-shown.ts';
import { looksLikeData } from './evidence.ts';
import type { Found } from './found.ts';
import { nameFromPlace, type Shown } from './frameworks/react-names.ts';
import { firstFunction, isToolbox } from './globals.ts';
import { freeName, isMinified } from './naming.ts';
import type { RootRegistry } from './root-registry.ts';
import { attempt, isFunction, isNative, isObject, own } from './safe.ts';
import { isKnownBundle, isOfAgent, isSameScope, type NamedScope, scopesOf, withNames } from './scopes.ts';
import type { Recogniser } from './stores/recognise.ts';
import type { Unwrapper } from './unwrap.ts';
import type { Vetting } from './vetting.ts';

const MAX_VARIABLES = 5000;
const MAX_ROOTS = 100;
const MAX_FUNCTIONS = 40;
/** Variables that are judged without checking the clock. */
const JUDGED_AT_ONCE = 16;
/** In a scope with this many variables most belong to bundled libraries. */
const CROWDED = 40;
/** Names that are no state: of the language, of constants, of a library's private variables. */
const NO_STATE =
  /^(arguments|this|that|self|_this|me|module|exports|require|[A-Z][A-Z\d_]+|_.*|\$.*|is[A-Z]\w*|has[A-Z]\w*|supports[A-Z]\w*)$/;

interface Variable {
  readonly scope: number;
  readonly name: string;
  readonly origin: string;
  readonly isCrowded: boolean;
  isShown: boolean;
  value: unknown;
}

export interface ClosureParts {
  readonly registry: RootRegistry;
  readonly classifier: PageClassifier;
  readonly unwrapper: Unwrapper;
  readonly vetting: Vetting;
  readonly recogniser: Recogniser;
  readonly discovery: Discovery;
}

export class Closures {
  /** Something was found from which a new search continues. */
  needsSearch = false;
  private readonly parts: ClosureParts;
  private readonly sets = new Map<number, Variable[]>();
  /** Not judged yet: the daemon checks objects first. */
  private waiting: Variable[] = [];
  private readonly known: NamedScope[] = [];
  private readonly kept = new Set<object>();
  private readonly seenValues = new WeakSet<object>();
  private readonly seenFunctions = new WeakSet<object>();
  private readonly names = new Set<string>();
  private offered: [object, string][] = [];
  private nextId = 1;
  /** A store or a framework was met: it shows the values of unnamed variables. */
  private leadsToStores = false;

  constructor(parts: ClosureParts) {
    this.parts = parts;
  }

  /** True for roots that no search can find again. */
  keeps(found: Found): boolean {
    return this.kept.has(found.identity) || this.leadsToStores;
  }

  /** The number for `set`; -1 if they are known already. */
  add(origin: string, scopes: object): number {
    const variables: Variable[] = [];
    const found = [...scopesOf(scopes)]
      .filter((scope) => !this.known.some((other) => isKnownBundle(other, scope)))
      .map(withNames);
    if (isOfAgent(found)) return -1;
    for (const scope of found) {
      if (this.known.some((other) => isSameScope(other, scope))) continue;
      this.known.push(scope);
      const isCrowded = scope.names.length > CROWDED;
      for (const name of scope.names.slice(0, MAX_VARIABLES)) {
        const value = own(scope.variables, name);
        if (!isObject(value) && !isFunction(value) && NO_STATE.test(name)) continue;
        this.parts.unwrapper.svelte.learn(value);
        // Functions of a crowded scope lead back to it.
        if (!isCrowded && isFunction(value) && !isNative(value)) this.parts.discovery.addFunction(value, origin);
        variables.push({ scope: scope.at, name, origin, isCrowded, isShown: false, value });
      }
    }
    if (variables.length === 0) return -1;
    for (const { value } of variables) if (isObject(value)) this.parts.vetting.allows(value);
    this.waiting.push(...variables);
    this.sets.set(this.nextId, variables);
    return this.nextId++;
  }

  /** Judges the new variables; yields where it can be interrupted. */
  *judge(): Generator<void, void, void> {
    if (this.waiting.length === 0) return;
    const { vetting } = this.parts;
    const given = this.waiting;
    this.waiting = [];
    const shown = attempt(() => shownInDom(document.body), 'Closures.shown') ?? [];
    yield;
    for (const [at, variable] of given.entries()) {
      const { value } = variable;
      if (!isFunction(value) && !vetting.allows(value)) this.waiting.push(variable);
      else if (this.kept.size < MAX_ROOTS) {
        if (attempt(() => this.isState(variable, shown), 'Closures.isState') === true) this.show(variable, shown);
      }
      if (at % JUDGED_AT_ONCE === 0) yield;
    }
  }

  set(id: number, scopes: object): void {
    const found = new Map([...scopesOf(scopes)].map(({ at, variables }) => [at, variables]));
    for (const variable of this.sets.get(id) ?? []) {
      const scope = found.get(variable.scope);
      if (!scope) continue;
      const value = own(scope, variable.name);
      // A variable that was empty before may be state now.
      if (!variable.isShown && value !== variable.value && !this.waiting.includes(variable))
        this.waiting.push(variable);
      variable.value = value;
    }
  }

  /** The numbers of scopes with shown variables, as JSON. */
  live(): string {
    const live = [...this.sets].filter(([, variables]) => variables.some((variable) => this.kept.has(variable)));
    return toJson(live.map(([id]) => id));
  }

  /** Functions to inspect, each returned once. */
  functions(): object[] {
    const { innerFunctions, functions } = this.parts.discovery;
    this.offered = [...innerFunctions, ...functions]
      .filter(([fn]) => !this.seenFunctions.has(fn))
      .slice(0, MAX_FUNCTIONS);
    for (const [fn] of this.offered) this.seenFunctions.add(fn);
    return this.offered.map(([fn]) => fn);
  }

  /** The owners of the functions of the last call, as JSON. */
  functionOrigins(): string {
    return toJson(this.offered.map(([, origin]) => origin));
  }

  /**
   * Variables replace stores that are not found. A framework that draws the page after they were inspected shows the
   * same objects under better names, which a page that is read later has from the start.
   */
  private get isNeeded(): boolean {
    const { registry, discovery } = this.parts;
    return !this.leadsToStores && (discovery.hidesState || !registry.hasMoreThanVariables);
  }

  private show(variable: Variable, shown: readonly Shown[]): void {
    const { name, origin, value } = variable;
    const given = isMinified(name) ? (this.nameOfModule(value, origin) ?? this.nameFor(value, shown)) : name;
    this.kept.add(variable);
    variable.isShown = true;
    this.parts.registry.add({
      kind: 'closures',
      id: given ?? variable.name,
      wanted: given ?? '',
      origin: `closure of ${variable.origin}`,
      identity: variable,
      stable: false,
      mangled: given === null,
      guessed: () => (given === name ? [] : ['']),
      read: () => {
        const { value } = variable;
        return this.isNeeded && this.parts.vetting.allows(value) ? value : undefined;
      },
    });
  }

  /** The state of a module is named after the module. */
  private nameOfModule(value: unknown, origin: string): string | null {
    const [, module] = /^[\w$]+\.(\w{3,})$/.exec(origin) ?? [];
    if (module === undefined || !isObject(value)) return null;
    const name = freeName(module, this.names);
    this.names.add(name);
    return name;
  }

  /** The text beside the value on the page; each name is used once. */
  private nameFor(value: unknown, shown: readonly Shown[]): string | null {
    const resolved = isObject(value) ? this.parts.unwrapper.resolve(value) : value;
    // Too many values are true or zero.
    if (typeof resolved === 'boolean' || resolved === 0 || (isObject(resolved) && !Array.isArray(resolved)))
      return null;
    const name = nameFromPlace(resolved, shown);
    if (name === null || this.names.has(name)) return null;
    this.names.add(name);
    return name;
  }

  private isState({ name, value, isCrowded, origin }: Variable, shown: readonly Shown[]): boolean {
    const { recogniser, classifier, unwrapper, discovery } = this.parts;
    if (value === undefined || value === null || typeof value === 'symbol') return false;
    // An unnamed number is only useful if the page shows it.
    if (!isObject(value) && !isFunction(value))
      return !isCrowded && (!isMinified(name) || (typeof value === 'number' && nameFromPlace(value, shown) !== null));
    if (this.seenValues.has(value)) return false;
    this.seenValues.add(value);
    if (isFunction(value) && isNative(value)) return false;
    if (!classifier.blocked.has(value) && recogniser.recognise(value)) {
      this.needsSearch = true;
      this.leadsToStores = true;
      return false;
    }
    if (isFunction(value)) return false;
    // The names of a Proxy must not be read.
    if (!classifier.blocked.has(value) && isToolbox(value))
      discovery.addFunction(firstFunction(value), origin, discovery.innerFunctions);
    if (NO_STATE.test(name) && !isMinified(name)) return false;
    const resolved = unwrapper.resolve(value);
    if (resolved !== value && !isObject(resolved)) return resolved !== undefined && !isFunction(resolved);
    if (!isObject(resolved)) return false;
    // Values that the app made reactive are its state.
    return resolved !== value ? classifier.classify(resolved) !== null : looksLikeData(resolved, classifier, isCrowded);
  }
}
