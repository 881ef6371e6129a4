/** The progress of a page: whether its document and its resources are loaded. */
import * as z from 'zod';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { WORLD_NAME } from './frame-agents.ts';

const lifecycle = z.object({ frameId: z.string(), loaderId: z.string(), name: z.string() });
/** No request for half a second; or at most two open requests, which after a while count as streams. */
const QUIET = 'networkIdle';
const NEARLY_QUIET = 'networkAlmostIdle';
const MAX_STREAM_MS = 3_000;
const THERE = 'DOMContentLoaded';
/** A page that still sends requests after this time is working, not loading. */
const MAX_LOADING_MS = 15_000;
const MAX_PAST = 10;
const LOOK_MS = 100;
/** A loaded document is waited for this long; the answer names what is still missing. */
const MAX_PARTS_MS = 3_000;

const tree = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });
const navigated = z.object({ frame: z.object({ id: z.string(), parentId: z.string().optional() }) });
const world = z.object({ executionContextId: z.number() });
const evaluated = z.object({ result: z.object({ value: z.unknown() }) });

/** Resolves to the title once nothing in the document has changed for a while. */
const DOM_QUIET_MS = 200;
const MAX_CHANGING_MS = 2_000;
const WHEN_STILL = `new Promise((done) => {
  let still;
  const end = () => { watch.disconnect(); clearTimeout(still); clearTimeout(limit); done(document.title); };
  const begin = () => { clearTimeout(still); still = setTimeout(end, ${DOM_QUIET_MS}); };
  const watch = new MutationObserver(begin);
  const limit = setTimeout(end, ${MAX_CHANGING_MS});
  watch.observe(document, { subtree: true, childList: true, characterData: true });
  begin();
})`;

interface Loading {
  readonly loaderId: string;
  readonly seen: Set<string>;
  readonly since: number;
  /** When the document itself was complete, without its resources; null before that. */
  thereSince: number | null;
}

export interface Arrived {
  readonly title: string;
  /** The parts that are still loading, in words, or null. */
  readonly missing: string | null;
}

export class PageLoad {
  private readonly session: CdpSession;
  private readonly listeners = new Set<() => void>();
  /** The events of the current document; null before the first. */
  private document: Loading | null = null;
  /** Loaders of earlier documents: a script may have navigated on from them. */
  private readonly past: string[] = [];
  private mainFrame = '';

  constructor(session: CdpSession, onProgress: () => void) {
    this.session = session;
    this.listeners.add(onProgress);
    session.on('Page.frameNavigated', (params) => {
      const { data } = navigated.safeParse(params);
      if (data && data.frame.parentId === undefined) this.mainFrame = data.frame.id;
    });
    session.on('Page.lifecycleEvent', (params) => {
      const { data } = lifecycle.safeParse(params);
      if (data) this.hear(data);
    });
  }

  /** The browser repeats the events of the current document. */
  async start(): Promise<void> {
    this.mainFrame = tree.parse(await this.session.send('Page.getFrameTree')).frameTree.frame.id;
    await this.session.send('Page.setLifecycleEventsEnabled', { enabled: true });
  }

  get isBusy(): boolean {
    return this.document !== null && !isQuiet(this.document);
  }

  /**
   * Waits for the document of this loader, or one that it led to, until it is complete and stable, or until only slow
   * resources are missing. Null if not even the document came. Without a loader it is the current document.
   */
  async whenUp(loaderId: string | null, limitMs: number, signal: AbortSignal): Promise<Arrived | null> {
    if (this.mainFrame === '') return null;
    if (loaderId !== null && !(await this.quiet(loaderId, limitMs, signal))) return null;
    const missing = loaderId === null ? null : this.missing;
    const isolated = { frameId: this.mainFrame, worldName: WORLD_NAME };
    const { executionContextId } = world.parse(await this.session.send('Page.createIsolatedWorld', isolated));
    const params = { expression: WHEN_STILL, contextId: executionContextId, awaitPromise: true, returnByValue: true };
    const { result } = evaluated.parse(await this.session.send('Runtime.evaluate', params, 2 * MAX_CHANGING_MS));
    return typeof result.value === 'string' ? { title: result.value, missing } : null;
  }

  /** The reason for the wait. */
  private get missing(): string | null {
    if (this.document === null || (this.document.seen.has('load') && isQuiet(this.document))) return null;
    return this.document.seen.has('load') ? 'what its scripts ask for' : 'images, frames or scripts of it';
  }

  private quiet(loaderId: string, limitMs: number, signal: AbortSignal): Promise<boolean> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(Math.min(limitMs, MAX_LOADING_MS)))]);
    return new Promise((resolve) => {
      // Some conditions depend on time alone.
      const again = setInterval(() => look(), LOOK_MS);
      const end = (isUp: boolean) => {
        this.listeners.delete(look);
        clearInterval(again);
        resolve(isUp);
      };
      const look = () => {
        const isThere = this.document?.loaderId === loaderId || this.past.includes(loaderId);
        if (!isThere || this.document === null) return;
        const { seen, thereSince } = this.document;
        const isLate = thereSince !== null && performance.now() - thereSince > MAX_PARTS_MS;
        if (isLate || (seen.has('load') && isQuiet(this.document))) end(true);
      };
      limit.addEventListener('abort', () => end(false), { once: true });
      this.listeners.add(look);
      look();
    });
  }

  private hear({ frameId, loaderId, name }: z.infer<typeof lifecycle>): void {
    if (frameId !== this.mainFrame) return;
    if (loaderId !== this.document?.loaderId) {
      if (this.document) this.past.push(this.document.loaderId);
      if (this.past.length > MAX_PAST) this.past.shift();
      this.document = { loaderId, seen: new Set(), since: performance.now(), thereSince: null };
    }
    this.document.seen.add(name);
    if (name === THERE || name === 'load') this.document.thereSince ??= performance.now();
    if (name === QUIET || name === NEARLY_QUIET || name === 'load')
      for (const listener of [...this.listeners]) listener();
  }
}

function isQuiet({ seen, since }: Loading): boolean {
  const forMs = performance.now() - since;
  return seen.has(QUIET) || (seen.has(NEARLY_QUIET) && forMs > MAX_STREAM_MS) || forMs > MAX_LOADING_MS;
}
