/**
 * Finds the functions of the app, and through them its state. From what keeps a Node process alive (servers, sockets,
 * timers, listeners) and from loaded modules it follows fields, and through libraries also closures, until it meets
 * functions that the app's own files define. A generator, so that the work can be cut into slices.
 */
import type * as UtilModule from 'node:util';
import { ownValue } from '../../tree/own-data.ts';
import type { ShadowTree, TreeNode } from '../../tree/shadow-tree.ts';
import { quietDescriptor, quietValue } from './quiet.ts';
import type { FunctionView, Reflecting } from './reflecting.ts';
import { MAX_SCOPE_LEVEL, type ScopeRegistry, type Variables } from './scope-registry.ts';
import type { Owner, ScriptOwners } from './scripts.ts';
import { isCostly, SearchQueue, TURNS, type Turn } from './search-queue.ts';

const MAX_VISITED = 20_000;
const MAX_LIBRARY_SCOPES = 500;
const MAX_ELEMENTS = 50;
const MAX_PROPERTIES = 200;
const MAX_HOLDERS = 500;
const MAX_FUNCTIONS_PER_HOLDER = 20;
const MAX_KEPT = 2000;

/** Enumerable on the global object of Node or Deno, and no state. */
const RUNTIME_GLOBALS = new Set([
  '__dirname',
  '__filename',
  'global',
  'globalThis',
  'process',
  'console',
  'Buffer',
  'performance',
  'navigator',
  'crypto',
  'Deno',
  'caches',
  'self',
  'window',
  'name',
  'onerror',
  'onload',
  'onunload',
  'onbeforeunload',
  'onunhandledrejection',
]);

const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

export interface NodeInternals {
  process: NodeJS.Process & { _getActiveHandles?(): object[]; _events?: unknown };
  /** The real one, even when the app has put its own in its place. */
  setTimeout: object;
  requireCache: Record<string, { exports?: unknown } | undefined>;
  types: Pick<typeof UtilModule.types, 'isProxy' | 'isMap' | 'isSet'>;
  /** Of an extension. */
  furtherRoots(): unknown[];
  /** No more may be spent on what is being done. */
  isSpent(): boolean;
}

/** A function of the app, and what it was seen to close over. */
interface Found {
  readonly fn: object;
  readonly view: FunctionView;
}

interface PrivateSource {
  node: TreeNode;
  variables: Variables;
}

export class Discovery {
  private readonly ownerCache = new WeakMap<object, Owner>();
  private readonly overlays = new WeakSet<TreeNode>();
  private readonly privates: PrivateSource[] = [];
  /** Whether a loaded module is the app's. */
  private readonly modulePaths = new Map<string, boolean>();
  private found: Found[] = [];
  /** Looked at by an earlier search: what these of the app close over is shown, and read again at each capture. */
  private readonly searched = new WeakSet<object>();
  /** Where nothing cheaper leads to the app's functions, what the heap has shown is kept; weakly, as they are the app's. */
  private fromHeap: WeakRef<object>[] = [];
  private readonly reflector: Reflecting;
  private readonly owners: ScriptOwners;
  private readonly registry: ScopeRegistry;
  private readonly node: NodeInternals;

  constructor(reflector: Reflecting, owners: ScriptOwners, registry: ScopeRegistry, node: NodeInternals) {
    this.reflector = reflector;
    this.owners = owners;
    this.registry = registry;
    this.node = node;
  }

  /** Where a function's code comes from; asked of the inspector once. Null: that has to be fetched first. */
  knownOwnerOf(fn: object): Owner | null {
    let owner = this.ownerCache.get(fn);
    if (owner === undefined) {
      if (!this.reflector.hasFunction(fn)) return null;
      const view = this.reflector.inspectFunction(fn);
      owner = view ? this.owners.ownerOf(view.script) : 'runtime';
      this.ownerCache.set(fn, owner);
    }
    return owner;
  }

  ownerOf(fn: object): Owner {
    return this.knownOwnerOf(fn) ?? 'runtime';
  }

