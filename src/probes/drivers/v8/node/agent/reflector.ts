/**
 * Looks where plain JavaScript cannot: into the variables that a function closes over and into private fields. It asks
 * the process's own inspector through an in-process session: no port, no second thread, no pause, answers at once.
 */
import type * as InspectorModule from 'node:inspector';
import type { Runtime } from 'node:inspector';
import type * as UtilModule from 'node:util';
import { isNative, Quiet } from './quiet.ts';
import type { FunctionView, Reflecting, ScopeView, ScriptInfo } from './reflecting.ts';

const TEMPORARY = 'substrate-temporary';
const KEPT = 'substrate';
/** A name that no program has given to a variable. */
const LEXICALS = 'substrateLexicals';
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const MINIFIED_LINE_LENGTH = 300;
const UNKNOWN_SCRIPT: ScriptInfo = { id: '', url: '', minified: false };

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
  /** Objects of whose private fields one cannot be described quietly. */
  private readonly loud = new WeakSet<object>();

  constructor(inspector: typeof InspectorModule, types: typeof UtilModule.types) {
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
      isRuntimeFunction: (fn) => this.viewOf(fn)?.script.url.startsWith('node:') ?? false,
    });
  }

  /** Null for what is not a function written in JavaScript, and what cannot be looked at quietly. */
  inspectFunction(fn: object): FunctionView | null {
    if (isNative(fn)) return null;
    const asked = this.quiet.canList(fn) ? fn : this.standIn(fn);
    return asked && this.viewOf(asked);
  }

  /** A method of a class that cannot be looked at itself: it was written at the same place, and sees the same variables. */
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
    try {
      const internals = this.internalProperties(fn);
      const location = internals.find((property) => property.name === '[[FunctionLocation]]')?.value?.value as
        | { scriptId: string; lineNumber: number; columnNumber: number }
        | undefined;
      const scopesId = internals.find((property) => property.name === '[[Scopes]]')?.value?.objectId;
      if (!location || !scopesId) return null;
      return {
        script: this.script(location.scriptId),
        line: location.lineNumber,
        column: location.columnNumber,
        scopes: readScopes(this.fetch(scopesId)),
      };
    } finally {
      this.release();
    }
  }

  /** `#name` fields as `name`, or null when there are none, or they cannot be looked at quietly. */
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
      // That could not be known before; it is not asked again.
      if (Object.values(values).every((value) => this.quiet.canDescribe(value))) return values;
      this.loud.add(object);
      return null;
    } finally {
      this.release();
    }
  }

  /** All functions of the process. Runs the garbage collector twice: only when nothing cheaper helps. */
  allFunctions(): object[] {
    try {
      const prototypeObjectId = this.identify(Function.prototype);
      const { objects } = this.post<{ objects: Runtime.RemoteObject }>('Runtime.queryObjects', {
        prototypeObjectId,
        objectGroup: TEMPORARY,
      });
      return objects.objectId ? (this.fetch(objects.objectId) as object[]) : [];
    } finally {
      this.release();
    }
  }

  /** Top-level `let`, `const` and `class` of plain scripts (`node -e`, the REPL), which are no properties of the global. */
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

  begin(): void {}

  nameScripts(): void {
    // Enabling announces every script once; it is switched off again before any code of the app can run.
    this.post('Debugger.enable', {});
    this.post('Debugger.disable', {});
  }

  async findFunctions(): Promise<void> {}

  dispose(): void {
    this.holder.value = null;
    this.holder.result = null;
    try {
      this.session.disconnect();
    } catch {
      // Already gone with the inspector.
    }
  }

  /** Whether this version, to describe an object, reads its `length`: that of an object of ours tells. */
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

  private internalProperties(object: object): Runtime.InternalPropertyDescriptor[] {
    const objectId = this.identify(object);
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

/** V8's list of a function's scopes. It is no array and cannot be iterated; by index it can. */
export function readScopes(list: unknown): ScopeView[] {
  const entries = list as { length: number; [index: number]: { description: string; object: Record<string, unknown> } };
  const scopes: ScopeView[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    if (entry && entry.object !== globalThis) scopes.push({ description: entry.description, variables: entry.object });
  }
  return scopes;
}
