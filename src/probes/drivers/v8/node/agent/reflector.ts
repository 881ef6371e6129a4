/**
 * Reads what plain JavaScript cannot: the variables of closures and private fields. It queries the process's own
 * inspector through an in-process session: no port, no second thread, no pause, immediate answers.
 */
import type * as ChannelModule from 'node:diagnostics_channel';
import type * as InspectorModule from 'node:inspector';
import type { Runtime } from 'node:inspector';
import type * as UtilModule from 'node:util';
import { CallWatch } from './call-watch.ts';
import { isBound, isNative, Quiet } from './quiet.ts';
import type { BoundParts, FunctionView, Reflecting, ScopeView, ScriptInfo } from './reflecting.ts';
import { createRelay } from './relay.ts';

const TEMPORARY = 'substrate-temporary';
const KEPT = 'substrate';
/** A name that no program uses for a variable. */
const LEXICALS = 'substrateLexicals';
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const MINIFIED_LINE_LENGTH = 300;
const UNKNOWN_SCRIPT: ScriptInfo = { id: '', url: '', minified: false };

interface Location {
  scriptId: string;
  lineNumber: number;
  columnNumber: number;
}

interface Holder {
  value: unknown;
  result: unknown;
}

export class Reflector implements Reflecting {
  readonly isRemote = false;
  private readonly session: InspectorModule.Session;
  /** Carries values between JavaScript and the inspector's object ids. */
  private readonly holder: Holder = { value: null, result: null };
  private readonly holderId: string;
  private readonly scripts = new Map<string, ScriptInfo>();
  private readonly quiet: Quiet;
  /** Objects with a private field that cannot be described without running code. */
  private readonly loud = new WeakSet<object>();
  private readonly bound = new WeakMap<object, BoundParts>();
  private readonly channels: typeof ChannelModule | null;
  /** Null if this version of Node has no way that leaves no trace. Undefined if not known yet. */
  private calls: CallWatch | null | undefined;
  private isDebugging = false;
  private prefetched = new Map<object, FunctionView | null>();

  constructor(
    inspector: typeof InspectorModule,
    types: typeof UtilModule.types,
    channels: typeof ChannelModule | null = null,
  ) {
    this.channels = channels;
    this.session = new inspector.Session();
    this.session.connect();
    this.session.on('Debugger.scriptParsed', ({ params }) => {
      const minified = isMinified(params.length ?? 0, params.endLine);
      this.scripts.set(params.scriptId, { id: params.scriptId, url: params.url, minified });
    });
    this.holderId = this.identifyHolder();
    this.quiet = new Quiet({
      types,
      readsLength: this.readsLength(),
      isRuntimeFunction: (fn) => this.isOfNode(fn),
    });
  }

  get canWatchCalls(): boolean {
    if (this.calls === undefined) this.calls = this.createWatch();
    return this.calls !== null;
  }

  watchCall(fn: object, take: (receiver: unknown) => void): (() => void) | null {
    if (!this.canWatchCalls || isNative(fn)) return null;
    this.nameScripts();
    return this.calls?.watch(fn, take) ?? null;
  }

  boundParts(fn: object): BoundParts | null {
    if (!isBound(fn) || this.loud.has(fn) || !this.quiet.canList(fn)) return null;
    const known = this.bound.get(fn);
    if (known) return known;
    try {
      const internals = this.internalProperties(this.identify(fn));
      const part = (name: string) => {
        const value = internals.find((property) => property.name === name)?.value;
        return value && this.valueOf(value);
      };
      const args = part('[[BoundArgs]]');
      const parts = {
        target: part('[[TargetFunction]]'),
        receiver: part('[[BoundThis]]'),
        args: Array.isArray(args) ? args : [],
      };
      this.bound.set(fn, parts);
      return parts;
    } finally {
      this.release();
    }
  }

  /** Null for a value that is no function written in JavaScript, or cannot be inspected without running code. */
  inspectFunction(fn: object): FunctionView | null {
    const known = this.prefetched.get(fn);
    // Used once: its variables may have changed the next time.
    if (known !== undefined && this.prefetched.delete(fn)) return known;
    if (isNative(fn)) return null;
    const asked = this.quiet.canList(fn) ? fn : this.standIn(fn);
    return asked && this.viewOf(asked);
  }

  prefetch(fn: object, others: () => readonly object[]): void {
    if (this.prefetched.has(fn) || isNative(fn)) return;
    const asked = [fn, ...others()].filter((one) => !isNative(one) && this.quiet.canList(one));
    if (asked.length < 2) return;
    for (const [at, view] of this.viewsOf(asked).entries()) this.prefetched.set(asked[at] as object, view);
  }