  /** Walks to the app's functions; what they close over is shown level by level, see `showLevel`. */
  *findRoots(): Generator<void, void, void> {
    this.found = [];
    const queue = new SearchQueue();
    for (const path of this.appModules()) queue.push(this.exportsOf(path), TURNS.exports);
    queue.pushAll(this.timerCallbacks(), TURNS.alive);
    queue.pushAll(this.node.process._getActiveHandles?.() ?? [], TURNS.alive);
    queue.push(this.node.process._events, TURNS.alive);
    queue.pushAll(this.node.furtherRoots(), TURNS.alive);
    for (const fn of this.fromHeap) queue.push(fn.deref(), TURNS.app);
    for (const variables of this.registry.lastRead()) this.pushVariables(queue, variables, TURNS.app);
    yield* this.explore(queue);
  }

  /** Every function of the process, whether or not anything cheap leads to it. */
  *findRootsInHeap(): Generator<void, void, void> {
    const queue = new SearchQueue();
    queue.pushAll(
      this.reflector.allFunctions().filter((fn) => this.isInterestingFunction(fn)),
      TURNS.app,
    );
    yield* this.explore(queue);
    if (this.reflector.isRemote) this.fromHeap = this.found.slice(0, MAX_KEPT).map(({ fn }) => new WeakRef(fn));
  }

  /**
   * Shows the scopes of one level, counted from the outermost, of all functions found. Outer levels first: by the time an
   * inner one comes up, the tree knows the object on which its function hangs, and its variables appear there.
   * True when there is something new to read.
   */
  *showLevel(level: number): Generator<void, boolean, void> {
    const before = this.registry.size;
    if (level === 1) this.registry.forgetExports();
    for (const { fn, view } of this.found) {
      if (this.node.isSpent()) break;
      // Of those that had to be fetched, all were fetched at one moment.
      const seen = this.reflector.isRemote ? this.reflector.inspectFunction(fn) : view;
      if (seen) this.registry.register(fn, seen, level, null);
      yield;
    }
    if (level === 1) {
      // After the scopes, so that a variable keeps its own name and what is only exported is added.
      const paths = this.appModules();
      this.registry.nameModules(paths.filter((path) => path !== this.owners.mainPath));
      for (const path of paths) this.registry.addExports(path, this.exportsOf(path));
      this.readGlobals();
    }
    if (level === MAX_SCOPE_LEVEL) {
      for (const { fn, view } of this.found)
        if (!this.reflector.isRemote && this.registry.isRegistered(fn, view.scopes.length)) this.searched.add(fn);
      this.found = [];
    }
    this.registry.arrange();
    return this.registry.size !== before;
  }

  /** Private fields and closures of the objects that the tree has found. */
  *findHidden(tree: ShadowTree): Generator<void, void, void> {
    let count = 0;
    for (const node of tree.holders) {
      if (node.dead || this.overlays.has(node) || !this.isFetched(node.target)) continue;
      if (++count > MAX_HOLDERS || this.node.isSpent()) return;
      this.overlays.add(node);
      const variables: Variables = Object.create(null);
      this.readClosures(node.target, variables);
      if (this.hasPrivateFields(node.target)) {
        this.privates.push({ node, variables });
        this.readPrivates(node.target, variables);
      }
      for (const name of node.keys) delete variables[name];
      if (Object.keys(variables).length > 0) tree.setOverlay(node, variables);
      yield;
    }
  }

  /** Asks for what `refresh` will read. */
  askForDue(): void {
    for (const fn of this.registry.dueFunctions()) this.reflector.hasFunction(fn);
    for (const { node } of this.privates) if (!node.dead) this.reflector.hasFields(node.target);
  }

  /** Asks for what `showLevel` will read. */
  askForFound(): void {
    for (const { fn } of this.found) this.reflector.hasFunction(fn);
    for (const fn of this.registry.functions()) this.reflector.hasFunction(fn);
  }

