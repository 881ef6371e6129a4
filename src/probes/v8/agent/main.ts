/**
 * The agent: evaluated once inside a Node process, then reached through a unix socket of its own. It leaves no global,
 * keeps no file once the daemon is connected, does not keep the process alive, and removes itself when the connection
 * ends, so that a killed daemon leaves nothing behind.
 */
import type { LeafRoot } from '../../../model/leaves.ts';
import { collectActions, resolveAction } from './actions.ts';
import { createClassifier } from './classify.ts';
import { Discovery, MAX_SCOPE_LEVEL } from './discovery.ts';
import { encodeFrame, FrameDecoder } from './frame.ts';
import type { AgentOptions, AgentRequest, CaptureResult, InvokeResult } from './protocol.ts';
import { Reflector } from './reflector.ts';
import { ScopeBook } from './scope-book.ts';
import { ScriptOwners } from './scripts.ts';
import { ShadowTree } from './shadow-tree.ts';

/** How long the agent may hold the app's thread at a stretch while it reads something new. */
const SLICE_MS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
/** New servers, timers and modules are looked for now and then, not at every capture. */
const CAPTURES_PER_DISCOVERY = 15;
const MAX_RESULT_TEXT = 500;

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

  const folder = join(os.tmpdir(), options.folderName);
  fs.mkdirSync(folder, { mode: 0o700 });
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
    socket.on('data', (chunk) => {
      try {
        for (const text of decoder.push(chunk)) {
          void agent.answer(JSON.parse(text) as AgentRequest).then((answer) => {
            if (answer === null) socket.destroy();
            else if (!socket.destroyed) socket.write(encodeFrame(answer));
          });
        }
      } catch {
        socket.destroy();
      }
    });
    // By now the daemon has left the inspector's own connection.
    closeInspector();
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      removeFiles();
      reject(error);
    });
    server.listen(socketPath, () => resolve(socketPath));
  });
}

class Agent {
  private readonly options: AgentOptions;
  private readonly reflector: Reflector;
  private readonly discovery: Discovery;
  private readonly book: ScopeBook;
  private readonly tree: ShadowTree;
  private captures = 0;
  private heapScanned = false;
  private sentActionsFor = -1;
  private sentRoots = -1;
  private disposed = false;

  constructor(options: AgentOptions, load: <Module>(name: string) => Module) {
    this.options = options;
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
      isScope: (value) => this.book.scopeObjects.has(value),
    });
  }

  /** The answer as JSON text; null: end the connection. */
  async answer(request: AgentRequest): Promise<string | null> {
    try {
      if (this.disposed || request.op === 'dispose') return null;
      const isCapture = request.op === 'capture';
      const result = isCapture
        ? await this.capture(request.full, request.deep)
        : await this.invoke(request.binding, request.args, request.indices);
      // Writing a large report takes its time; the app gets a turn first.
      if (isCapture && request.full) await nextTurn();
      return JSON.stringify({ id: request.id, result });
    } catch (error) {
      return JSON.stringify({ id: request.id, error: error instanceof Error ? error.message : String(error) });
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
    await nextTurn();
    this.tree.compare();
    await this.expand();
    await this.inSlices(this.discovery.findHidden(this.tree));
    await this.expand();
  }

  private report(full: boolean): CaptureResult {
    const actionsChanged = full || this.sentActionsFor !== this.tree.structureVersion;
    const rootsChanged = full || this.sentRoots !== this.book.roots.size;
    this.sentActionsFor = this.tree.structureVersion;
    this.sentRoots = this.book.roots.size;
    const { leafCount, leftOut } = this.tree;
    return {
      leaves: full ? this.tree.takeFull() : this.tree.takeUpdate(),
      roots: rootsChanged ? [...this.book.roots.values()].map((root): LeafRoot => ({ ...root })) : null,
      actions: actionsChanged ? collectActions(this.tree, (fn) => this.discovery.ownerOf(fn)) : null,
      rawCount: leafCount + leftOut,
      coverage: leafCount === 0 ? 1 : leafCount / (leafCount + leftOut),
      heapScanned: this.heapScanned,
    };
  }

  private async invoke(binding: string, args: unknown[], indices: number[]): Promise<InvokeResult> {
    const action = resolveAction(this.tree, binding, indices);
    if (!action) throw new Error('the object that has this action is gone');
    try {
      const result: unknown = await Reflect.apply(action.fn, action.holder, args);
      return { ok: true, text: shortText(result) };
    } catch (error) {
      return { ok: false, text: error instanceof Error ? `${error.name}: ${error.message}` : shortText(error) };
    }
  }

  private mayScanHeap(): boolean {
    return this.options.heapScan && process.memoryUsage().heapUsed < this.options.heapScanMaxMb * 1024 * 1024;
  }

  private async expand(): Promise<void> {
    while (!this.tree.expand(performance.now() + SLICE_MS) && !this.disposed) await nextTurn();
  }

  private async inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
    let deadline = performance.now() + SLICE_MS;
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (this.disposed) throw new Error('the connection to the daemon has ended');
      if (performance.now() < deadline) continue;
      await nextTurn();
      deadline = performance.now() + SLICE_MS;
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

/** Whatever goes wrong in here is ours to bear, never the app's. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing that the app could do about it.
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
