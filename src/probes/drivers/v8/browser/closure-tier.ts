/**
 * Finds state that only functions can access. Event handlers lead to the functions of the app, V8 exposes the variables
 * that each of them closes over (`[[Scopes]]`), and the agent keeps those that hold data. Nothing is paused and nothing
 * is collected. If no handler leads anywhere, a heap snapshot names the functions instead, which blocks the app for a
 * while.
 */
import * as z from 'zod';
import { CdpError, type CdpResult } from '../cdp/cdp-session.ts';
import { findClosures } from '../heap/find-closures.ts';
import { HeapSnapshotReader } from '../heap/heap-snapshot.ts';
import type { PageAgent } from './page-agent.ts';

const MAX_REFRESHED = 40;
const MAX_HANDLERS = 80;
const MAX_FUNCTIONS = 200;
const MAX_LEVELS = 3;
const MAX_HEAP_FUNCTIONS = 60;
/** In a larger document, listing every handler would block the page; the outer ones are enough. */
const MAX_NODES_FOR_ALL = 20_000;
const SNAPSHOT_TIMEOUT_MS = 60_000;
/**
 * For each function that a snapshot names, V8 scans the whole heap again while the page is blocked: no more are
 * requested after this time.
 */
const MAX_LOOK_UP_MS = 1500;
/** The page may have been blocked by the snapshot and has a lot to catch up with. */
const CALL_TIMEOUT_MS = 20_000;
const MEGABYTE = 1024 * 1024;

const remote = z.object({ objectId: z.string().optional(), type: z.string().optional() });
const evaluated = z.object({ result: remote.extend({ value: z.unknown().optional() }) });
const listeners = z.object({
  listeners: z.array(
    z.object({
      type: z.string(),
      scriptId: z.string(),
      lineNumber: z.number(),
      columnNumber: z.number(),
      handler: remote.optional(),
    }),
  ),
});
const properties = z.object({
  result: z.array(z.object({ name: z.string(), value: remote.optional() })),
  internalProperties: z
    .array(z.object({ name: z.string(), value: remote.extend({ value: z.unknown().optional() }).optional() }))
    .optional(),
});
const heapUsage = z.object({ usedSize: z.number() });
const scopeId = z.number().int();
const scopeIds = z.string().transform((text) => z.array(z.number()).parse(JSON.parse(text)));
const origins = z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text)));

/** `signal`: aborted when nobody waits any more, or when another document has replaced this one. */
export interface HeapLook {
  readonly limitMb: number;
  readonly signal: AbortSignal;
}

interface FoundFunction {
  readonly objectId: string;
  /** For people: the way to it. */
  readonly origin: string;
}

const LOOKED_TOGETHER = 32;

export class ClosureTier {
  private readonly agent: PageAgent;
  private readonly contextId: number | null;
  private readonly groups: Record<'search' | 'kept', string>;
  /** The agent's number for the scopes of a function -> the function. After a search only those that it shows. */
  private scopes = new Map<number, string>();
  private readonly seenPlaces = new Set<string>();
  private looked = 0;

  constructor(agent: PageAgent, contextId: number | null) {
    this.agent = agent;
    this.contextId = contextId;
    this.groups = { search: agent.groupOf('search'), kept: agent.groupOf('closures') };
  }

  /**
   * Searches from the handlers of the document to the functions that they close over, a few levels deep. Returns false
   * if nothing is new. Ends at the deadline, because the screen of the page is not delayed for it.
   */
  async search(deadline: number): Promise<boolean> {
    const before = this.looked;
    let functions = [...(await this.handlers()), ...(await this.functionsInScopes())];
    for (let level = 0; level < MAX_LEVELS && functions.length > 0; level++) {
      for (let at = 0; at < functions.length && performance.now() < deadline; at += LOOKED_TOGETHER)
        await Promise.all(functions.slice(at, at + LOOKED_TOGETHER).map((found) => this.look(found)));
      if (performance.now() >= deadline) break;
      functions = await this.functionsInScopes();
    }
    return this.looked > before;
  }