  refresh(): void {
    this.readGlobals();
    this.registry.refresh();
    for (let at = this.privates.length - 1; at >= 0; at--) {
      const source = this.privates[at] as PrivateSource;
      if (source.node.dead) this.privates.splice(at, 1);
      else this.readPrivates(source.node.target, source.variables);
    }
  }

  private exportsOf(path: string): unknown {
    const module: unknown = ownValue(this.node.requireCache, path);
    return typeof module === 'object' && module !== null ? ownValue(module, 'exports') : undefined;
  }

  private appModules(): string[] {
    const paths = Object.keys(this.node.requireCache).sort();
    return paths.filter((path) => {
      let isApp = this.modulePaths.get(path);
      if (isApp === undefined) {
        // An app's description of itself is no state; Electron loads it as a module.
        const isState = !path.endsWith('/package.json') && !this.owners.isCatalog(path);
        isApp = isState && this.owners.ownerOf({ id: '', url: path, minified: false }) === 'app';
        this.modulePaths.set(path, isApp);
      }
      return isApp;
    });
  }

  private readGlobals(): void {
    const globals: [string, unknown, string][] = [];
    for (const name of getOwnPropertyNames(globalThis)) {
      const descriptor = getOwnPropertyDescriptor(globalThis, name);
      if (!descriptor?.enumerable || !('value' in descriptor) || RUNTIME_GLOBALS.has(name)) continue;
      globals.push([name, descriptor.value, 'global']);
    }
    for (const [name, value] of Object.entries(this.reflector.globalLexicals()))
      globals.push([name, value, 'script scope']);
    this.registry.setGlobals(globals);
  }

