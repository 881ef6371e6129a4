/**
 * The state agent: evaluated once in a page's own world and held only by its object id. It writes nothing into the
 * page, runs no timer, and does nothing between two calls except listening for changes, while somebody waits for them.
 */

import { takeDiscarded } from '../../tree/discarded.ts';
import { toJson, toJsonInPieces } from '../../tree/json.ts';
import { ShadowTree } from '../../tree/shadow-tree.ts';
import type { PageAgentOptions } from '../protocol.ts';
import { Actions } from './actions.ts';
import { appMark } from './app-mark.ts';
import { Changes } from './changes.ts';
import { PageClassifier } from './classify.ts';
import { Closures } from './closures.ts';
import { Discovery } from './discovery.ts';
import { drawnPlace } from './drawn-objects.ts';
import { Globals } from './globals.ts';
import { Instances } from './instances.ts';
import { RESERVED } from './naming.ts';
import { PageErrors } from './page-errors.ts';
import { fieldNames, RootRegistry } from './root-registry.ts';
import { attempt, isObject } from './safe.ts';
import { Searcher } from './searcher.ts';
import { MobxReader } from './stores/mobx.ts';
import { Recogniser } from './stores/recognise.ts';
import { Unwrapper } from './unwrap.ts';
import { Vetting } from './vetting.ts';

/** The time for checking objects that should not have changed. */
const SWEEP_MS = 0.3;

/** An object that takes longer to compare is compared less often, so that its average is this. */
const REST_MS = 12;

/** The share of the budget for the search; the rest is for reading its results. */
const SEARCH_SHARE = 0.6;
/** A later report may use this part of the first one's budget. */
const LATER_PART = 1 / 8;

/** The number of levels of new objects that are checked before a report. */
const MAX_VETTING_ROUNDS = 6;

export interface StateAgent {
  poll(full: boolean): string;
  suspects(): object[];
  /** Returns true if the cleared objects lead to more. */
  markProxies(indices: number[]): boolean;
  setLexicals(read: () => object): void;
  functions(): object[];
  functionOrigins(): string;
  addScopes(origin: string, scopes: object): number;
  setScopes(id: number, scopes: object): void;
  liveScopes(): string;
  invoke(binding: string, argsJson: string): Promise<string>;
  /** Where a library draws a text, or null. */
  locateDrawn(text: string, within: string): string;
  changed(): Promise<void>;
  dispose(): void;
}

export default function createStateAgent(options: PageAgentOptions): StateAgent {
  const agent = new Agent(options);
  // Only the methods that the daemon calls; each bound, since it is called through an object id.
  return {
    poll: (full) => agent.poll(full),
    suspects: () => agent.suspects(),
    markProxies: (indices) => {
      agent.vetting.settle(indices);
      return agent.vetting.isWaiting;
    },
    setLexicals: (read) => agent.globals.setLexicals(read),
    functions: () => agent.closures.functions(),
    functionOrigins: () => agent.closures.functionOrigins(),
    addScopes: (origin, scopes) => agent.closures.add(origin, scopes),
    setScopes: (id, scopes) => agent.closures.set(id, scopes),
    liveScopes: () => agent.closures.live(),
    invoke: (binding, argsJson) => agent.invoke(binding, argsJson),
    locateDrawn: (text, within) => toJson(drawnPlace(text, within)),
    changed: () => agent.changes.next(),
    dispose: () => agent.dispose(),
  };
}

class Agent {
  readonly discovery: Discovery;
  readonly closures: Closures;
  readonly changes: Changes;
  private readonly options: PageAgentOptions;
  readonly globals: Globals;
  private readonly errors = new PageErrors(now);
  private readonly classifier = new PageClassifier();
  readonly vetting: Vetting;
  private readonly namesOf: (value: unknown) => string[] | null;
  /** Names at the first level that no state of the page may have. */
  private readonly reserved: ReadonlySet<string>;
  private readonly registry: RootRegistry;
  private readonly tree: ShadowTree;
  private readonly actions: Actions;
  private readonly searcher: Searcher;
  private capture: Generator<void, string, void> | null = null;
  private fullWanted = false;
  private deadline = 0;
  private asksForVetting = false;
  private spentMs = 0;
  private callAt = 0;
  private budgetMs = 0;
  private hasReported = false;
  private searchStopped = false;
  private sentRoots = '';
  private sentActions = '';
  private sentActionsFor = '';

