/** The agent, independent of its transport: one capture at a time, in slices, and calls of the app's methods. */

import type { BudgetPart } from '../../../../../model/budget.ts';
import type { LeafRoot } from '../../../../../model/leaves.ts';
import { takeDiscarded } from '../../tree/discarded.ts';
import { toJson, toJsonInPieces } from '../../tree/json.ts';
import { ShadowTree } from '../../tree/shadow-tree.ts';
import { collectActions, judgedOf, resolveAction } from './actions.ts';
import type { Unseen } from './alive.ts';
import { constructorOf, createClassifier, PersistentViews } from './classify.ts';
import { createClock, type Load } from './clock.ts';
import { describeError, shortText } from './describe.ts';
import { Discovery } from './discovery.ts';
import { LaterThrows } from './later-throws.ts';
import { isManifest, isNamespace } from './namespaces.ts';
import { Pace, type PaceClock } from './pace.ts';
import type {
  AgentAction,
  AgentExtension,
  AgentNotice,
  AgentRequest,
  CaptureOptions,
  CaptureResult,
  InvokeResult,
} from './protocol.ts';
import { quietDescriptor } from './quiet.ts';
import type { Reflecting } from './reflecting.ts';
import { DataHolders } from './rows.ts';
import { MAX_SCOPE_LEVEL, ScopeRegistry } from './scope-registry.ts';
import { ScriptOwners } from './scripts.ts';

/**
 * The share of the budget that may be used when the roots are found, and when their hidden parts are; the rest is for
 * reading.
 */
const FOUND_SHARE = 0.5;
const SHOWN_SHARE = 0.85;
/** To find all functions, V8 collects its garbage several times: 1.5 s were measured at 38 MB. */
const HEAP_LOOK_MS_PER_MB = 40;
/** The share of the budget for one scan. */
const HEAP_LOOK_PART = 0.5;
/** A later capture may use this part of the first one's budget; and a larger share of the time, because it is short. */
const LATER_PART = 1 / 8;
const LATER_PERCENT = 25;
/** The limit for a capture that continues a search. */
const GOES_ON_PART = 1 / 4;
/** How long the first search waits for a busy app. */
const BUSY_WAIT_MS = 8000;
/** New servers, timers and modules are searched from time to time, not at every capture. */
const CAPTURES_PER_DISCOVERY = 15;
/** A search that its budget has ended is continued by the next captures. */
const MAX_CONTINUATIONS = 20;
/** Objects that take longer to compare rest for some captures. */
const REST_MS = 2;
/** Classes whose sources are compared with those of arrow functions. */
const MAX_CLASSES = 200;
/** Objects of libraries that are opened if nothing else is found. */
const MAX_ADOPTED = 2;
/** Fetched facts may lead to further queries. */
const MAX_ROUNDS = 40;
const MAX_HIDDEN = 4;

export interface AgentParts {
  readonly reflector: Reflecting;
  /** Path or URL of the script that the process runs. */
  readonly mainPath: string;
  readonly product?: readonly string[];
  readonly extension: AgentExtension | null;
  /** Sends a message to the daemon without a request; null if that is impossible. */
  readonly push: ((message: AgentNotice) => void) | null;
  /** Nothing cheaper leads to the app's functions, so the heap is scanned at the start. */
  readonly heapFirst: boolean;
}

export class Agent {
  private readonly clock: PaceClock;
  private readonly pace: Pace;
  private readonly laterThrows: LaterThrows | null;
  private readonly options: CaptureOptions;
  private readonly extension: AgentExtension | null;
  private readonly heapFirst: boolean;
  private readonly reflector: Reflecting;
  private readonly discovery: Discovery;
  private readonly registry: ScopeRegistry;
  private readonly tree: ShadowTree;
  private readonly classify: ReturnType<typeof createClassifier>;
  private readonly holders: DataHolders;
  private readonly persistent: PersistentViews;
  /** The visible part of each package.json. */
  private readonly manifests = new WeakMap<object, object>();
  private lastCapture: Promise<unknown> = Promise.resolve();
  private captures = 0;
  private heapScanned = false;
  private sentActionsFor = -1;
  private sentActions = '';
  private sentSources = new Map<string, string>();
  private actionsStale = false;
  private rootsStale = true;
  private sentRoots = '';
  private continuations = 0;
  private lastAt = 0;
  /** The cost of a capture before its budget began anew. */
  private costBefore = 0;
  /** The part of the budget that ended the last search, and the reading of its results. */
  private searchEnded: BudgetPart | null = null;
  private readingEnded: BudgetPart | null = null;
  private unseen: Unseen = 'nothing';
  private disposed = false;

