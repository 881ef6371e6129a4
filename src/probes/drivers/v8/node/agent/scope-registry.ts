/**
 * Keeps the variables of scopes readable: V8 returns copies, so each capture fetches them again through a function that
 * closes over them and writes them into objects that the shadow tree reads like any other.
 */
import type { LeafRoot } from '../../../../../model/leaves.ts';
import { joinPath } from '../../../../../model/path.ts';
import { ownValue } from '../../tree/own-data.ts';
import { isConstant } from './constants.ts';
import type { FunctionView, Reflecting, ScopeView, ScriptInfo } from './reflecting.ts';
import { moduleName, type ScriptOwners, scriptPath } from './scripts.ts';

export type Variables = Record<string, unknown>;

/** One scope, reached through one function. */
interface ScopeSource {
  readonly scriptId: string;
  readonly fn: WeakRef<object>;
  readonly index: number;
  readonly target: Variables;
  /** Variable -> key under which it is shown. */
  readonly names: Map<string, string>;
  /** The values of the last refresh. */
  last: Variables;
}

/** Variables of CommonJS that are no state. */
const WRAPPER_NAMES = new Set(['require', 'module', 'exports', '__filename', '__dirname', 'arguments', 'this']);
const MANGLED_LENGTH = 3;
/** More deeply nested variables are hardly an app's state. */
export const MAX_SCOPE_LEVEL = 6;
const MAX_SOURCES = 400;
/** Each costs the app about 0.1 ms. */
const REFRESHED_AT_ONCE = 64;
/** The number of those that are read together. */
const READ_AT_ONCE = 16;

export class ScopeRegistry {
  /** The top of the state: variables of the main module, then one object per further module, then globals. */
  readonly top: Variables = Object.create(null);
  /** Objects that represent scopes, not data of the app. */
  readonly scopeObjects = new WeakSet<object>([this.top]);
  readonly roots = new Map<string, LeafRoot>();
  private readonly sources: ScopeSource[] = [];
  private readonly reserved = new WeakMap<Variables, Set<string>>();
  /** The position of the next refresh. */
  private cursor = 0;
  /** The levels of a function that were already inspected. */
  private readonly registered = new WeakMap<object, Set<number>>();
  private readonly exported: { holder: object; name: string; target: Variables }[] = [];
  private readonly main: Variables = Object.create(null);
  private readonly modules = new Map<string, Variables>();
  private readonly moduleNames = new Map<string, string>();
  private readonly globals = new Map<string, unknown>();
  private readonly held = new Map<string, object>();
  private readonly reflector: Reflecting;
  private readonly owners: ScriptOwners;
  /** The visible part of a variable; undefined if it is no state. */
  private readonly show: (value: unknown) => unknown;

  constructor(reflector: Reflecting, owners: ScriptOwners, show: (value: unknown) => unknown) {
    this.reflector = reflector;
    this.owners = owners;
    this.show = show;
  }

  /** Grows with everything that is added. */
  get size(): number {
    return this.sources.length + this.exported.length + this.globals.size + this.modules.size + this.held.size;
  }

  /**
   * Adds one scope of an app function, counted from the outermost (1: the module). `holder`: the place of its variables
   * if the function belongs to an object of the state; otherwise they go to their module. Returns true if it was new.
   */
  register(fn: object, view: FunctionView, level: number, holder: Variables | null): boolean {
    const done = this.registered.get(fn) ?? new Set();
    if (done.has(level) || this.sources.length >= MAX_SOURCES) return false;
    this.registered.set(fn, done.add(level));
    const index = view.scopes.length - level;
    const scope = view.scopes[index];
    if (!scope || scope.description === 'Script' || this.owners.isCatalog(scriptPath(view.script))) return false;
    const target = level === 1 || !holder ? this.moduleVariables(view.script) : holder;
    if (this.isKnown(fn, view, index, target)) return false;
    const names = this.chooseNames(scope, target, view.script);
    this.sources.push({ scriptId: view.script.id, fn: new WeakRef(fn), index, target, names, last: scope.variables });
    this.copy(scope.variables, names, target);
    return true;
  }

