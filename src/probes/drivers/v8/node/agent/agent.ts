/** What the agent knows and does, however it is reached: one capture at a time, in slices, and calls of the app's methods. */

import type { BudgetPart } from '../../../../../model/budget.ts';
import type { LeafRoot } from '../../../../../model/leaves.ts';
import { takeDiscarded } from '../../tree/discarded.ts';
import { toJson, toJsonInPieces } from '../../tree/json.ts';
import { ShadowTree } from '../../tree/shadow-tree.ts';
import { collectActions, judgedOf, resolveAction } from './actions.ts';
import { createClassifier } from './classify.ts';
import { createClock, type Load } from './clock.ts';
import { Discovery } from './discovery.ts';
import { LaterThrows } from './later-throws.ts';
import { isManifest, isNamespace } from './namespaces.ts';
import { Pace } from './pace.ts';
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
import { MAX_SCOPE_LEVEL, ScopeRegistry } from './scope-registry.ts';
import { ScriptOwners } from './scripts.ts';

/** What may be used up of the budget when the roots are found, and when all that they hide is; the rest is for reading. */
const FOUND_SHARE = 0.5;
const SHOWN_SHARE = 0.85;
/** A later capture may have this part of the first one's budget; and more of the time, as it is over soon. */
const LATER_PART = 1 / 8;
const LATER_PERCENT = 25;
/** How long the first search waits for an app that is busy. */
const BUSY_WAIT_MS = 8000;
/** New servers, timers and modules are looked for now and then, not at every capture. */
const CAPTURES_PER_DISCOVERY = 15;
/** A search that its budget has ended goes on at the captures that follow. */
const MAX_CONTINUATIONS = 10;
/** Objects that take longer to compare rest for some captures. */
const REST_MS = 2;
const MAX_RESULT_TEXT = 500;
/** What is asked for may lead to more that has to be asked for. */
const MAX_ROUNDS = 40;

export interface AgentParts {
  readonly reflector: Reflecting;
  /** Path or URL of the script that the process runs. */
  readonly mainPath: string;
  readonly extension: AgentExtension | null;
  /** Says something to the daemon without being asked; null: there is no way to. */
  readonly push: ((message: AgentNotice) => void) | null;
  /** Nothing cheaper leads to the app's functions: the heap is looked through at the start. */
  readonly heapFirst: boolean;
}

export class Agent {
  private readonly pace: Pace;
  private readonly laterThrows: LaterThrows | null;
  private readonly options: CaptureOptions;
  private readonly extension: AgentExtension | null;
  private readonly heapFirst: boolean;
  private readonly reflector: Reflecting;
  private readonly discovery: Discovery;
  private readonly registry: ScopeRegistry;
  private readonly tree: ShadowTree;
  /** What is shown of each package.json. */
  private readonly manifests = new WeakMap<object, object>();
  private lastCapture: Promise<unknown> = Promise.resolve();
  private captures = 0;
  private heapScanned = false;
  private sentActionsFor = -1;
  private sentActions = '';
  private sentSources = new Map<string, string>();
  private actionsStale = false;
  private sentRoots = -1;
  private continuations = 0;
  /** What ended the last search, and what the reading of what it found. */
  private searchEnded: BudgetPart | null = null;
  private readingEnded: BudgetPart | null = null;
  private disposed = false;

  constructor(options: CaptureOptions, load: Load, parts: AgentParts) {
    const { reflector, mainPath, extension, heapFirst, push } = parts;
    this.options = options;
    this.extension = extension;
    this.heapFirst = heapFirst;
    this.reflector = reflector;
    const clock = createClock(load);
    this.pace = new Pace(clock);
    const { setTimeout, clearTimeout } = load<typeof import('node:timers')>('timers');
    const tell = (error: unknown) => push?.({ op: 'thrown', text: describeError(error) });
    this.laterThrows = push && new LaterThrows({ setTimeout, clearTimeout, tell });
    const { types } = load<typeof import('node:util')>('util');
    const moduleClass = load<{ _cache?: Record<string, { exports?: unknown }> }>('module');
    const owners = new ScriptOwners(mainPath);
    const classify = createClassifier(types, (maker) => this.discovery.knownOwnerOf(maker));
    this.registry = new ScopeRegistry(this.reflector, owners, (value) => this.stateOf(value, classify));
    this.discovery = new Discovery(this.reflector, owners, this.registry, {
      process,
      setTimeout,
      requireCache: moduleClass._cache ?? {},
      types,
      furtherRoots: () => extension?.roots() ?? [],
      isSpent: () => {
        this.searchEnded ??= this.pace.spentPart;
        return this.isSpent();
      },
    });
    this.tree = new ShadowTree(this.registry.top, {
      classify,
      maxLeaves: options.maxKeys,
      now: clock.now,
      restMs: REST_MS,
      isScope: (value) => this.registry.scopeObjects.has(value),
    });
  }