  constructor(options: CaptureOptions, load: Load, parts: AgentParts) {
    const { reflector, mainPath, product = [], extension, heapFirst, push } = parts;
    this.options = options;
    this.extension = extension;
    this.heapFirst = heapFirst;
    this.reflector = reflector;
    this.clock = createClock(load);
    this.pace = new Pace(this.clock);
    const { setTimeout, clearTimeout } = load<typeof import('node:timers')>('timers');
    const report = (error: unknown) => push?.({ op: 'thrown', text: describeError(error) });
    this.laterThrows = push && new LaterThrows({ setTimeout, clearTimeout, report });
    const { types } = load<typeof import('node:util')>('util');
    const moduleClass = load<{ _cache?: Record<string, { exports?: unknown }> }>('module');
    const owners = new ScriptOwners(mainPath, product);
    this.holders = new DataHolders(types);
    this.persistent = new PersistentViews(types);
    const ownerOf = (maker: object) => this.discovery.knownOwnerOf(maker);
    const classify = createClassifier(types, ownerOf, this.holders, this.persistent);
    this.classify = classify;
    this.registry = new ScopeRegistry(this.reflector, owners, (value) => this.stateOf(value));
    this.discovery = new Discovery(this.reflector, owners, this.registry, {
      process,
      setTimeout,
      requireCache: moduleClass._cache ?? {},
      types,
      builtIns: builtInPrototypes(load),
      furtherRoots: () => extension?.roots() ?? [],
      isSpent: () => {
        this.searchEnded ??= this.pace.spentPart;
        return this.isSpent();
      },
    });
    this.tree = new ShadowTree(this.registry.top, {
      classify,
      resolve: this.persistent.of,
      maxLeaves: options.maxKeys,
      now: this.clock.now,
      restMs: REST_MS,
      isScope: (value) => this.registry.scopeObjects.has(value),
    });
  }

  /** The answer as JSON text; null to end the connection. */
  async answer(request: AgentRequest): Promise<string | null> {
    const { id } = request;
    try {
      if (this.disposed || request.op === 'dispose') return null;
      if (request.op === 'invoke') return JSON.stringify({ id, result: await this.invoke(request) });
      if (request.op === 'extension')
        return JSON.stringify({ id, result: await this.extension?.answer(request.request) });
      // One at a time, in order: a capture that the daemon gave up still has to end before the next begins.
      const capture = this.lastCapture.then(() => this.capture(request.full, request.deep, request.isAsked === true));
      // The caller gets the error.
      this.lastCapture = capture.catch(() => undefined);
      const result = await capture;
      if (!request.full) return toJson({ id, result });
      // Writing a large report takes a while.
      await this.pace.rest();
      return await this.inSlices(toJsonInPieces({ id, result }));
    } catch (error) {
      return JSON.stringify({ id, error: describeError(error) });
    }
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.laterThrows?.stop();
    this.extension?.dispose();
    this.reflector.dispose();
  }

  private async capture(full: boolean, deep: boolean, isAsked: boolean): Promise<CaptureResult> {
    const isFirst = this.captures === 0;
    // If the heap may not be scanned, a deeper capture would find nothing more.
    const looksDeeper = deep && this.mayScanHeap(isAsked);
    const isWhole = isFirst || looksDeeper;
    const goesOn = this.searchEnded !== null && this.continuations++ < this.maxContinuations;
    this.costBefore = 0;
    this.beginWork(isWhole, goesOn);
    const isDue = this.captures++ % CAPTURES_PER_DISCOVERY === 0;
    const discover = this.holdReceivers() || isDue || looksDeeper || goesOn;
    this.reflector.begin();
    if (isFirst) {
      this.reflector.nameScripts();
      this.pace.beginStages();
      await this.pace.rest();
    }
    if (discover) await this.discover(looksDeeper);
    const structure = this.tree.structureVersion;
    this.discovery.askForDue();
    await this.fetchWanted();
    this.pace.stage(1);
    // The comparison itself is not interrupted, so that a capture shows one moment.
    this.discovery.refresh();
    await this.compare();
    if (this.tree.structureVersion !== structure) await this.readNew();
    await this.learnOwners();
    this.watchCalls(isDue);
    if (discover) this.unseen = this.heapScanned ? 'nothing' : this.discovery.unseenBeside(this.tree);
    const result = await this.report(full);
    this.reflector.begin();
    this.reflector.rest();
    if (this.continuations >= this.maxContinuations) this.discovery.endWalk();
    this.lastAt = this.clock.now();
    return result;
  }

