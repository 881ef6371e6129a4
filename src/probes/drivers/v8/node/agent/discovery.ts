/**
 * Finds the functions of the app, and through them its state. From the objects that keep a Node process alive (servers,
 * sockets, timers, listeners) and from loaded modules it follows fields, and in libraries also closures, until it meets
 * functions that the app's own files define. A generator, so that the work can be cut into slices.
 */
import type * as UtilModule from 'node:util';
import { ownValue } from '../../tree/own-data.ts';
import type { ShadowTree, TreeNode } from '../../tree/shadow-tree.ts';
import { isListenerTable, isServer, requestHandlers, timerCallbacks, type Unseen, unseenBeside } from './alive.ts';
import { readGlobals } from './globals.ts';
import { HeldObjects } from './held-objects.ts';
import { Instances } from './instances.ts';
import { isBound, quietDescriptor, quietValue } from './quiet.ts';
import { Receivers } from './receivers.ts';
import type { FunctionView, Reflecting } from './reflecting.ts';
import { MAX_SCOPE_LEVEL, type ScopeRegistry, type Variables } from './scope-registry.ts';
import type { Owner, ScriptOwners } from './scripts.ts';
import { isCostly, SearchQueue, TURNS, type Turn, textOf } from './search-queue.ts';
import { newWalk, type Walk } from './walk.ts';

const MAX_VISITED = 20_000;
const MAX_LIBRARY_SCOPES = 500;
/** Functions whose variables get the same priority as the objects that keep the process alive. */
const MAX_ALIVE_SCOPES = 60;
const MAX_ELEMENTS = 50;
const MAX_PROPERTIES = 200;
const MAX_HOLDERS = 500;
const MAX_FUNCTIONS_PER_HOLDER = 20;
const MAX_KEPT = 2000;
const FEW_LEFT = 20;
/** How many functions are inspected together, and how far ahead they are searched. */
const AT_ONCE = 8;
const LOOK_AHEAD = 60;
/** The limit for similar functions of libraries, and for bound functions of one name. */
const MAX_REPEATED = 5;