  /** Shows an export of a module unless one of its variables is already the same. */
  addExports(path: string, exported: unknown): void {
    if (typeof exported !== 'object' || exported === null) return;
    const script = { id: '', url: path, minified: false };
    const target = this.moduleVariables(script);
    const known = new Set(Object.values(target));
    if (known.has(exported)) return;
    if (Object.getPrototypeOf(exported) !== Object.prototype) {
      const name = moduleName(path);
      if (this.reservedIn(target).has(name) || this.show(exported) === undefined) return;
      this.showExport({ [name]: exported }, name, target, exported);
      return;
    }
    // For a module that exports its package.json, the visible part of it.
    const shown = this.show(exported);
    const holder = typeof shown === 'object' && shown !== null ? shown : exported;
    for (const [name, { value, enumerable }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      if (!enumerable || known.has(value) || this.reservedIn(target).has(name)) continue;
      if (this.show(value) === undefined || this.owners.isConstant(path, name)) continue;
      this.describe(target, name, script, 'exports');
      this.showExport(holder, name, target, value);
    }
  }

  private showExport(holder: object, name: string, target: Variables, value: unknown): void {
    this.reservedIn(target).add(name);
    this.exported.push({ holder, name, target });
    target[name] = this.show(value);
  }

  /** Shows an object without a variable, under a free name, until it is released. */
  hold(object: object, wanted: string, origin: string, isMinified: boolean): string {
    const taken = new Set([...Object.keys(this.top), ...this.reservedIn(this.main), ...this.moduleNames.values()]);
    const name = freeName(wanted, 'object', new Set([...taken, ...this.held.keys()]));
    this.held.set(name, object);
    const mangled = isMinified && name.length <= MANGLED_LENGTH;
    this.roots.set(name, { name, origin, mangled });
    this.arrange();
    return name;
  }

  release(name: string): void {
    this.held.delete(name);
    this.roots.delete(name);
    this.arrange();
  }

  /** Globals can be deleted, so all of them are listed anew each time. */
  setGlobals(globals: Iterable<readonly [name: string, value: unknown, origin: string]>): void {
    this.globals.clear();
    for (const [name, value, origin] of globals)
      if (this.show(value) !== undefined) this.addGlobal(name, value, origin);
  }

  private addGlobal(name: string, value: unknown, origin: string): void {
    this.globals.set(name, value);
    if (!this.roots.has(name)) this.roots.set(name, { name, origin, mangled: false });
  }

  /**
   * Lays out the top: variables of the main module under their own names, other modules by path under free ones, then
   * globals. The order of discovery is arbitrary; this order decides which place owns a shared object.
   */
  arrange(): void {
    for (const name of Object.keys(this.top)) delete this.top[name];
    Object.assign(this.top, this.main);
    for (const [path, variables] of [...this.modules].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const name = this.nameOfModule(path);
      this.top[name] = variables;
      this.roots.set(name, { name, origin: `module ${path}`, mangled: false });
    }
    // Variables with a name of their own come first: these are named by their class.
    for (const [name, object] of this.held) if (!(name in this.top)) this.top[name] = object;
    for (const [name, value] of [...this.globals].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!(name in this.top)) this.top[name] = value;
    }
  }

  /** True if this scope of it was inspected, or if it has none. */
  isRegistered(fn: object, level: number): boolean {
    return level === 0 || this.registered.get(fn)?.has(Math.min(level, MAX_SCOPE_LEVEL)) === true;
  }

  /** All variables of the scopes as of the last read, even those that are no state. */
  lastRead(): Variables[] {
    return this.sources.map(({ last }) => last);
  }