  /**
   * A method of a class that cannot be inspected itself: it was written at the same place, and sees the same variables.
   */
  private standIn(fn: object): object | null {
    const prototype: unknown = Object.getOwnPropertyDescriptor(fn, 'prototype')?.value;
    if (typeof prototype !== 'object' || prototype === null) return null;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
      if (typeof method !== 'function' || method === fn || isNative(method)) continue;
      if (this.quiet.canList(method)) return method;
    }
    return null;
  }

  private viewOf(fn: object): FunctionView | null {
    return this.viewsOf([fn])[0] ?? null;
  }

  private viewsOf(fns: readonly object[]): (FunctionView | null)[] {
    try {
      const found = this.identifyAll(fns).map((objectId) => {
        const internals = this.internalProperties(objectId);
        const location = internals.find((property) => property.name === '[[FunctionLocation]]')?.value?.value as
          | Location
          | undefined;
        const scopesId = internals.find((property) => property.name === '[[Scopes]]')?.value?.objectId;
        return location && scopesId ? { location, scopesId } : null;
      });
      const lists = this.fetchAll(found.flatMap((one) => one?.scopesId ?? []));
      let at = 0;
      return found.map((one) => one && this.viewAt(one.location, lists[at++]));
    } finally {
      this.release();
    }
  }

  private viewAt({ scriptId, lineNumber, columnNumber }: Location, scopes: unknown): FunctionView {
    return { script: this.script(scriptId), line: lineNumber, column: columnNumber, scopes: readScopes(scopes) };
  }

  /** `#name` fields as `name`; null if there are none, or if they cannot be read without running code. */
  privateFields(object: object): Record<string, unknown> | null {
    if (this.loud.has(object) || !this.quiet.canList(object)) return null;
    try {
      const id = this.identify(object);
      const fields = this.post<Runtime.GetPropertiesReturnType & { privateProperties?: Runtime.PropertyDescriptor[] }>(
        'Runtime.getProperties',
        {
          objectId: id,
          ownProperties: true,
        },
      ).privateProperties;
      if (!fields) return null;
      const values: Record<string, unknown> = Object.create(null);
      for (const { name, value } of fields) {
        if (!value || value.type === 'function') continue;
        values[name.replace(/^#/, '')] = this.valueOf(value);
      }
      // That could not be known before; it is not queried again.
      if (Object.values(values).every((value) => this.quiet.canDescribe(value))) return values;
      this.loud.add(object);
      return null;
    } finally {
      this.release();
    }
  }

  /** Runs the garbage collector twice, so only if nothing cheaper helps. Functions alone would cost as much. */
  allObjects(): object[] {
    try {
      const prototypeObjectId = this.identify(Object.prototype);
      const { objects } = this.post<{ objects: Runtime.RemoteObject }>('Runtime.queryObjects', {
        prototypeObjectId,
        objectGroup: TEMPORARY,
      });
      return objects.objectId ? (this.fetch(objects.objectId) as object[]) : [];
    } finally {
      this.release();
    }
  }

  /**
   * Top-level `let`, `const` and `class` of plain scripts (`node -e`, the REPL), which are no properties of the global.
   */
  globalLexicals(): Record<string, unknown> {
    const values: Record<string, unknown> = Object.create(null);
    try {
      const { names } = this.post<{ names: string[] }>('Runtime.globalLexicalScopeNames', {});
      const usable = names.filter((name) => IDENTIFIER.test(name));
      if (usable.length === 0) return values;
      // Put into an object of ours, which alone is described. A variable that is not set yet throws.
      const reads = usable.map((name) => `try{${LEXICALS}[${JSON.stringify(name)}]=${name}}catch{}`).join('');
      const { result } = this.post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
        expression: `(()=>{const ${LEXICALS}={__proto__:null};${reads}return ${LEXICALS}})()`,
        objectGroup: TEMPORARY,
      });
      return result.objectId === undefined ? values : (this.fetch(result.objectId) as Record<string, unknown>);
    } finally {
      this.release();
    }
  }

  hasFunction(): boolean {
    return true;
  }

  hasFields(): boolean {
    return true;
  }

  async fetchWanted(): Promise<boolean> {
    return false;
  }

  begin(): void {
    this.prefetched = new Map();
  }

  /** Enabling announces every script once, and new ones as they come. */
  nameScripts(): void {
    if (this.isDebugging) return;
    this.post('Debugger.enable', {});
    this.isDebugging = true;
    // A `debugger` statement of the app must have no effect.
    this.post('Debugger.setSkipAllPauses', { skip: true });
  }

  /** Enabling it costs far more than leaving it on, so it stays on until no call is waited for. */
  rest(): void {
    if (!this.isDebugging || this.calls?.isIdle === false) return;
    this.post('Debugger.disable', {});
    this.isDebugging = false;
  }

  async findFunctions(): Promise<void> {}

  dispose(): void {
    this.holder.value = null;
    this.holder.result = null;
    this.calls?.dispose();
    try {
      this.session.disconnect();
    } catch {
      // Already gone with the inspector.
    }
  }

  private createWatch(): CallWatch | null {
    const relay = this.channels && createRelay(this.channels, (fn) => this.isOfNode(fn));
    return (
      relay &&
      new CallWatch({
        relay,
        post: (method, params) => this.post(method, params),
        withId: (fn, work) => {
          try {
            return work(this.identify(fn));
          } finally {
            this.release();
          }
        },
      })
    );
  }

  private isOfNode(fn: object): boolean {
    return this.viewOf(fn)?.script.url.startsWith('node:') ?? false;
  }

  /** Whether this version reads the `length` of an object to describe it: tested with an object of ours. */
  private readsLength(): boolean {
    let hasRead = false;
    const list = Object.defineProperty({ splice() {} }, 'length', {
      get: () => {
        hasRead = true;
        return 0;
      },
    });
    try {
      this.identify(list);
      return hasRead;
    } finally {
      this.release();
    }
  }

  private script(id: string): ScriptInfo {
    if (!this.scripts.has(id)) {
      this.nameScripts();
      if (!this.scripts.has(id)) this.scripts.set(id, { ...UNKNOWN_SCRIPT, id });
    }
    return this.scripts.get(id) ?? UNKNOWN_SCRIPT;
  }

  private internalProperties(objectId: string): Runtime.InternalPropertyDescriptor[] {
    return (
      this.post<Runtime.GetPropertiesReturnType>('Runtime.getProperties', { objectId, ownProperties: true })
        .internalProperties ?? []
    );
  }

  private identify(value: unknown): string {
    this.holder.value = value;
    const { result } = this.post<Runtime.CallFunctionOnReturnType>('Runtime.callFunctionOn', {
      objectId: this.holderId,
      functionDeclaration: 'function(){return this.value}',
      objectGroup: TEMPORARY,
    });
    if (!result.objectId) throw new Error('the value has no identity');
    return result.objectId;
  }

  private identifyAll(values: readonly object[]): string[] {
    if (values.length === 1) return [this.identify(values[0])];
    const { result } = this.post<Runtime.GetPropertiesReturnType>('Runtime.getProperties', {
      objectId: this.identify(values),
      ownProperties: true,
    });
    return values.map((_, at) => result[at]?.value?.objectId ?? '');
  }

  private valueOf({ objectId, value, unserializableValue }: Runtime.RemoteObject): unknown {
    if (objectId !== undefined) return this.fetch(objectId);
    if (unserializableValue === undefined) return value;
    return unserializableValue.endsWith('n') ? BigInt(unserializableValue.slice(0, -1)) : Number(unserializableValue);
  }

  private fetch(objectId: string): unknown {
    this.post('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function(holder){holder.result=this}',
      arguments: [{ objectId: this.holderId }],
    });
    return this.holder.result;
  }

  private fetchAll(objectIds: readonly string[]): unknown[] {
    if (objectIds.length === 0) return [];
    this.post('Runtime.callFunctionOn', {
      objectId: this.holderId,
      functionDeclaration: 'function(...all){this.result=all}',
      arguments: objectIds.map((objectId) => ({ objectId })),
    });
    return this.holder.result as unknown[];
  }

  private release(): void {
    this.holder.value = null;
    this.holder.result = null;
    this.post('Runtime.releaseObjectGroup', { objectGroup: TEMPORARY });
  }

  /** The only moment in which something of ours is global; no code of the app runs in between. */
  private identifyHolder(): string {
    const name = `__substrate_${Math.random().toString(36).slice(2)}`;
    Object.defineProperty(globalThis, name, { value: this.holder, configurable: true, enumerable: false });
    try {
      const { result } = this.post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
        expression: `globalThis.${name}`,
        objectGroup: KEPT,
      });
      if (!result.objectId) throw new Error('the inspector gave no object id');
      return result.objectId;
    } finally {
      Reflect.deleteProperty(globalThis, name);
    }
  }

  private post<Result = object>(method: string, params: object): Result {
    let answer: unknown;
    let failure: Error | null = null;
    this.session.post(method, params, (error, result) => {
      failure = error;
      answer = result;
    });
    if (failure) throw failure;
    return answer as Result;
  }
}

export function isMinified(length: number, lines: number): boolean {
  return length / Math.max(1, lines) > MINIFIED_LINE_LENGTH;
}

/** V8's list of a function's scopes. It is no array and cannot be iterated, only indexed. */
export function readScopes(list: unknown): ScopeView[] {
  const entries = list as { length: number; [index: number]: { description: string; object: Record<string, unknown> } };
  const scopes: ScopeView[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (entry && entry.object !== globalThis) scopes.push({ description: entry.description, variables: entry.object });
  }
  return scopes;
}