const { getOwnPropertyNames, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

export interface NodeInternals {
  process: NodeJS.Process & { _getActiveHandles?(): object[]; _events?: unknown };
  /** The real one, even if the app has replaced it. */
  setTimeout: object;
  requireCache: Record<string, { exports?: unknown } | undefined>;
  types: Pick<typeof UtilModule.types, 'isProxy' | 'isMap' | 'isSet'>;
  /** Prototypes of the runtime's own classes: they have many functions, and none leads to the app. */
  builtIns: ReadonlySet<object>;
  /** Roots of an extension. */
  furtherRoots(): unknown[];
  /** True when the budget of the current work is used up. */
  isSpent(): boolean;
}

/** A function of the app, and the variables that it closes over. */
interface Found {
  readonly fn: object;
  readonly view: FunctionView;
  /** Only the exports of a module led to it. */
  readonly isExported: boolean;
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
  /** Null after a complete walk. */
  private walk: Walk | null = null;
  /** A server existed when the last walk began. */
  hasServer = false;
  readonly instances: Instances;
  readonly held: HeldObjects;
  readonly receivers: Receivers;
  /** Functions that an earlier search inspected. Variables of the app's own are shown, and read again at each capture. */
  private readonly searched = new WeakSet<object>();
  /** Functions that only a scan of the heap has found, held weakly because they are the app's. */
  private fromHeap: WeakRef<object>[] = [];
  heapFunctions: readonly object[] = [];
  private readonly libraryTexts = new Map<string, number>();
  private readonly boundNames = new Map<string, number>();
  private readonly reflector: Reflecting;
  private readonly owners: ScriptOwners;
  private readonly registry: ScopeRegistry;
  private readonly node: NodeInternals;

  constructor(reflector: Reflecting, owners: ScriptOwners, registry: ScopeRegistry, node: NodeInternals) {
    this.reflector = reflector;
    this.owners = owners;
    this.registry = registry;
    this.node = node;
    this.instances = new Instances(
      (maker) => (node.types.isProxy(maker) ? null : this.knownOwnerOf(maker)),
      node.types,
    );
    this.held = new HeldObjects(registry);
    this.receivers = new Receivers(reflector);
  }

  /** The owner of a function's code; the inspector is queried once. Null if that has to be fetched first. */
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

  /**
   * Walks to the app's functions; their variables are shown level by level, see `showLevel`. A walk that its budget has
   * ended continues at the same place.
   */
  *findRoots(): Generator<void, void, void> {
    if (this.walk === null) this.found = [];
    this.instances.clear();
    const walk = this.walk ?? this.beginWalk();
    this.walk = walk;
    yield* this.explore(walk);
    this.receivers.noteTimers(walk.timers);
    this.receivers.noteObjects(walk.visited);
    if (!this.node.isSpent()) {
      if (walk.visited.size < MAX_VISITED) this.held.settle(walk.visited, this.receivers);
      walk.queue.pushAll(this.held.objects(), TURNS.app);
      yield* this.explore(walk);
    }
    if (!this.node.isSpent()) this.walk = null;
  }

  /** True if the walk has not reached everything that keeps the process alive or that the app's functions close over. */
  get hasOwnLeft(): boolean {
    return this.found.length > 0 || (this.walk?.queue.hasOwn ?? false);
  }

  /** True if variables of found functions are not shown yet, or something that keeps the process alive is not reached. */
  get hasFoundMore(): boolean {
    return this.found.length > 0 || (this.walk?.queue.hasAlive ?? false);
  }

  /** True if anything may be missing. Exports of modules do not count: they come last and are mostly constants. */
  get hasMuchLeft(): boolean {
    return this.walk?.queue.hasAlive === true || this.found.filter(({ isExported }) => !isExported).length > FEW_LEFT;
  }

  /** The walk will not continue, so it must release objects of the app. */
  endWalk(): void {
    this.walk = null;
    this.found = [];
  }

  private beginWalk(): Walk {
    this.boundNames.clear();
    this.receivers.beginWalk();
    const timers = timerCallbacks(this.reflector, this.node.setTimeout);
    const queue = new SearchQueue();
    for (const path of this.appModules()) queue.push(this.exportsOf(path), TURNS.exports);
    const handles = this.node.process._getActiveHandles?.() ?? [];
    queue.push(this.node.process._events, TURNS.alive);
    const { servers } = this;
    this.hasServer = servers.length > 0;
    queue.pushAll(servers, TURNS.alive);
    queue.pushAll(timers, TURNS.alive);
    queue.pushAll(handles, TURNS.alive);
    queue.pushAll(this.node.furtherRoots(), TURNS.alive);
    for (const fn of this.fromHeap) queue.push(fn.deref(), TURNS.app);
    for (const variables of this.registry.lastRead()) this.pushVariables(queue, variables, TURNS.app);
    for (const { node, variables } of this.privates) if (!node.dead) this.pushVariables(queue, variables, TURNS.app);
    return newWalk(queue, timers, requestHandlers(servers));
  }

  /** The listening servers. */
  get servers(): object[] {
    return (this.node.process._getActiveHandles?.() ?? []).filter(isServer);
  }

  unseenBeside({ holders }: ShadowTree): Unseen {
    const isOwn = (maker: object) => this.knownOwnerOf(maker) === 'app';
    return unseenBeside([...holders], this.receivers.isBlind ? this.servers : null, isOwn, this.node.types.isProxy);
  }

  /** To be called before `findRootsInHeap`. The app is blocked while V8 lists its objects. */
  *sortHeap(): Generator<void, void, void> {
    const all = this.reflector.allObjects();
    yield;
    this.heapFunctions = all.filter((value) => typeof value === 'function' && this.isInterestingFunction(value));
    yield* this.instances.sortHeap(all);
  }

  /** Every function of the process and every object of the app's classes, even if nothing cheap leads to it. */
  *findRootsInHeap(): Generator<void, void, void> {
    const queue = new SearchQueue();
    // This comes first, so that the budget cannot end before it.
    yield* this.instances.noteHeap({
      ownerOf: (maker) => (this.isInterestingFunction(maker) ? this.knownOwnerOf(maker) : null),
      isSpent: () => this.node.isSpent(),
    });
    queue.pushAll(this.heapFunctions, TURNS.app);
    yield* this.explore(newWalk(queue));
    if (this.reflector.isRemote) this.fromHeap = this.found.slice(0, MAX_KEPT).map(({ fn }) => new WeakRef(fn));
  }

  /**
   * Shows the scopes of one level, counted from the outermost, of all found functions. Outer levels come first: when an
   * inner one follows, the tree knows the object that holds its function, and its variables appear there. Returns true
   * if there is something new to read. `exported`: functions that only exports led to, which come after the others.
   */
  *showLevel(level: number, exported: boolean): Generator<void, boolean, void> {
    const before = this.registry.size;
    if (level === 1 && exported) this.registry.forgetExports();
    for (const { fn, view } of this.found.filter(({ isExported }) => isExported === exported)) {
      if (this.node.isSpent()) break;
      // A remote view is inspected again, so that all are of the same moment.
      const seen = this.reflector.isRemote ? this.reflector.inspectFunction(fn) : view;
      if (seen) this.registry.register(fn, seen, level, null);
      yield;
    }
    if (level === 1 && exported) {
      // After the scopes, so that a variable keeps its own name and mere exports are added.
      const paths = this.appModules();
      this.registry.nameModules(paths.filter((path) => path !== this.owners.mainPath));
      for (const path of paths) this.registry.addExports(path, this.exportsOf(path));
      this.registry.setGlobals(readGlobals(this.reflector));
    }
    if (level === MAX_SCOPE_LEVEL && exported) {
      const isShown = ({ fn, view }: Found) => this.registry.isRegistered(fn, view.scopes.length);
      for (const found of this.reflector.isRemote ? [] : this.found.filter(isShown)) this.searched.add(found.fn);
      // The rest is shown when the walk continues.
      this.found = this.walk === null ? [] : this.found.filter((found) => !isShown(found));
    }
    this.registry.arrange();
    return this.registry.size !== before;
  }

  /** Finds private fields and closures of the objects in the tree. */
  *findHidden(tree: ShadowTree): Generator<void, void, void> {
    let count = 0;
    for (const node of tree.holders) {
      if (node.dead || this.overlays.has(node) || !this.isFetched(node.target)) continue;
      if (++count > MAX_HOLDERS || this.node.isSpent()) return;
      this.overlays.add(node);
      const variables: Variables = Object.create(null);
      this.readClosures(node.target, isListenerTable(node) ? null : variables);
      if (this.hasPrivateFields(node.target)) {
        this.privates.push({ node, variables });
        this.readPrivates(node.target, variables);
      }
      for (const name of node.keys) delete variables[name];
      if (Object.keys(variables).length > 0) tree.setOverlay(node, variables);
      yield;
    }
  }

  /** Requests the facts that `refresh` will read. */
  askForDue(): void {
    for (const fn of this.registry.dueFunctions()) this.reflector.hasFunction(fn);
    for (const { node } of this.privates) if (!node.dead) this.reflector.hasFields(node.target);
  }

  /** Requests the facts that `showLevel` will read. */
  askForFound(): void {
    for (const { fn } of this.found) this.reflector.hasFunction(fn);
    for (const fn of this.registry.functions()) this.reflector.hasFunction(fn);
  }

  refresh(): void {
    this.registry.setGlobals(readGlobals(this.reflector));
    this.registry.refresh();
    for (let at = this.privates.length - 1; at >= 0; at--) {
      const source = this.privates[at] as PrivateSource;
      if (source.node.dead) this.privates.splice(at, 1);
      else this.readPrivates(source.node.target, source.variables);
    }
  }

  /** True for the exports of a module, which are shown as such. */
  isModule(object: object): boolean {
    if (object === globalThis || object === this.node.process) return true;
    return Object.keys(this.node.requireCache).some((path) => this.exportsOf(path) === object);
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
        // The manifest of an app is no state; Electron loads it as a module.
        const isState = !path.endsWith('/package.json') && !this.owners.isCatalog(path);
        isApp = isState && this.owners.ownerOf({ id: '', url: path, minified: false }) === 'app';
        this.modulePaths.set(path, isApp);
      }
      return isApp;
    });
  }

  private *explore(walk: Walk): Generator<void, void, void> {
    const { queue, visited } = walk;
    for (let step = queue.next(); step && visited.size < MAX_VISITED && !this.node.isSpent(); step = queue.next()) {
      const { value, turn } = step;
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || visited.has(value)) continue;
      if (typeof value === 'function' && turn < TURNS.late && !this.node.types.isProxy(value)) {
        const owner = this.searched.has(value) ? this.ownerCache.get(value) : undefined;
        if (owner !== undefined) queue.settle(value, owner === 'app');
        if (owner === 'app') {
          // Its variables are known, and already in the queue.
          visited.add(value);
          this.receivers.note(value, null, walk.handlers.has(value));
          this.pushChildren(queue, value, turn);
          continue;
        }
        if (owner === 'library' && walk.handlers.has(value)) this.receivers.note(value, null, true);
        if (owner === 'library' || isCostly(value)) {
          queue.push(value, TURNS.late);
          continue;
        }
      }
      visited.add(value);
      if (this.node.types.isProxy(value) || ArrayBuffer.isView(value)) continue;
      if (typeof value === 'function' && this.ownerCache.get(value) !== 'runtime' && !this.repeats(value)) {
        if (!this.reflector.hasFunction(value)) continue;
        this.prefetch(queue, value, turn, visited);
        const view = this.reflector.inspectFunction(value);
        const owner = view ? this.owners.ownerOf(view.script) : 'runtime';
        this.ownerCache.set(value, owner);
        if (owner === 'library') this.noteLibrary(value);
        queue.settle(value, owner === 'app');
        if (view && owner === 'app') {
          this.found.push({ fn: value, view, isExported: turn === TURNS.exports });
          this.receivers.note(value, view, walk.handlers.has(value));
          for (const scope of view.scopes) this.pushVariables(queue, scope.variables, TURNS.app);
        } else if (view && owner === 'library' && walk.libraryScopes++ < MAX_LIBRARY_SCOPES) {
          if (!this.reflector.isRemote) this.searched.add(value);
          if (walk.handlers.has(value)) this.receivers.note(value, view, true);
          // A server of a library calls functions of the app; the variables of its module are the library's own.
          const next = turn === TURNS.alive && walk.servers++ < MAX_ALIVE_SCOPES ? TURNS.alive : TURNS.library;
          for (const [at, scope] of view.scopes.entries())
            this.pushVariables(queue, scope.variables, at < view.scopes.length - 1 ? next : TURNS.library);
        }
        yield;
      } else if (typeof value === 'function') queue.settle(value, false);
      if (typeof value === 'function') this.pushBound(queue, value, turn);
      else if (turn !== TURNS.app) this.instances.note(value);
      this.pushChildren(queue, value, turn);
      if (visited.size % 100 === 0) yield;
    }
  }

  /** Inspects the next functions together with this one. */
  private prefetch(queue: SearchQueue, fn: object, turn: Turn, visited: ReadonlySet<unknown>): void {
    const isNew = (value: unknown): value is object =>
      typeof value === 'function' &&
      !this.node.types.isProxy(value) &&
      !visited.has(value) &&
      !this.ownerCache.has(value) &&
      !this.repeats(value) &&
      !isCostly(value);
    this.reflector.prefetch(fn, () => {
      const next = new Set(queue.upcoming(turn, LOOK_AHEAD));
      next.delete(fn);
      return [...next].filter(isNew).slice(0, AT_ONCE - 1);
    });
  }

  /** Libraries create the same function again and again, for example for each method of HTTP. */
  private repeats(fn: object): boolean {
    return (this.libraryTexts.get(textOf(fn)) ?? 0) >= MAX_REPEATED;
  }

  private noteLibrary(fn: object): void {
    const text = textOf(fn);
    this.libraryTexts.set(text, (this.libraryTexts.get(text) ?? 0) + 1);
  }

  /** The target and receiver of a bound function. */
  private pushBound(queue: SearchQueue, fn: object, turn: Turn): void {
    if (!isBound(fn)) return;
    // Node binds the same few for each socket.
    const name = String(quietValue(fn, 'name'));
    const count = (this.boundNames.get(name) ?? 0) + 1;
    this.boundNames.set(name, count);
    const parts = count > MAX_REPEATED ? null : this.reflector.boundParts(fn);
    if (!parts) return;
    queue.push(parts.target, turn);
    queue.push(parts.receiver, turn);
    queue.pushAll(parts.args, turn);
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

  /** Data properties only, and only the beginning of long lists. */
  private pushChildren(queue: SearchQueue, value: object, turn: Turn): void {
    const { types } = this.node;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && index < MAX_ELEMENTS; index++)
        queue.push(ownValue(value, index), turn);
      return;
    }
    const functions: object[] = [];
    // Libraries often use symbols as keys.
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
      prototype !== Object.prototype &&
      !this.node.builtIns.has(prototype)
    ) {
      queue.push(prototype, turn);
    }
    // By type, not by prototype: a class's prototype object may claim to be a Map.
    let count = 0;
    const push = (child: unknown) => {
      if (count++ < MAX_ELEMENTS) queue.push(child, turn);
    };
    if (types.isMap(value)) apply(mapForEach, value, [push]);
    else if (types.isSet(value)) apply(setForEach, value, [push]);
  }

  private isInterestingFunction(fn: object): boolean {
    const known = this.ownerCache.get(fn);
    return known === undefined || known === 'app';
  }

  private readClosures(holder: object, into: Variables | null): void {
    let count = 0;
    for (const name of getOwnPropertyNames(holder)) {
      const fn: unknown = quietDescriptor(holder, name)?.value;
      if (typeof fn !== 'function' || ++count > MAX_FUNCTIONS_PER_HOLDER || this.ownerOf(fn) !== 'app') continue;
      const view = this.searched.has(fn) ? null : this.reflector.inspectFunction(fn);
      for (let level = 1; view && level <= MAX_SCOPE_LEVEL; level++) this.registry.register(fn, view, level, into);
    }
  }

  /** True if everything that `findHidden` needs of this object was fetched; otherwise requests it. */
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