  private beginWork(isWhole: boolean, goesOn: boolean): void {
    const { searchMs, searchPercent, memoryBytes } = this.options.budget;
    // A continued search has its share of the time since the last capture, within limits.
    const savedMs = goesOn ? ((this.clock.now() - this.lastAt) * searchPercent) / 100 : 0;
    this.pace.begin({
      ms: isWhole ? searchMs : searchMs * Math.max(LATER_PART, Math.min(GOES_ON_PART, savedMs / searchMs)),
      percent: isWhole ? searchPercent : Math.max(LATER_PERCENT, searchPercent),
      bytes: memoryBytes,
      // In later captures somebody may wait for the answer.
      busyWaitMs: isWhole ? BUSY_WAIT_MS : 0,
    });
  }

  private get maxContinuations(): number {
    return this.discovery.hasOwnLeft ? MAX_CONTINUATIONS : MAX_CONTINUATIONS / 2;
  }

  /** Holds objects that calls have revealed since the last capture; returns true if there are new ones. */
  private holdReceivers(): boolean {
    const { receivers, held } = this.discovery;
    const added = receivers
      .takeHits()
      .filter(({ place, receiver }) => (held.has(receiver) || this.mayHold(receiver)) && held.add(receiver, place));
    return added.length > 0;
  }

  /** Holds objects of the app's own classes that only the event loop leads to. */
  private async holdInstances(): Promise<void> {
    const { app, library, heap } = this.discovery.instances.take();
    for (const object of [...app, ...heap]) {
      if (this.isSpent()) return;
      const isFromHeap = !app.includes(object);
      if (this.mayHold(object) && this.discovery.held.add(object, null, isFromHeap)) await this.readNew();
    }
    // A script that only starts the server of a library has no state but that of the server.
    for (const object of this.tree.leafCount === 0 ? library.slice(0, MAX_ADOPTED) : []) {
      this.holders.adopt(object);
      if (this.mayHold(object) && this.discovery.held.add(object, null)) await this.readNew();
    }
  }

  private mayHold(object: object): boolean {
    return !this.tree.shows(object) && !this.discovery.isModule(object) && this.stateOf(object) === object;
  }

  private watchCalls(rotate: boolean): void {
    if (!this.reflector.canWatchCalls) return;
    const shown = new Set<object>();
    for (const { target } of this.tree.holders) {
      const maker = constructorOf(target);
      if (maker !== null && shown.size < MAX_CLASSES) shown.add(maker);
    }
    this.discovery.receivers.watch(shown, rotate);
  }

  private async discover(looksDeeper: boolean): Promise<void> {
    this.actionsStale = true;
    this.rootsStale = true;
    this.searchEnded = null;
    this.holders.recheck();
    this.pace.stage(FOUND_SHARE);
    if (!looksDeeper || this.captures === 1) await this.search(() => this.discovery.findRoots());
    if (looksDeeper || (this.heapFirst && this.captures === 1 && this.mayScanHeap(false))) await this.searchHeap();
    // Copies of scopes can only be compared if they are of the same moment.
    this.reflector.begin();
    this.discovery.askForFound();
    await this.fetchWanted();
    this.pace.stage(SHOWN_SHARE);
    for (const exported of [false, true]) {
      for (let level = 1; level <= MAX_SCOPE_LEVEL; level++)
        if (await this.inSlices(this.discovery.showLevel(level, exported))) await this.readNew();
      if (!exported) await this.holdInstances();
    }
  }