  constructor(options: PageAgentOptions) {
    this.options = options;
    this.reserved = options.labelPrefix === '' ? RESERVED : new Set();
    const { classifier } = this;
    const unwrapper = new Unwrapper(classifier);
    const instances = new Instances({
      classifier,
      unwrapper,
      kindOf: (name) => this.registry.kindOf(name),
      isHolder: (value) => this.discovery.components.holders.has(value),
    });
    const vetting = new Vetting(classifier, instances);
    this.vetting = vetting;
    this.namesOf = (value) => {
      const resolved = isObject(value) ? unwrapper.resolve(value) : value;
      return isObject(resolved) && classifier.blocked.has(resolved) ? null : fieldNames(resolved);
    };
    const registry = new RootRegistry({
      rootPrefix: options.rootPrefix,
      appMark: appMark(),
      labelPrefix: options.labelPrefix,
      namesOf: this.namesOf,
      isShown: (name) => this.tree.showsRoot(name),
    });
    const recogniser = new Recogniser(registry, new MobxReader(classifier.views), {
      isOpen: (value, depth) => vetting.isOpen(value, depth),
      isProxy: (value) => classifier.blocked.has(value),
      hasMobx: () => unwrapper.presence.mobx,
    });
    const globals = new Globals(classifier, vetting, recogniser.recognise);
    this.registry = registry;
    this.globals = globals;
    globals.setTaken(this.reserved);
    const guard = {
      isOpen: recogniser.isOpen,
      allows: (value: unknown) => vetting.allows(value),
      trust: (value: object) => vetting.trust(value),
    };
    this.discovery = new Discovery({ registry, unwrapper, recogniser, globals, guard });
    this.closures = new Closures({ registry, classifier, unwrapper, vetting, recogniser, discovery: this.discovery });
    this.changes = new Changes(() => registry.founds(), now);
    const { components } = this.discovery;
    const scopes = new WeakSet<object>([registry.top, globals.view, globals.hiddenView]);
    this.tree = new ShadowTree(registry.top, {
      classify: classifier.classify,
      maxLeaves: options.maxKeys,
      now,
      isScope: (value) => scopes.has(value) || components.holders.has(value),
      resolve: unwrapper.resolve,
      isStable: registry.isStable,
      isGuarded: registry.isGuarded,
      mayRead: vetting.mayRead,
      labelOf: registry.labelOf,
      restMs: REST_MS,
      variablesHideKnown: true,
    });
    this.actions = new Actions(registry, this.tree);
    this.searcher = new Searcher({
      registry,
      closures: this.closures,
      discovery: this.discovery,
      now,
      isLate: () => now() > this.deadline,
      isSpent: () => {
        this.searchStopped = this.isSpent(SEARCH_SHARE);
        return this.searchStopped;
      },
      waitForLook: () => this.waitForLook(),
    });
  }

  poll(full: boolean): string {
    this.callAt = now();
    this.deadline = this.callAt + this.options.sliceMs;
    this.changes.touch();
    this.errors.touch();
    this.fullWanted ||= full;
    this.capture ??= this.run();
    this.budgetMs = this.options.budgetMs * (this.hasReported ? LATER_PART : 1);
    try {
      const step = this.capture.next();
      this.spentMs += now() - this.callAt;
      if (!step.done) return this.asksForVetting ? '{"more":true,"suspects":true}' : '{"more":true}';
      this.capture = null;
      this.fullWanted = false;
      this.hasReported = true;
      const text = `${step.value.slice(0, -1)},"spentMs":${Math.round(this.spentMs * 1000) / 1000}}`;
      this.spentMs = 0;
      return text;
    } catch (error) {
      this.capture = null;
      throw error;
    }
  }

  /** Objects that only the daemon can judge; empty if none waits. */
  suspects(): object[] {
    if (this.searcher.polls === 0) attempt(() => this.globals.submit(), 'Main.submit');
    const deadline = now() + this.options.sliceMs;
    return this.vetting.offer(() => now() > deadline);
  }

  async invoke(binding: string, argsJson: string): Promise<string> {
    const args: unknown = JSON.parse(argsJson);
    const result = await this.actions.invoke(binding, Array.isArray(args) ? args : [args]);
    // It may have been refused because the page has changed.
    if (!result.dispatched) this.sentActionsFor = '';
    return toJson(result);
  }

  dispose(): void {
    this.changes.stop();
    this.errors.stop();
    this.capture = null;
    this.searcher.stop();
  }

