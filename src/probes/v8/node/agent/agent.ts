/** What the agent knows and does, however it is reached: one capture at a time, in slices, and calls of the app's methods. */
import type { LeafRoot } from '../../../../model/leaves.ts';
import { ShadowTree } from '../../tree/shadow-tree.ts';
import { collectActions, resolveAction, sourceOf } from './actions.ts';
import { createClassifier } from './classify.ts';
import { Discovery, MAX_SCOPE_LEVEL } from './discovery.ts';
import type {
  AgentAction,
  AgentExtension,
  AgentRequest,
  CaptureOptions,
  CaptureResult,
  InvokeResult,
} from './protocol.ts';
import { quietDescriptor } from './quiet.ts';
import type { Reflecting } from './reflecting.ts';
import { ScopeBook } from './scope-book.ts';
import { ScriptOwners } from './scripts.ts';

/** How long the agent may hold the app's thread at a stretch while it reads something new. */
const SLICE_MS = 4;
/** New servers, timers and modules are looked for now and then, not at every capture. */
const CAPTURES_PER_DISCOVERY = 15;
const MAX_RESULT_TEXT = 500;
/** What is asked for may lead to more that has to be asked for. */
const MAX_ROUNDS = 40;

export type Load = <Module>(name: string) => Module;

export interface AgentParts {
  readonly reflector: Reflecting;
  /** Path or URL of the script that the process runs. */
  readonly mainPath: string;
  readonly extension: AgentExtension | null;
  /** Nothing cheaper leads to the app's functions: the heap is looked through at the start. */
  readonly heapFirst: boolean;
}

export class Agent {
  private readonly nextTurn: () => Promise<void>;
  private readonly now: () => number;
  private readonly options: CaptureOptions;
  private readonly extension: AgentExtension | null;
  private readonly heapFirst: boolean;
  private readonly reflector: Reflecting;
  private readonly discovery: Discovery;
  private readonly book: ScopeBook;
  private readonly tree: ShadowTree;
  private lastCapture: Promise<unknown> = Promise.resolve();
  private captures = 0;
  private heapScanned = false;
  private sentActionsFor = -1;
  private sentActions = '';
  private sentSources = new Map<string, string>();
  private actionsStale = false;
  private sentRoots = -1;
  private disposed = false;

