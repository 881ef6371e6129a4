/**
 * The facts about functions and private fields that the daemon has fetched. Deno has no in-process inspector that could
 * be used here: its callbacks come later, it needs a permission, and within a call of the inspector it ends the
 * process.
 */
import { isNative, Quiet, type QuietOptions } from '../../node/agent/quiet.ts';
import type { FunctionView, Reflecting } from '../../node/agent/reflecting.ts';
import { readScopes } from '../../node/agent/reflector.ts';
import type { Field, Finding } from './deno-protocol.ts';

type Fields = Record<string, unknown>;

const functionToString = Function.prototype.toString;
const NATIVE = /\{ \[native code\] \}$/;

export class RemoteReflector implements Reflecting {
  readonly isRemote = true;
  private functions = new WeakMap<object, FunctionView | null>();
  private fields = new WeakMap<object, Fields | null>();
  private wanted = new Set<object>();
  private heap: object[] = [];
  private onFetched: (() => void) | null = null;
  /** Objects with private fields that cannot all be described without side effects. */
  private readonly loud = new WeakSet<object>();
  private readonly notify: (what: 'wanted' | 'functions') => void;
  private readonly quiet: Quiet;

  constructor(types: QuietOptions['types'], notify: (what: 'wanted' | 'functions') => void) {
    this.notify = notify;
    // The first version that opens an inspector for a signal recognises lists by type.
    this.quiet = new Quiet({ types, readsLength: false, isRuntimeFunction: () => false });
  }

  /** The breakpoints would be the daemon's, and Deno has no channel for their results. */
  readonly canWatchCalls = false;

  watchCall(): null {
    return null;
  }

  prefetch(): void {}

  boundParts(): null {
    return null;
  }

  hasFunction(fn: object): boolean {
    if (this.functions.has(fn) || isNative(fn) || !this.quiet.canList(fn)) return true;
    this.wanted.add(fn);
    return false;
  }

  hasFields(object: object): boolean {
    if (this.fields.has(object) || this.loud.has(object) || !this.quiet.canList(object)) return true;
    this.wanted.add(object);
    return false;
  }

  inspectFunction(fn: object): FunctionView | null {
    return this.functions.get(fn) ?? null;
  }

  privateFields(object: object): Fields | null {
    return this.fields.get(object) ?? null;
  }

  async fetchWanted(): Promise<boolean> {
    if (this.wanted.size === 0) return false;
    await this.waitFor('wanted');
    return true;
  }

  nameScripts(): void {}

  rest(): void {}

  begin(): void {
    this.functions = new WeakMap();
    this.fields = new WeakMap();
    this.wanted.clear();
    this.heap = [];
  }

  findFunctions(): Promise<void> {
    this.heap = [];
    return this.waitFor('functions');
  }

  allObjects(): object[] {
    return this.heap;
  }

  /** Modules have no such variables, and Deno runs only modules. */
  globalLexicals(): Fields {
    return {};
  }

  dispose(): void {
    this.begin();
  }

  /** The values of one round; others are requested in the next. */
  takeWanted(limit: number): object[] {
    return [...this.wanted].slice(0, limit);
  }

  /** `objects`: scopes of functions and values of private fields. */
  deliver(values: readonly object[], findings: readonly Finding[], objects: readonly unknown[]): void {
    values.forEach((value, index) => {
      const finding = findings[index] ?? null;
      this.wanted.delete(value);
      if (typeof value === 'function') this.functions.set(value, functionView(finding, objects));
      else this.keepFields(value, fieldValues(finding, objects));
    });
    if (this.wanted.size > 0) this.notify('wanted');
    else this.fetched();
  }

  /**
   * Keeps functions whose text is in these sources; in parts, because there are thousands. Returns true after the last
   * part.
   */
  takeFunctions(functions: ArrayLike<object>, from: number, to: number, sources: readonly string[]): boolean {
    for (let index = from; index < to && index < functions.length; index++) {
      const fn = functions[index];
      if (typeof fn !== 'function') continue;
      const text = textOf(fn);
      // The inspector would be certain, but one by one; mere lookalikes are removed later.
      if (text !== null && sources.some((source) => source.includes(text))) this.heap.push(fn);
    }
    const done = to >= functions.length;
    if (done) this.fetched();
    return done;
  }

  private keepFields(object: object, fields: Fields | null): void {
    if (fields === null || Object.values(fields).every((value) => this.quiet.canDescribe(value)))
      this.fields.set(object, fields);
    // That could not be known before; it is not requested again.
    else this.loud.add(object);
  }

  private waitFor(what: 'wanted' | 'functions'): Promise<void> {
    return new Promise((resolve) => {
      this.onFetched = resolve;
      this.notify(what);
    });
  }

  private fetched(): void {
    this.onFetched?.();
    this.onFetched = null;
  }
}

function functionView(finding: Finding, objects: readonly unknown[]): FunctionView | null {
  if (finding?.kind !== 'function') return null;
  const { scriptId, url, minified, line, column, at } = finding;
  return { script: { id: scriptId, url, minified }, line, column, scopes: readScopes(objects[at]) };
}

function fieldValues(finding: Finding, objects: readonly unknown[]): Fields | null {
  if (finding?.kind !== 'fields') return null;
  const values: Fields = Object.create(null);
  for (const field of finding.fields) values[field.name] = fieldValue(field, objects);
  return values;
}

function fieldValue(field: Field, objects: readonly unknown[]): unknown {
  if ('at' in field) return objects[field.at];
  if ('value' in field) return field.value;
  if (field.special === 'undefined') return undefined;
  return field.special.endsWith('n') ? BigInt(field.special.slice(0, -1)) : Number(field.special);
}

/** Null for a function without a text of its own. */
function textOf(fn: object): string | null {
  try {
    const text: string = Reflect.apply(functionToString, fn, []);
    return NATIVE.test(text) ? null : text;
  } catch {
    // It looks like a function, but is a prototype of some.
    return null;
  }
}
