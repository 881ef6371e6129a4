/**
 * Keeps the variables of scopes readable: V8 hands out copies, so each capture fetches them again through a function
 * that closes over them and writes them into objects that the shadow tree reads like any other.
 */
import type { LeafRoot } from '../../../model/leaves.ts';
import type { FunctionView, Reflector, ScopeView, ScriptInfo } from './reflector.ts';
import { moduleName, type ScriptOwners, scriptPath } from './scripts.ts';

export type Variables = Record<string, unknown>;

/** One scope as reached through one function. */
interface ScopeSource {
  readonly scriptId: string;
  readonly fn: WeakRef<object>;
  readonly index: number;
  readonly target: Variables;
  /** Variable -> key under which it is shown. */
  readonly names: Map<string, string>;
  last: Variables;
}

/** Variables of CommonJS that are no state. */
const WRAPPER_NAMES = new Set(['require', 'module', 'exports', '__filename', '__dirname', 'arguments', 'this']);
const MANGLED_LENGTH = 3;
const MAX_SOURCES = 400;

export class ScopeBook {
  /** The top of the state: variables of the main module, then one object per further module, then globals. */
  readonly top: Variables = Object.create(null);
  /** Objects that stand for scopes, not for data of the app. */
  readonly scopeObjects = new WeakSet<object>([this.top]);
  readonly roots = new Map<string, LeafRoot>();
  private readonly sources: ScopeSource[] = [];
  private readonly modules = new Map<string, { name: string; variables: Variables }>();
  private readonly globals = new Set<string>();
  private readonly reflector: Reflector;
  private readonly owners: ScriptOwners;
  private readonly isState: (value: unknown) => boolean;

  constructor(reflector: Reflector, owners: ScriptOwners, isState: (value: unknown) => boolean) {
    this.reflector = reflector;
    this.owners = owners;
    this.isState = isState;
  }

  /**
   * Takes in one scope of an app function, counted from the outermost (1: the module). `holder`: where its variables belong
   * when the function hangs on an object of the state; without one they go to their module. True when it was new.
   */
  register(fn: object, view: FunctionView, level: number, holder: Variables | null): boolean {
    const index = view.scopes.length - level;
    const scope = view.scopes[index];
    if (
      !scope ||
      scope.description === 'Script' ||
      this.sources.length >= MAX_SOURCES ||
      this.isKnown(view.script, scope)
    )
      return false;
    const target = level === 1 || !holder ? this.moduleVariables(view.script) : holder;
    const names = this.chooseNames(scope, target, view.script);
    this.sources.push({ scriptId: view.script.id, fn: new WeakRef(fn), index, target, names, last: scope.variables });
    this.copy(scope.variables, names, target);
    return true;
  }

  /** Shows what a module exports unless one of its variables is already the same thing. */
  addExports(path: string, exported: unknown): void {
    const variables = this.moduleVariables({ id: '', url: path, minified: false });
    if (typeof exported !== 'object' || exported === null) return;
    const known = new Set(Object.values(variables));
    if (known.has(exported)) return;
    if (Object.getPrototypeOf(exported) !== Object.prototype) {
      variables[moduleName(path)] ??= exported;
      return;
    }
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(exported))) {
      const value: unknown = descriptor.value;
      if (!descriptor.enumerable || known.has(value) || name in variables || !this.isState(value)) continue;
      this.describe(variables, name, { id: '', url: path, minified: false }, 'exports');
      variables[name] = value;
    }
  }

  addGlobal(name: string, value: unknown, origin: string): void {
    if (!this.globals.has(name) && (name in this.top || !this.isState(value))) return;
    if (!this.roots.has(name)) this.roots.set(name, { name, origin, mangled: false });
    this.globals.add(name);
    this.top[name] = value;
  }

  /** The order in which things were found is chance; the order in which they are shown decides which place owns a shared object. */
  arrange(): void {
    const modules = [...this.modules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { name }]) => name);
    const moved = [...modules, ...[...this.globals].sort()].map((name) => [name, this.top[name]] as const);
    for (const [name] of moved) delete this.top[name];
    for (const [name, value] of moved) this.top[name] = value;
  }

  /** Brings every variable up to this moment. */
  refresh(): void {
    const views = new Map<object, FunctionView | null>();
    for (let at = this.sources.length - 1; at >= 0; at--) {
      const source = this.sources[at] as ScopeSource;
      const fn = source.fn.deref();
      if (fn && !views.has(fn)) views.set(fn, this.reflector.inspectFunction(fn));
      const scope = fn ? views.get(fn)?.scopes[source.index] : undefined;
      if (scope) {
        source.last = scope.variables;
        this.copy(scope.variables, source.names, source.target);
      } else {
        for (const key of source.names.values()) delete source.target[key];
        this.sources.splice(at, 1);
      }
    }
  }

  private copy(variables: Variables, names: ReadonlyMap<string, string>, target: Variables): void {
    for (const [name, key] of names) {
      const value = variables[name];
      if (this.isState(value)) target[key] = value;
      else if (key in target) target[key] = undefined;
    }
  }

  private moduleVariables(script: ScriptInfo): Variables {
    if (this.owners.isMain(script)) return this.top;
    const path = scriptPath(script);
    const known = this.modules.get(path);
    if (known) return known.variables;
    const variables: Variables = Object.create(null);
    const name = this.freeName(moduleName(path), this.top, path);
    this.modules.set(path, { name, variables });
    this.scopeObjects.add(variables);
    this.roots.set(name, { name, origin: `module ${path}`, mangled: false });
    this.top[name] = variables;
    return variables;
  }

  private chooseNames(scope: ScopeView, target: Variables, script: ScriptInfo): Map<string, string> {
    const names = new Map<string, string>();
    const functionName = /\((.+)\)/.exec(scope.description)?.[1];
    for (const name of Object.getOwnPropertyNames(scope.variables)) {
      if (WRAPPER_NAMES.has(name)) continue;
      const key =
        name in target
          ? this.freeName(functionName ? `${functionName}_${name}` : name, target, scriptPath(script))
          : name;
      names.set(name, key);
      this.describe(target, key, script, scope.description);
    }
    return names;
  }

  private describe(target: Variables, key: string, script: ScriptInfo, where: string): void {
    if (target !== this.top || this.roots.has(key)) return;
    this.roots.set(key, {
      name: key,
      origin: `${where} of ${scriptPath(script)}`,
      mangled: script.minified && key.length <= MANGLED_LENGTH,
    });
  }

  /** Names are chosen in an order that is the same at every start, so the numbers are too. */
  private freeName(wanted: string, target: Variables, path: string): string {
    if (!(wanted in target)) return wanted;
    const folder = path.split('/').slice(-2, -1)[0];
    const qualified = folder ? `${folder}_${wanted}` : wanted;
    for (let number = 1; ; number++) {
      const name = number === 1 ? qualified : `${qualified}_${number}`;
      if (!(name in target)) return name;
    }
  }

  private isKnown(script: ScriptInfo, scope: ScopeView): boolean {
    return this.sources.some((source) => source.scriptId === script.id && isSameScope(source.last, scope.variables));
  }
}

/** Copies of one scope have the same names and hold the same objects; without objects the values must agree. */
function isSameScope(a: Variables, b: Variables): boolean {
  const names = Object.getOwnPropertyNames(a);
  if (names.length !== Object.getOwnPropertyNames(b).length) return false;
  return names.every((name) => name in b && Object.is(a[name], b[name]));
}