  /** Returns true if the heap was scanned. The page is blocked meanwhile. Ends early when nobody waits any more. */
  async searchHeap({ limitMb, signal }: HeapLook): Promise<boolean> {
    const { usedSize } = heapUsage.parse(await this.agent.send('Runtime.getHeapUsage', {}));
    if (usedSize > limitMb * MEGABYTE || signal.aborted) return false;
    const reader = new HeapSnapshotReader();
    let problem: unknown = null;
    const stop = this.agent.session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
      if (problem !== null) return;
      try {
        reader.push(z.string().parse(chunk));
      } catch (error) {
        problem = error;
      }
    });
    try {
      const params = { reportProgress: false, captureNumericValue: true };
      await this.agent.send('HeapProfiler.takeHeapSnapshot', params, SNAPSHOT_TIMEOUT_MS);
      if (problem !== null) throw problem;
      if (!signal.aborted) await this.lookAtHeapObjects(findClosures(reader.finish(), MAX_HEAP_FUNCTIONS), signal);
    } finally {
      stop();
      // The trace has the failed call. Profiling ends with the session.
      await this.agent.send('HeapProfiler.disable', {}).catch(() => undefined);
    }
    return true;
  }

  /** Reads the current variables: V8 returns a copy of that moment. */
  async refresh(): Promise<void> {
    await Promise.all(
      [...this.scopes].map(async ([id, objectId]) => {
        const { scopes, shown } = await this.scopesOf(objectId);
        if (scopes !== null) await this.agent.call('setScopes', { value: id }, { objectId: scopes });
        // They are no longer needed, and nobody waits for the release.
        for (const each of shown) this.agent.send('Runtime.releaseObject', { objectId: each }).catch(() => undefined);
      }),
    );
  }

  /** Call it after a poll, which judges the variables: releases all functions except those that lead to state. */
  async keepLive(): Promise<void> {
    const shown = new Set(scopeIds.parse(await this.agent.call('liveScopes')));
    const live = [...this.scopes].filter(([id]) => shown.has(id)).slice(0, MAX_REFRESHED);
    const kept = await this.regroup(
      live.map(([, objectId]) => objectId),
      this.groups.kept,
    );
    this.scopes = new Map(live.map(([id], at) => [id, kept[at] ?? '']));
    await this.release('search');
  }

  async dispose(): Promise<void> {
    // The trace has the failed call. The page and its objects are gone.
    await this.release('kept').catch(() => undefined);
  }

  private async release(group: keyof ClosureTier['groups']): Promise<void> {
    await this.agent.send('Runtime.releaseObjectGroup', { objectGroup: this.groups[group] });
  }

  /** The same objects under new ids, which live as long as their group; results of calls on them join it. */
  private async regroup(objectIds: readonly string[], objectGroup: string): Promise<string[]> {
    if (objectIds.length === 0) return [];
    const { result } = evaluated.parse(
      await this.agent.send('Runtime.callFunctionOn', {
        objectId: objectIds[0],
        functionDeclaration: 'function(...all){return all}',
        arguments: objectIds.map((objectId) => ({ objectId })),
        objectGroup,
        silent: true,
      }),
    );
    const params = { objectId: result.objectId, ownProperties: true, generatePreview: false };
    const list = properties.parse(await this.agent.send('Runtime.getProperties', params, CALL_TIMEOUT_MS)).result;
    return list.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId ? [value.objectId] : []));
  }

  private async handlers(): Promise<FoundFunction[]> {
    const size = evaluated.parse(await this.evaluate("document.getElementsByTagName('*').length"));
    const depth = Number(size.result.value) > MAX_NODES_FOR_ALL ? 2 : -1;
    const found: FoundFunction[] = [];
    for (const expression of ['window', 'document']) {
      const { objectId } = evaluated.parse(await this.evaluate(expression)).result;
      if (objectId === undefined) continue;
      const answer = listeners.parse(
        await this.agent.send('DOMDebugger.getEventListeners', { objectId, depth, pierce: true }),
      );
      for (const { type, scriptId, lineNumber, columnNumber, handler } of answer.listeners) {
        // Rows of a list have one handler each, created at one place, with the same kind of scopes.
        const place = `${scriptId}:${lineNumber}:${columnNumber}`;
        if (handler?.objectId === undefined || this.seenPlaces.has(place) || found.length >= MAX_HANDLERS) continue;
        // Extensions and our own DOM agent listen too, from worlds of their own.
        if (worldOf(handler.objectId) !== worldOf(this.agent.objectId)) continue;
        this.seenPlaces.add(place);
        found.push({ objectId: handler.objectId, origin: `the ${type} handler` });
      }
    }
    return found;
  }

  private evaluate(expression: string): Promise<CdpResult> {
    const context = this.contextId === null ? {} : { contextId: this.contextId };
    return this.agent.send('Runtime.evaluate', {
      expression,
      objectGroup: this.groups.search,
      silent: true,
      ...context,
    });
  }

  private async look({ objectId, origin }: FoundFunction): Promise<void> {
    if (this.looked++ >= MAX_FUNCTIONS) return;
    const { scopes } = await this.scopesOf(objectId);
    if (scopes === null) return;
    const id = scopeId.parse(await this.agent.call('addScopes', { value: origin }, { objectId: scopes }));
    if (id >= 0) this.scopes.set(id, objectId);
  }

  /** One after the other, those with the most data first: a request cannot be withdrawn. */
  private async lookAtHeapObjects(ids: readonly number[], signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + MAX_LOOK_UP_MS;
    for (const id of ids) {
      if (signal.aborted || performance.now() > deadline) return;
      await this.lookAtHeapObject(id);
    }
  }

  private async lookAtHeapObject(heapId: number): Promise<void> {
    const params = { objectId: String(heapId), objectGroup: this.groups.search };
    // The object may have been collected since.
    const answer = await this.agent
      .send('HeapProfiler.getObjectByHeapObjectId', params, CALL_TIMEOUT_MS)
      // May have been collected since.
      .catch(() => null);
    const { data } = evaluated.safeParse(answer);
    const { objectId, type } = data?.result ?? {};
    if (objectId === undefined || type !== 'function') return;
    try {
      await this.look({ objectId, origin: 'a function in the heap' });
    } catch (error) {
      // It belongs to another frame or world, such as that of our own agent.
      if (!(error instanceof CdpError)) throw error;
    }
  }

  /** `shown`: all objects that V8 created ids for on the way. */
  private async scopesOf(objectId: string): Promise<{ scopes: string | null; shown: readonly string[] }> {
    const params = { objectId, ownProperties: true, generatePreview: false };
    const { result, internalProperties = [] } = properties.parse(
      await this.agent.send('Runtime.getProperties', params, CALL_TIMEOUT_MS),
    );
    return {
      scopes: internalProperties.find(({ name }) => name === '[[Scopes]]')?.value?.objectId ?? null,
      shown: [...result, ...internalProperties].flatMap(({ value }) => value?.objectId ?? []),
    };
  }

  private async functionsInScopes(): Promise<FoundFunction[]> {
    const list = await this.agent.callForObject('functions', this.groups.search);
    if (list === null) return [];
    const params = { objectId: list, ownProperties: true, generatePreview: false };
    const { result } = properties.parse(await this.agent.send('Runtime.getProperties', params, CALL_TIMEOUT_MS));
    const names = origins.parse(await this.agent.call('functionOrigins'));
    return result.flatMap(({ name, value }) =>
      value?.type === 'function' && value.objectId !== undefined
        ? [{ objectId: value.objectId, origin: names[Number(name)] ?? 'a function' }]
        : [],
    );
  }
}

/** `<isolate>.<context>.<number>`: everything before the number names the world of an object. */
function worldOf(objectId: string): string {
  return objectId.slice(0, objectId.lastIndexOf('.'));
}