  constructor(options: CaptureOptions, load: Load, { reflector, mainPath, extension, heapFirst }: AgentParts) {
    this.options = options;
    this.extension = extension;
    this.heapFirst = heapFirst;
    this.reflector = reflector;
    // Not the global ones, which tests like to replace by clocks that stand still.
    const { setImmediate } = load<typeof import('node:timers')>('timers');
    const { performance } = load<typeof import('node:perf_hooks')>('perf_hooks');
    this.nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    this.now = () => performance.now();
    const { types } = load<typeof import('node:util')>('util');
    const moduleClass = load<{ _cache?: Record<string, { exports?: unknown }> }>('module');
    const owners = new ScriptOwners(mainPath);
    const classify = createClassifier(types, (maker) => {
      const owner = this.discovery.knownOwnerOf(maker);
      return owner === null ? null : owner === 'app';
    });
    this.book = new ScopeBook(this.reflector, owners, (value) => this.isState(value, classify));
    this.discovery = new Discovery(this.reflector, owners, this.book, {
      process,
      setTimeout: load<typeof import('node:timers')>('timers').setTimeout,
      requireCache: moduleClass._cache ?? {},
      types,
      furtherRoots: () => extension?.roots() ?? [],
    });
    this.tree = new ShadowTree(this.book.top, {
      classify,
      maxLeaves: options.maxKeys,
      now: this.now,
      isScope: (value) => this.book.scopeObjects.has(value),
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
      this.lastCapture = capture.catch(() => undefined);
      const result = await capture;
      // Writing a large report takes its time; the app gets a turn first.
      if (request.full) await this.nextTurn();
      return JSON.stringify({ id, result });
    } catch (error) {
      return JSON.stringify({ id, error: describeError(error) });
    }
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.extension?.dispose();
    this.reflector.dispose();
  }

  private async capture(full: boolean, deep: boolean): Promise<CaptureResult> {
    const discover = this.captures++ % CAPTURES_PER_DISCOVERY === 0 || deep;
    this.reflector.begin();
    if (discover) await this.discover(deep);
    const structure = this.tree.structureVersion;
    this.discovery.askForDue();
    await this.reflector.fetchWanted();
    // The comparison itself is one piece, so that a capture shows one moment.
    this.discovery.refresh();
    await this.compare();
    if (this.tree.structureVersion !== structure) await this.readNew();
    await this.learnOwners();
    const result = this.report(full);
    this.reflector.begin();
    return result;
  }

  private async discover(deep: boolean): Promise<void> {
    this.actionsStale = true;
    await this.search(() => this.discovery.findRoots());
    const scanHeap = (deep || (this.heapFirst && this.captures === 1)) && this.mayScanHeap();
    if (scanHeap) {
      this.heapScanned = true;
      await this.reflector.findFunctions();
      await this.search(() => this.discovery.findRootsInHeap());
    }
    // Copies of scopes can only be compared when they are of one moment.
    this.reflector.begin();
    this.discovery.askForFound();
    await this.reflector.fetchWanted();
    for (let level = 1; level <= MAX_SCOPE_LEVEL; level++) {
      if (await this.inSlices(this.discovery.showLevel(level))) await this.readNew();
    }
  }

  /** Again and again while it meets functions that have to be asked for. */
  private async search(work: () => Generator<void, void, void>): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.inSlices(work());
      if (!(await this.reflector.fetchWanted())) return;
    }
  }

  private async compare(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.tree.compare();
      await this.expand();
      if (!(await this.reflector.fetchWanted())) return;
    }
  }

  /** Whose the methods are that could be actions. */
  private async learnOwners(): Promise<void> {
    if (!this.reflector.isRemote) return;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      collectActions(this.tree, (fn) => this.discovery.ownerOf(fn));
      if (!(await this.reflector.fetchWanted())) return;
    }
  }

  /** New variables, the objects below them, and what those hide. */
  private async readNew(): Promise<void> {
    await this.nextTurn();
    await this.compare();
    await this.search(() => this.discovery.findHidden(this.tree));
    await this.expand();
  }

  private report(full: boolean): CaptureResult {
    const rootsChanged = full || this.sentRoots !== this.book.roots.size;
    this.sentRoots = this.book.roots.size;
    const { leafCount, leftOut } = this.tree;
    return {
      leaves: full ? this.tree.takeFull() : this.tree.takeUpdate(),
      roots: rootsChanged ? [...this.book.roots.values()].map((root): LeafRoot => ({ ...root })) : null,
      actions: this.takeActions(full),
      rawCount: leafCount + leftOut,
      coverage: leafCount === 0 ? 1 : leafCount / (leafCount + leftOut),
      heapScanned: this.heapScanned,
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
        .map(({ binding, fn, given }) => ({ binding, source: sourceOf(fn), className: null, given })),
    ];
    const text = JSON.stringify(actions);
    if (!full && text === this.sentActions) return null;
    this.sentActions = text;
    this.sentSources = new Map(actions.map(({ binding, source }) => [binding, source]));
    return actions;
  }

  private async invoke({ binding, args, indices }: Extract<AgentRequest, { op: 'invoke' }>): Promise<InvokeResult> {
    const further = this.extension?.actions().find((candidate) => candidate.binding === binding);
    const action = further ? { fn: further.fn, holder: undefined } : resolveAction(this.tree, binding, indices);
    if (!action) return { ok: false, dispatched: false, text: 'the object that has this action is gone' };
    // What was judged harmless is the function of then, not whatever stands in its place now.
    if (this.sentSources.get(binding) !== sourceOf(action.fn)) {
      this.sentActions = '';
      this.actionsStale = true;
      return { ok: false, dispatched: false, text: 'the app has replaced this method since it was judged' };
    }
    try {
      const result: unknown = await Reflect.apply(action.fn, action.holder, [...(further?.makeGiven() ?? []), ...args]);
      return { ok: true, dispatched: true, text: shortText(result) };
    } catch (error) {
      return { ok: false, dispatched: true, text: describeError(error) };
    }
  }

  private mayScanHeap(): boolean {
    return this.options.heapScan && process.memoryUsage().heapUsed < this.options.heapScanMaxMb * 1024 * 1024;
  }

  private async expand(): Promise<void> {
    while (!this.tree.expand(this.now() + SLICE_MS) && !this.disposed) await this.nextTurn();
  }

  private async inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
    let deadline = this.now() + SLICE_MS;
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (this.disposed) throw new Error('the connection to the daemon has ended');
      if (this.now() < deadline) continue;
      await this.nextTurn();
      deadline = this.now() + SLICE_MS;
    }
  }

  /** A variable counts as state unless it is code: a function, a module, an object of a library. */
  private isState(value: unknown, classify: ReturnType<typeof createClassifier>): boolean {
    if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return false;
    if (typeof value !== 'object' || value === null) return true;
    const classified = classify(value);
    if (!classified) return false;
    if ('text' in classified) return classified.live || !classified.text.startsWith('[');
    return classified.expand !== 'fields' || !this.isForeignToolbox(value);
  }

  /** An object whose functions all come from elsewhere: `fs`, `path`, a library's exports. */
  private isForeignToolbox(value: object): boolean {
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
    return 'an error that cannot be described';
  }
}

function shortText(value: unknown): string {
  if (value === undefined) return '';
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = typeof value;
  }
  return text.length > MAX_RESULT_TEXT ? `${text.slice(0, MAX_RESULT_TEXT)}…` : text;
}