  private async searchHeap(): Promise<void> {
    this.heapScanned = true;
    this.searchEnded = null;
    await this.pace.outside(this.reflector.findFunctions());
    await this.inSlices(this.discovery.sortHeap());
    this.costBefore = this.pace.costMs;
    // The preparation, and garbage that V8 collected for others, do not count as its own cost.
    this.beginWork(true, false);
    this.pace.stage(FOUND_SHARE);
    await this.search(() => this.discovery.findRootsInHeap());
    this.discovery.heapFunctions = [];
  }

  /** Repeats while it meets functions that have to be fetched. */
  private async search(work: () => Generator<void, void, void>): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.inSlices(work());
      if (this.isSpent() || !(await this.fetchWanted())) return;
    }
  }

  private async compare(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.tree.compare();
      await this.expand();
      if (!(await this.fetchWanted())) return;
    }
  }

  /** Fetches the owners of methods that could be actions. */
  private async learnOwners(): Promise<void> {
    if (!this.reflector.isRemote) return;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      collectActions(this.tree, (fn) => this.discovery.ownerOf(fn));
      if (!(await this.fetchWanted())) return;
    }
  }

  /** Reads new variables, the objects below them, and their hidden parts. */
  private async readNew(): Promise<void> {
    await this.pace.rest();
    await this.compare();
    // A private field may hold an object with private fields, which the next round finds.
    for (let round = 0, structure = -1; round < MAX_HIDDEN && this.tree.structureVersion !== structure; round++) {
      structure = this.tree.structureVersion;
      await this.search(() => this.discovery.findHidden(this.tree));
      await this.expand();
    }
  }

  private async report(full: boolean): Promise<CaptureResult> {
    const dropped = takeDiscarded(full);
    const roots = this.takeRoots(full);
    const { leafCount, waiting } = this.tree;
    this.readingEnded = waiting === 0 ? null : (this.pace.spentPart ?? this.readingEnded);
    // An unfinished search counts as one omitted leaf, since its results are unknown.
    const leftOut = this.tree.leftOut + waiting + (this.searchEnded === null ? 0 : 1);
    return {
      leaves: full ? await this.inSlices(this.tree.takeFullInPieces()) : this.tree.takeUpdate(),
      roots,
      actions: this.takeActions(full),
      rawCount: leafCount + leftOut,
      coverage: leftOut === 0 ? 1 : leafCount / (leafCount + leftOut),
      costMs: Math.round((this.costBefore + this.pace.costMs) * 100) / 100,
      stoppedBy: this.searchEnded ?? this.readingEnded,
      unseen: this.unseen,
      isSearching: this.discovery.hasFoundMore,
      hasMuchLeft: this.discovery.hasMuchLeft,
      waitsFor: this.discovery.receivers.waitsFor(this.discovery.hasServer),
      heapScanned: this.heapScanned,
      ...(dropped ? { discarded: dropped } : {}),
    };
  }

  /** Recomputed after a search; sent if they have changed. */
  private takeRoots(full: boolean): LeafRoot[] | null {
    if (!full && !this.rootsStale) return null;
    this.rootsStale = false;
    const roots = this.registry.describeRoots((value) => {
      const maker = constructorOf(value);
      return maker !== null && this.discovery.knownOwnerOf(maker) === 'app';
    });
    const text = JSON.stringify(roots);
    if (!full && text === this.sentRoots) return null;
    this.sentRoots = text;
    return roots;
  }

  /** Recomputed when the tree has changed or after a search; sent if they have changed. */
  private takeActions(full: boolean): AgentAction[] | null {
    if (!full && !this.actionsStale && this.sentActionsFor === this.tree.structureVersion) return null;
    this.actionsStale = false;
    this.sentActionsFor = this.tree.structureVersion;
    const actions = [
      ...collectActions(this.tree, (fn) => this.discovery.ownerOf(fn)),
      ...(this.extension?.actions() ?? [])
        .filter(({ fn }) => this.discovery.ownerOf(fn) === 'app')
        .map(({ binding, fn, given }) => ({ binding, ...judgedOf(null, fn), className: null, given })),
    ];
    const text = JSON.stringify(actions);
    if (!full && text === this.sentActions) return null;
    this.sentActions = text;
    this.sentSources = new Map(actions.map(({ binding, ...action }) => [binding, judgedText(action)]));
    return actions;
  }

  private async invoke({ binding, args, indices }: Extract<AgentRequest, { op: 'invoke' }>): Promise<InvokeResult> {
    const further = this.extension?.actions().find((candidate) => candidate.binding === binding);
    const action = further ? { fn: further.fn, holder: undefined } : resolveAction(this.tree, binding, indices);
    if (!action) return { ok: false, dispatched: false, text: 'the object that has this action is gone' };
    // The judgement is about the function of that time, not about its replacement.
    if (this.sentSources.get(binding) !== judgedText(judgedOf(action.holder ?? null, action.fn))) {
      this.sentActions = '';
      this.actionsStale = true;
      return { ok: false, dispatched: false, text: 'the app has replaced this method since it was judged' };
    }
    this.laterThrows?.listen();
    try {
      const result: unknown = await Reflect.apply(action.fn, action.holder, [...(further?.makeGiven() ?? []), ...args]);
      return { ok: true, dispatched: true, text: shortText(result) };
    } catch (error) {
      return { ok: false, dispatched: true, text: describeError(error) };
    } finally {
      this.laterThrows?.listen();
    }
  }

  /** The app is blocked meanwhile: without a request it must be short. */
  private mayScanHeap(isAsked: boolean): boolean {
    const { heapScan, heapScanMaxMb, budget } = this.options;
    const usedMb = process.memoryUsage().heapUsed / (1024 * 1024);
    if (!heapScan || usedMb >= heapScanMaxMb) return false;
    return isAsked || this.heapFirst || usedMb * HEAP_LOOK_MS_PER_MB <= budget.searchMs * HEAP_LOOK_PART;
  }

  /** The next captures read the rest that exceeds the budget. */
  private async expand(): Promise<void> {
    while (!this.tree.expand(this.pace.sliceEnd) && !this.disposed && !this.isSpent()) await this.pace.rest();
  }

  private async inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (this.disposed) throw new Error('the connection to the daemon has ended');
      if (this.pace.isSliceOver) await this.pace.rest();
    }
  }

  private isSpent(): boolean {
    return this.pace.spentPart !== null;
  }

  private fetchWanted(): Promise<boolean> {
    return this.pace.outside(this.reflector.fetchWanted());
  }

  /** A variable counts as state unless it is code: a function, a module, an object of a library. */
  private stateOf(value: unknown): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (typeof value !== 'object' || value === null || this.persistent.of(value) !== value) return value;
    const classified = this.classify(value);
    if (!classified) return undefined;
    if ('text' in classified) return classified.live || !classified.text.startsWith('[') ? value : undefined;
    if (classified.expand !== 'fields') return value;
    if (isManifest(value)) return this.shortManifest(value);
    return isNamespace(value) || this.isForeignToolbox(value) ? undefined : value;
  }

  private shortManifest(manifest: object): object {
    const known = this.manifests.get(manifest);
    const { name, version, description } = manifest as Record<string, unknown>;
    const short = known ?? { name, version, description };
    this.manifests.set(manifest, short);
    return short;
  }

  /** True for an object whose functions all come from elsewhere: `fs`, `path`, a library's exports. */
  private isForeignToolbox(value: object): boolean {
    const prototype: unknown = Object.getPrototypeOf(value);
    // It belongs to a class whose objects are shown.
    if (prototype !== null && prototype !== Object.prototype) return false;
    let functions = 0;
    for (const name of Object.getOwnPropertyNames(value)) {
      const member: unknown = quietDescriptor(value, name)?.value;
      if (typeof member !== 'function') continue;
      if (this.discovery.ownerOf(member) === 'app') return false;
      if (++functions === 3) return true;
    }
    return functions > 0;
  }
}

function builtInPrototypes(load: Load): Set<object> {
  const { EventEmitter } = load<typeof import('node:events')>('events');
  const { Readable, Writable, Duplex } = load<typeof import('node:stream')>('stream');
  const { Server, Socket } = load<typeof import('node:net')>('net');
  const http = load<typeof import('node:http')>('http');
  const classes = [EventEmitter, Readable, Writable, Duplex, Server, Socket, http.Server, http.IncomingMessage];
  return new Set([...classes, http.ServerResponse, http.OutgoingMessage].map(({ prototype }) => prototype as object));
}

function judgedText({ source, accessors }: Pick<AgentAction, 'source' | 'accessors'>): string {
  return JSON.stringify([source, accessors]);
}
