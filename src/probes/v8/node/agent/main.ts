/**
 * The agent: evaluated once inside a Node process, then reached through a unix socket of its own. It leaves no global,
 * keeps no file once the daemon is connected, does not keep the process alive, and removes itself when the connection
 * ends, so that a killed daemon leaves nothing behind.
 */
import type { mkdirSync } from 'node:fs';
import type { LeafRoot } from '../../../../model/leaves.ts';
import { ShadowTree } from '../../tree/shadow-tree.ts';
import { collectActions, resolveAction, sourceOf } from './actions.ts';
import { createClassifier } from './classify.ts';
import { Discovery, MAX_SCOPE_LEVEL } from './discovery.ts';
import { encodeFrame, FrameDecoder } from './frame.ts';
import type { AgentAction, AgentOptions, AgentRequest, CaptureResult, InvokeResult } from './protocol.ts';
import { Reflector } from './reflector.ts';
import { ScopeBook } from './scope-book.ts';
import { ScriptOwners } from './scripts.ts';

/** How long the agent may hold the app's thread at a stretch while it reads something new. */
const SLICE_MS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
/** New servers, timers and modules are looked for now and then, not at every capture. */
const CAPTURES_PER_DISCOVERY = 15;
const MAX_RESULT_TEXT = 500;
/** A unix socket's address holds 107 characters, `/agent.sock` among them. */
const MAX_FOLDER_LENGTH = 95;

type Require = (name: string) => unknown;

/** Resolves with the path of the socket. */
export default function startAgent(options: AgentOptions, fallbackRequire: Require | undefined): Promise<string> {
  const load = <Module>(name: string): Module =>
    (process.getBuiltinModule?.(name) ?? fallbackRequire?.(name)) as Module;
  const net = load<typeof import('node:net')>('net');
  const fs = load<typeof import('node:fs')>('fs');
  const os = load<typeof import('node:os')>('os');
  const { join } = load<typeof import('node:path')>('path');
  const inspector = load<typeof import('node:inspector')>('inspector');

  const { setTimeout, clearTimeout, setImmediate } = load<typeof import('node:timers')>('timers');
  const folder = makeFolder([os.tmpdir(), '/tmp', '/var/tmp'], options.folderName, fs.mkdirSync, join);
  const socketPath = join(folder, 'agent.sock');
  const agent = new Agent(options, load);

  const removeFiles = () => quietly(() => fs.rmSync(folder, { recursive: true, force: true }));
  const closeInspector = () => {
    if (!options.closeInspector) return;
    // In the next turn of the loop: an unhandled SIGUSR1 event would open the inspector again.
    setImmediate(() => quietly(() => inspector.close()));
  };
  const giveUp = setTimeout(() => {
    server.close();
    removeFiles();
    agent.dispose();
    closeInspector();
  }, CONNECT_TIMEOUT_MS);
  giveUp.unref();

  const server = net.createServer((socket) => {
    clearTimeout(giveUp);
    server.close();
    removeFiles();
    socket.unref();
    const decoder = new FrameDecoder();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => agent.dispose());
    const reply = (answer: string | null) => {
      if (answer === null) socket.destroy();
      else if (!socket.destroyed) socket.write(encodeFrame(answer));
    };
    socket.on('data', (chunk) => {
      try {
        for (const text of decoder.push(chunk)) {
          // A rejection that nobody handles would end the app.
          agent
            .answer(JSON.parse(text) as AgentRequest)
            .then(reply)
            .catch(() => quietly(() => socket.destroy()));
        }
      } catch {
        quietly(() => socket.destroy());
      }
    });
    // By now the daemon has left the inspector's own connection.
    closeInspector();
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      clearTimeout(giveUp);
      removeFiles();
      agent.dispose();
      reject(error);
    });
    // Exclusive: in a cluster the primary process would be asked to listen, and would tell the app.
    server.listen({ path: socketPath, exclusive: true }, () => resolve(socketPath));
  });
}

class Agent {
  private readonly nextTurn: () => Promise<void>;
  private readonly now: () => number;
  private readonly options: AgentOptions;
  private readonly reflector: Reflector;
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