  private *explore(queue: SearchQueue): Generator<void, void, void> {
    const visited = new Set<unknown>();
    let libraryScopes = 0;
    for (let step = queue.next(); step && visited.size < MAX_VISITED && !this.node.isSpent(); step = queue.next()) {
      const { value, turn } = step;
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || visited.has(value)) continue;
      if (typeof value === 'function' && turn < TURNS.late && !this.node.types.isProxy(value)) {
        const owner = this.searched.has(value) ? this.ownerCache.get(value) : undefined;
        if (owner !== undefined) queue.settle(value, owner === 'app');
        if (owner === 'app') {
          // What it closes over is known, and pushed already.
          visited.add(value);
          this.pushChildren(queue, value, turn);
          continue;
        }
        if (owner === 'library' || isCostly(value)) {
          queue.push(value, TURNS.late);
          continue;
        }
      }
      visited.add(value);
      if (this.node.types.isProxy(value) || ArrayBuffer.isView(value)) continue;
      if (typeof value === 'function' && this.ownerCache.get(value) !== 'runtime') {
        if (!this.reflector.hasFunction(value)) continue;
        const view = this.reflector.inspectFunction(value);
        const owner = view ? this.owners.ownerOf(view.script) : 'runtime';
        this.ownerCache.set(value, owner);
        queue.settle(value, owner === 'app');
        if (view && owner === 'app') {
          this.found.push({ fn: value, view });
          for (const scope of view.scopes) this.pushVariables(queue, scope.variables, TURNS.app);
        } else if (view && owner === 'library' && libraryScopes++ < MAX_LIBRARY_SCOPES) {
          if (!this.reflector.isRemote) this.searched.add(value);
          for (const scope of view.scopes) this.pushVariables(queue, scope.variables, TURNS.library);
        }
        yield;
      } else if (typeof value === 'function') queue.settle(value, false);
      this.pushChildren(queue, value, turn);
      if (visited.size % 100 === 0) yield;
    }
  }

  private pushVariables(queue: SearchQueue, variables: Variables, turn: Turn): void {
    const functions: object[] = [];
    for (const name of getOwnPropertyNames(variables)) {
      const value = variables[name];
      if (typeof value === 'function') functions.push(value);
      else queue.push(value, turn);
    }
    queue.pushFunctions(functions, turn);
  }

  /** Data properties only; of long lists the beginning. */
  private pushChildren(queue: SearchQueue, value: object, turn: Turn): void {
    const { types } = this.node;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && index < MAX_ELEMENTS; index++)
        queue.push(ownValue(value, index), turn);
      return;
    }
    const functions: object[] = [];
    // Libraries like to keep things under symbols.
    let left = MAX_PROPERTIES;
    for (const name of ownKeys(value)) {
      if (--left < 0) break;
      const child = quietValue(value, name);
      if (typeof child === 'function') functions.push(child);
      else if (typeof child === 'object' && child !== null) queue.push(child, turn);
    }
    queue.pushFunctions(functions, turn);
    const prototype: unknown = getPrototypeOf(value);
    if (
      typeof value !== 'function' &&
      typeof prototype === 'object' &&
      prototype !== null &&
      prototype !== Object.prototype
    ) {
      queue.push(prototype, turn);
    }
    // By what they are, not by their prototype: a class's prototype object may say Map and be none.
    let count = 0;
    const push = (child: unknown) => {
      if (count++ < MAX_ELEMENTS) queue.push(child, turn);
    };
    if (types.isMap(value)) apply(mapForEach, value, [push]);
    else if (types.isSet(value)) apply(setForEach, value, [push]);
  }

  private timerCallbacks(): unknown[] {
    const callbacks: unknown[] = [];
    const scopes = this.reflector.inspectFunction(this.node.setTimeout)?.scopes ?? [];
    for (const { variables } of scopes) {
      const lists = variables.timerListMap;
      if (typeof lists !== 'object' || lists === null) continue;
      for (const list of Object.values(lists as Record<string, TimerList>)) {
        // A linked ring; bounded, because a process can have any number of timers.
        for (let timer = list._idleNext, n = 0; timer && timer !== list && n < 1000; timer = timer._idleNext, n++)
          callbacks.push(timer._onTimeout);
      }
    }
    return callbacks;
  }

  private isInterestingFunction(fn: object): boolean {
    const known = this.ownerCache.get(fn);
    return known === undefined || known === 'app';
  }

  private readClosures(holder: object, into: Variables): void {
    let count = 0;
    for (const name of getOwnPropertyNames(holder)) {
      const fn: unknown = quietDescriptor(holder, name)?.value;
      if (typeof fn !== 'function' || ++count > MAX_FUNCTIONS_PER_HOLDER || this.ownerOf(fn) !== 'app') continue;
      const view = this.searched.has(fn) ? null : this.reflector.inspectFunction(fn);
      for (let level = 1; view && level <= MAX_SCOPE_LEVEL; level++) this.registry.register(fn, view, level, into);
    }
  }

  /** All that `findHidden` needs of this object; what is missing is asked for. */
  private isFetched(object: object): boolean {
    if (!this.reflector.isRemote) return true;
    let complete = !this.mayHavePrivateFields(object) || this.reflector.hasFields(object);
    let count = 0;
    for (const name of getOwnPropertyNames(object)) {
      const fn: unknown = quietDescriptor(object, name)?.value;
      if (typeof fn !== 'function' || ++count > MAX_FUNCTIONS_PER_HOLDER) continue;
      if (this.ownerCache.get(fn) !== 'runtime' && !this.reflector.hasFunction(fn)) complete = false;
    }
    return complete;
  }

  private mayHavePrivateFields(object: object): boolean {
    const prototype: unknown = getPrototypeOf(object);
    if (prototype === null || prototype === Object.prototype) return false;
    // The inspector lists all fields to find the private ones.
    return Object.keys(object).length <= MAX_PROPERTIES;
  }

  private hasPrivateFields(object: object): boolean {
    return this.mayHavePrivateFields(object) && this.reflector.privateFields(object) !== null;
  }

  private readPrivates(object: object, into: Variables): void {
    Object.assign(into, this.reflector.privateFields(object));
  }
}

interface TimerList {
  _idleNext?: TimerList;
  _onTimeout?: unknown;
}