  /** The answer as JSON text; null: end the connection. */
  async answer(request: AgentRequest): Promise<string | null> {
    const { id } = request;
    try {
      if (this.disposed || request.op === 'dispose') return null;
      if (request.op === 'invoke') return JSON.stringify({ id, result: await this.invoke(request) });
      if (request.op === 'extension')
        return JSON.stringify({ id, result: await this.extension?.answer(request.request) });
      // One at a time, in order: a capture that the daemon gave up still has to end before the next begins.
      const capture = this.lastCapture.then(() => this.capture(request.full, request.deep));
      // Whoever asked for it is told.
      this.lastCapture = capture.catch(() => undefined);
      const result = await capture;
      if (!request.full) return toJson({ id, result });
      // Writing a large report takes its time.
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

  private async capture(full: boolean, deep: boolean): Promise<CaptureResult> {
    const { searchMs, searchPercent, memoryBytes } = this.options.budget;
    const isFirst = this.captures === 0;
    const isWhole = isFirst || deep;
    this.pace.begin({
      ms: isWhole ? searchMs : searchMs * LATER_PART,
      percent: isWhole ? searchPercent : Math.max(LATER_PERCENT, searchPercent),
      bytes: memoryBytes,
      // Later somebody may wait for the answer.
      busyWaitMs: isWhole ? BUSY_WAIT_MS : 0,
    });
    const goesOn = this.searchEnded !== null && this.continuations++ < MAX_CONTINUATIONS;
    const discover = this.captures++ % CAPTURES_PER_DISCOVERY === 0 || deep || goesOn;
    this.reflector.begin();
    if (isFirst) {
      this.reflector.nameScripts();
      this.pace.beginStages();
      await this.pace.rest();
    }
    if (discover) await this.discover(deep);
    const structure = this.tree.structureVersion;
    this.discovery.askForDue();
    await this.fetchWanted();
    this.pace.stage(1);
    // The comparison itself is one piece, so that a capture shows one moment.
    this.discovery.refresh();
    await this.compare();
    if (this.tree.structureVersion !== structure) await this.readNew();
    await this.learnOwners();
    const result = await this.report(full);
    this.reflector.begin();
    return result;
  }

  private async discover(deep: boolean): Promise<void> {
    this.actionsStale = true;
    this.searchEnded = null;
    this.pace.stage(FOUND_SHARE);
    await this.search(() => this.discovery.findRoots());
    const scanHeap = (deep || (this.heapFirst && this.captures === 1)) && this.mayScanHeap();
    if (scanHeap) {
      this.heapScanned = true;
      await this.pace.outside(this.reflector.findFunctions());
      await this.search(() => this.discovery.findRootsInHeap());
    }
    // Copies of scopes can only be compared when they are of one moment.
    this.reflector.begin();
    this.discovery.askForFound();
    await this.fetchWanted();
    this.pace.stage(SHOWN_SHARE);
    for (let level = 1; level <= MAX_SCOPE_LEVEL; level++) {
      if (await this.inSlices(this.discovery.showLevel(level))) await this.readNew();
    }
  }

  /** Again and again while it meets functions that have to be asked for. */
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

  /** Whose the methods are that could be actions. */
  private async learnOwners(): Promise<void> {
    if (!this.reflector.isRemote) return;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      collectActions(this.tree, (fn) => this.discovery.ownerOf(fn));
      if (!(await this.fetchWanted())) return;
    }
  }

  /** New variables, the objects below them, and what those hide. */
  private async readNew(): Promise<void> {
    await this.pace.rest();
    await this.compare();
    await this.search(() => this.discovery.findHidden(this.tree));
    await this.expand();
  }

  private async report(full: boolean): Promise<CaptureResult> {
    const dropped = takeDiscarded(full);
    const rootsChanged = full || this.sentRoots !== this.registry.roots.size;
    this.sentRoots = this.registry.roots.size;
    const { leafCount, waiting } = this.tree;
    this.readingEnded = waiting === 0 ? null : (this.pace.spentPart ?? this.readingEnded);
    // Of what was not looked for it is only known that there may be some.
    const leftOut = this.tree.leftOut + waiting + (this.searchEnded === null ? 0 : 1);
    return {
      leaves: full ? await this.inSlices(this.tree.takeFullInPieces()) : this.tree.takeUpdate(),
      roots: rootsChanged ? [...this.registry.roots.values()].map((root): LeafRoot => ({ ...root })) : null,
      actions: this.takeActions(full),
      rawCount: leafCount + leftOut,
      coverage: leftOut === 0 ? 1 : leafCount / (leafCount + leftOut),
      costMs: Math.round(this.pace.costMs * 100) / 100,
      stoppedBy: this.searchEnded ?? this.readingEnded,
      heapScanned: this.heapScanned,
      ...(dropped ? { discarded: dropped } : {}),
    };
  }

  /** Looked for when the tree changed or a search was made; sent when they are others than before. */
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
    // What was judged harmless is the function of then, not whatever stands in its place now.
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

  private mayScanHeap(): boolean {
    return this.options.heapScan && process.memoryUsage().heapUsed < this.options.heapScanMaxMb * 1024 * 1024;
  }

  /** What it leaves for want of budget is read by the captures that follow. */
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
  private stateOf(value: unknown, classify: ReturnType<typeof createClassifier>): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    const classified = classify(value);
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

  /** An object whose functions all come from elsewhere: `fs`, `path`, a library's exports. */
  private isForeignToolbox(value: object): boolean {
    const prototype: unknown = Object.getPrototypeOf(value);
    // Of a class whose objects are shown.
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

/** Also for what is no Error, and for errors whose own fields fail. */
export function describeError(error: unknown): string {
  try {
    return (error instanceof Error ? `${error.name}: ${error.message}` : shortText(error)).slice(0, MAX_RESULT_TEXT);
  } catch {
    // Its own fields fail: that it was thrown is all there is to say.
    return 'an error that cannot be described';
  }
}

function shortText(value: unknown): string {
  if (value === undefined) return '';
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    // It has no text of its own, or a cycle.
    text = typeof value;
  }
  return text.length > MAX_RESULT_TEXT ? `${text.slice(0, MAX_RESULT_TEXT)}…` : text;
}

function judgedText({ source, accessors }: Pick<AgentAction, 'source' | 'accessors'>): string {
  return JSON.stringify([source, accessors]);
}