  constructor(options: AgentOptions, load: <Module>(name: string) => Module) {
    this.options = options;
    // Not the global ones, which tests like to replace by clocks that stand still.
    const { setImmediate } = load<typeof import('node:timers')>('timers');
    const { performance } = load<typeof import('node:perf_hooks')>('perf_hooks');
    this.nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    this.now = () => performance.now();
    const { types } = load<typeof import('node:util')>('util');
    const moduleClass = load<{ _cache?: Record<string, { exports?: unknown }> }>('module');
    const { realpathSync } = load<typeof import('node:fs')>('fs');
    this.reflector = new Reflector(load('inspector'));
    const owners = new ScriptOwners(mainScript(realpathSync));
    const classify = createClassifier(types, (maker) => this.discovery.ownerOf(maker) === 'app');
    this.book = new ScopeBook(this.reflector, owners, (value) => this.isState(value, classify));
    this.discovery = new Discovery(this.reflector, owners, this.book, {
      process,
      setTimeout: load<typeof import('node:timers')>('timers').setTimeout,
      requireCache: moduleClass._cache ?? {},
      types,
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
    this.reflector.dispose();
  }

  private async capture(full: boolean, deep: boolean): Promise<CaptureResult> {
    const discover = this.captures++ % CAPTURES_PER_DISCOVERY === 0 || deep;
    if (discover) {
      this.actionsStale = true;
      await this.inSlices(this.discovery.findRoots());
      if (deep && this.mayScanHeap()) {
        this.heapScanned = true;
        await this.inSlices(this.discovery.findRootsInHeap());
      }
      for (let level = 1; level <= MAX_SCOPE_LEVEL; level++) {
        if (await this.inSlices(this.discovery.showLevel(level))) await this.readNew();
      }
    }
    const structure = this.tree.structureVersion;
    // The comparison itself is one piece, so that a capture shows one moment.
    this.discovery.refresh();
    this.tree.compare();
    await this.expand();
    if (this.tree.structureVersion !== structure) await this.readNew();
    return this.report(full);
  }

  /** New variables, the objects below them, and what those hide. */
  private async readNew(): Promise<void> {
    await this.nextTurn();
    this.tree.compare();
    await this.expand();
    await this.inSlices(this.discovery.findHidden(this.tree));
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
    const actions = collectActions(this.tree, (fn) => this.discovery.ownerOf(fn));
    const text = JSON.stringify(actions);
    if (!full && text === this.sentActions) return null;
    this.sentActions = text;
    this.sentSources = new Map(actions.map(({ binding, source }) => [binding, source]));
    return actions;
  }

  private async invoke({ binding, args, indices }: Extract<AgentRequest, { op: 'invoke' }>): Promise<InvokeResult> {
    const action = resolveAction(this.tree, binding, indices);
    if (!action) return { ok: false, dispatched: false, text: 'the object that has this action is gone' };
    // What was judged harmless is the function of then, not whatever stands in its place now.
    if (this.sentSources.get(binding) !== sourceOf(action.fn)) {
      this.sentActions = '';
      this.actionsStale = true;
      return { ok: false, dispatched: false, text: 'the app has replaced this method since it was judged' };
    }
    try {
      const result: unknown = await Reflect.apply(action.fn, action.holder, args);
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
      const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
      if (typeof member !== 'function') continue;
      if (this.discovery.ownerOf(member) === 'app') return false;
      if (++functions === 3) return true;
    }
    return functions > 0;
  }
}

/** The first folder that takes it, with a path that fits into a socket's address. */
function makeFolder(
  parents: string[],
  name: string,
  mkdir: typeof mkdirSync,
  join: (...parts: string[]) => string,
): string {
  let problem: unknown = new Error('no folder for temporary files has a path that is short enough');
  for (const parent of parents) {
    const folder = join(parent, name);
    if (folder.length > MAX_FOLDER_LENGTH) continue;
    try {
      mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** Also for what is no Error, and for errors whose own fields fail. */
function describeError(error: unknown): string {
  try {
    return (error instanceof Error ? `${error.name}: ${error.message}` : shortText(error)).slice(0, MAX_RESULT_TEXT);
  } catch {
    return 'an error that cannot be described';
  }
}

/** Whatever goes wrong in here is ours to bear, never the app's. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing that the app could do about it.
  }
}

function mainScript(realpath: (path: string) => string): string {
  const script = process.argv[1];
  if (script === undefined) return '';
  for (const candidate of [script, `${script}.js`, `${script}/index.js`]) {
    try {
      const path = realpath(candidate);
      if (/\.[cm]?[jt]s$/.test(path) || candidate === script) return path;
    } catch {
      // Not there: try the next form that Node accepts.
    }
  }
  return script;
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