  /** The roots, and which parts of them are constants. `isOwn`: of a class of the app. */
  describeRoots(isOwn: (value: object) => boolean): LeafRoot[] {
    const exported = new Map<Variables, Set<string>>();
    for (const { target, name } of this.exported) exported.set(target, (exported.get(target) ?? new Set()).add(name));
    const judge = (variables: Variables, name: string, path: string) => {
      const value = variables[name];
      if (typeof value === 'object' && value !== null && isOwn(value)) return false;
      const isLiteral = exported.get(variables)?.has(name) === true && this.owners.isPackaged(path);
      return isConstant({ name, value, isLiteral });
    };
    const paths = new Map([...this.modules.keys()].map((path) => [this.nameOfModule(path), path]));
    return [...this.roots.values()].map((root): LeafRoot => {
      const path = paths.get(root.name);
      const variables = path === undefined ? undefined : this.modules.get(path);
      if (path === undefined || variables === undefined)
        return root.name in this.main && judge(this.main, root.name, this.owners.mainPath)
          ? { ...root, constants: [''] }
          : { ...root };
      const names = Object.keys(variables).filter((name) => variables[name] !== undefined);
      const constants = names.filter((name) => judge(variables, name, path));
      if (constants.length === 0) return { ...root };
      const isAll = constants.length === names.length;
      return { ...root, constants: isAll ? [''] : constants.map((name) => joinPath('', name)) };
    });
  }

  /** Names modules before their contents are found, so that the names do not depend on the order of discovery. */
  nameModules(paths: readonly string[]): void {
    for (const path of paths) this.nameOfModule(path);
  }

  /** Permanent, unless a variable of the main module has the same name. */
  private nameOfModule(path: string): string {
    const known = this.moduleNames.get(path);
    if (known !== undefined && !(known in this.main)) return known;
    const name = freeName(
      moduleName(path),
      this.owners.folderOf(path),
      new Set([...this.moduleNames.values(), ...Object.keys(this.main)]),
    );
    this.moduleNames.set(path, name);
    return name;
  }

  /** The functions through which the variables are read. */
  functions(): object[] {
    return this.sources.flatMap(({ fn }) => fn.deref() ?? []);
  }

  /** The functions through which the next `refresh` reads. */
  dueFunctions(): object[] {
    return this.due().flatMap(({ fn }) => fn.deref() ?? []);
  }

  private due(): ScopeSource[] {
    const count = Math.min(this.sources.length, REFRESHED_AT_ONCE);
    return Array.from(
      { length: count },
      (_, at) => this.sources[(this.cursor + at) % this.sources.length] as ScopeSource,
    );
  }

  /** Updates the variables: all of them, or the next ones in turn if there are very many. */
  refresh(): void {
    const views = new Map<object, FunctionView | null>();
    const due = this.due();
    const count = due.length;
    this.cursor = this.sources.length > count ? (this.cursor + count) % this.sources.length : 0;
    const lost = new Set<ScopeSource>();
    const waiting = [...new Set(due.flatMap(({ fn }) => fn.deref() ?? []))];
    for (const source of due) {
      const fn = source.fn.deref();
      if (fn && fn === waiting[0]) this.reflector.prefetch(fn, () => waiting.splice(0, READ_AT_ONCE).slice(1));
      if (fn && !this.reflector.hasFunction(fn)) continue;
      if (fn && !views.has(fn)) views.set(fn, this.reflector.inspectFunction(fn));
      const scope = fn ? views.get(fn)?.scopes[source.index] : undefined;
      if (scope) {
        source.last = scope.variables;
        this.copy(scope.variables, source.names, source.target);
      } else lost.add(source);
    }
    for (const source of lost) this.forget(source);
    for (const { holder, name, target } of this.exported) target[name] = this.show(ownValue(holder, name));
    this.arrange();
  }

  /** Modules can be reloaded: their earlier exports are no state any more. */
  forgetExports(): void {
    for (const { name, target } of this.exported) {
      delete target[name];
      this.reserved.get(target)?.delete(name);
    }
    this.exported.length = 0;
  }