  private *run(): Generator<void, string, void> {
    yield* this.searcher.run();
    if (this.errors.count > 0) this.registry.add(this.errors.found);
    // While there is time the comparison is not interrupted, so that a report shows one moment.
    this.registry.refresh();
    yield* this.paced(this.tree.compareInSteps());
    this.tree.sweep(now() + SWEEP_MS);
    yield* this.expand();
    const { version } = this.registry;
    yield* this.admit();
    if (this.registry.version !== version && this.globals.setTaken(this.takenNames())) {
      this.registry.refresh();
      this.tree.compare();
      yield* this.admit();
    }
    yield* this.askForVetting();
    return yield* this.report();
  }

  /** The daemon checks new objects of variables before the report: otherwise they would be missing in it. */
  private *askForVetting(): Generator<void, void, void> {
    for (let round = 0; round < MAX_VETTING_ROUNDS && this.vetting.isWaiting; round++) {
      if (!(yield* this.waitForLook())) return;
      this.registry.refresh();
      this.tree.placeRoots();
      yield* this.paced(this.tree.lookAgain());
      yield* this.expand();
      yield* this.admit();
    }
  }

  private *admit(): Generator<void, void, void> {
    while (this.registry.admitNext()) {
      this.tree.placeRoots();
      yield* this.expand();
    }
  }

  /** Lets the daemon check the waiting objects; returns false if it did not. */
  private *waitForLook(): Generator<void, boolean, void> {
    const { looks } = this.vetting;
    this.asksForVetting = true;
    yield;
    this.asksForVetting = false;
    return this.vetting.looks !== looks;
  }

  private *expand(): Generator<void, void, void> {
    while (!this.tree.expand(this.deadline) && !this.isSpent(1)) yield;
  }

  private isSpent(share: number): boolean {
    return this.spentMs + now() - this.callAt > this.budgetMs * share;
  }

  private *report(): Generator<void, string, void> {
    const full = this.fullWanted;
    const { leafCount, leftOut, waiting } = this.tree;
    const hidden = leftOut + waiting + this.discovery.components.leftOut;
    const roots = this.registry.roots().map((root) => ({ ...root }));
    const rootsText = toJson(roots);
    const rootsChanged = full || rootsText !== this.sentRoots;
    this.sentRoots = rootsText;
    const actions = yield* this.takeActions(full);
    const leaves = full ? yield* this.paced(this.tree.takeFullInPieces()) : this.tree.takeUpdate();
    const leavesText = leaves.kind === 'full' ? yield* this.paced(toJsonInPieces(leaves)) : toJson(leaves);
    const dropped = takeDiscarded(full);
    const coverage = leafCount === 0 ? 1 : leafCount / (leafCount + hidden);
    return (
      `{"more":false,"leaves":${leavesText},"roots":${rootsChanged ? rootsText : 'null'},"actions":${actions ?? 'null'},` +
      `"rawCount":${leafCount + hidden},"coverage":${coverage},"stopped":${this.searchStopped || waiting > 0},"wantsClosures":${!this.registry.hasStores || this.discovery.hidesState},"suspects":${this.vetting.isWaiting}${dropped ? `,"discarded":${toJson(dropped)}` : ''}}`
    );
  }

  /** JSON of the actions if they have changed. */
  private *takeActions(full: boolean): Generator<void, string | null, void> {
    const version = `${this.tree.structureVersion} ${this.registry.version}`;
    if (!full && version === this.sentActionsFor) return null;
    this.sentActionsFor = version;
    const text = toJson(yield* this.paced(this.actions.collect()));
    if (!full && text === this.sentActions) return null;
    this.sentActions = text;
    return text;
  }

  /** Names at the first level that clients see, except for the page's own variables. */
  private takenNames(): Set<string> {
    const names = new Set<string>(this.reserved);
    for (const { name, label } of this.registry.roots()) {
      if (label === undefined || this.registry.isVariable(name)) continue;
      if (label === this.options.labelPrefix)
        for (const field of this.namesOf(this.registry.top[name]) ?? []) names.add(field);
      else names.add(label.slice(this.options.labelPrefix.length).replace(/^\./, ''));
    }
    return names;
  }

  private *paced<Result>(work: Generator<void, Result, void>): Generator<void, Result, void> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (now() > this.deadline) yield;
    }
  }
}

function now(): number {
  return performance.now();
}