  private forget(source: ScopeSource): void {
    this.sources.splice(this.sources.indexOf(source), 1);
    for (const key of source.names.values()) {
      delete source.target[key];
      this.reserved.get(source.target)?.delete(key);
    }
  }

  private copy(variables: Variables, names: ReadonlyMap<string, string>, target: Variables): void {
    for (const [name, key] of names) {
      const shown = this.show(variables[name]);
      if (shown !== undefined || key in target) target[key] = shown;
    }
  }

  private moduleVariables(script: ScriptInfo): Variables {
    if (this.owners.isMain(script)) return this.main;
    const path = scriptPath(script);
    const known = this.modules.get(path);
    if (known) return known;
    const variables: Variables = Object.create(null);
    this.modules.set(path, variables);
    this.scopeObjects.add(variables);
    return variables;
  }

  private chooseNames(scope: ScopeView, target: Variables, script: ScriptInfo): Map<string, string> {
    const names = new Map<string, string>();
    const taken = this.reservedIn(target);
    const functionName = /\((.+)\)/.exec(scope.description)?.[1] ?? 'inner';
    for (const name of Object.getOwnPropertyNames(scope.variables)) {
      if (WRAPPER_NAMES.has(name) || this.owners.isConstant(scriptPath(script), name)) continue;
      const key = freeName(name, functionName, taken);
      taken.add(key);
      names.set(name, key);
      this.describe(target, key, script, scope.description);
    }
    return names;
  }

  /** Assigned names, including those of variables that have nothing to show yet. */
  private reservedIn(target: Variables): Set<string> {
    const names = this.reserved.get(target) ?? new Set<string>();
    this.reserved.set(target, names);
    return names;
  }

  private describe(target: Variables, key: string, script: ScriptInfo, where: string): void {
    if (target !== this.main || this.roots.has(key)) return;
    const mangled = script.minified && key.length <= MANGLED_LENGTH;
    const root = { name: key, origin: `${where} of ${scriptPath(script)}`, mangled };
    this.roots.set(key, mangled ? { ...root, family: 'main module' } : root);
  }

  /** True if it was reached through another function before. */
  private isKnown(fn: object, { script, scopes }: FunctionView, index: number, target: Variables): boolean {
    const variables = scopes[index]?.variables ?? {};
    const names = Object.getOwnPropertyNames(variables);
    const hasObjects = names.some((name) => isReference(variables[name]));
    // Inspected again for the comparison: only copies of the same moment agree.
    const now = (one: object, at: number) => this.reflector.inspectFunction(one)?.scopes[at]?.variables;
    return this.sources.some((source) => {
      if (source.scriptId !== script.id) return false;
      // Numbers and texts alone do not distinguish two counters of one factory; their places do. And only scopes that
      // shared an object a moment ago need a closer look.
      if (hasObjects ? !shareObject(source.last, variables) : source.target !== target) return false;
      if (hasObjects && isSameScope(source.last, variables)) return true;
      const known = source.fn.deref();
      const [one, other] = known ? [now(known, source.index), now(fn, index)] : [];
      return one !== undefined && other !== undefined && isSameScope(one, other);
    });
  }
}

function shareObject(a: Variables, b: Variables): boolean {
  return Object.getOwnPropertyNames(a).some((name) => isReference(a[name]) && a[name] === b[name]);
}

function isReference(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Two copies of one scope, taken at the same moment, agree in everything. */
function isSameScope(a: Variables, b: Variables): boolean {
  const names = Object.getOwnPropertyNames(a);
  if (names.length !== Object.getOwnPropertyNames(b).length) return false;
  return names.every((name) => name in b && Object.is(a[name], b[name]));
}

/** `wanted`, or with a qualifier, or with a number: in an order that is the same at every start. */
function freeName(wanted: string, qualifier: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${wanted}_${qualifier}` : `${wanted}_${qualifier}_${number}`;
    if (!taken.has(name)) return name;
  }
}
