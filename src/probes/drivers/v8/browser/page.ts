/** One page of a browser: its frames and their agents, an open dialog, a crash. */
import * as z from 'zod';
import { TargetBusyError } from '../../../probe.ts';
import { type CdpSession, CdpTimeout } from '../cdp/cdp-session.ts';
import { dialogOf } from '../cdp/foreign.ts';
import type { PageContext } from '../page/protocol.ts';
import type { HeapLook } from './closure-tier.ts';
import type { FrameAgents, FrameReport, LookTimes, PageLimits } from './frame-agents.ts';
import { FrameHost } from './frame-host.ts';
import { DocumentGone } from './page-agent.ts';
import { PageLoad } from './page-load.ts';
import { PageTroubles } from './page-troubles.ts';
import type { Report } from './report.ts';
import { WebTools } from './web-tools.ts';

const attached = z.object({ sessionId: z.string(), targetInfo: z.object({ type: z.string() }) });
const navigated = z.object({ frame: z.object({ parentId: z.string().optional() }) });

/** A page that takes longer to answer is blocked by its own script. */
const ANSWER_TIMEOUT_MS = 5000;
/** How long to wait for its objects the first time, once it has reported its screen. */
const FIRST_LOOK_MS = 10_000;
/** The part of both limits for the way of the answer. */
const TO_ANSWER_MS = 400;
const MAX_TRIES = 4;
/** More frames are advertisements. */
const MAX_FRAMES = 12;
const MAX_DIALOG_TEXT = 2000;
/** Frames of other processes. */
const MAX_EMBEDDED = 500;
const CRASHED = 'The page has crashed. It comes back when it is loaded again (navigate).';
const BUSY =
  'The page does not answer: its own script keeps it busy, or a dialog was opened before substrate came. It is asked again later.';

export interface OpenDialog {
  /** alert, confirm, prompt or beforeunload. */
  readonly type: string;
  readonly message: string;
  /** The text that a prompt offers. */
  readonly offered: string;
}

export interface PagePoll {
  /** True if every part reports everything, false if every part reports its changes. */
  readonly full: boolean;
  /** By source: `state`, `dom`, `frames.checkout.dom`, … */
  readonly parts: ReadonlyMap<string, Report>;
  readonly context: PageContext | null;
  readonly hidesState: boolean;
  readonly usedHeap: boolean;
  /** Why the browser shows its own page in its place, or null. */
  readonly failure: string | null;
}

export class Page {
  readonly id: string;
  readonly session: CdpSession;
  readonly tools: WebTools;
  readonly load: PageLoad;
  readonly troubles: PageTroubles;
  dialog: OpenDialog | null = null;
  private crashed = false;
  private readonly main: FrameHost;
  /** Embedded frames of other sites, by session. */
  private readonly embedded = new Map<string, FrameHost>();
  private embeddedSessions = 0;
  private readonly limits: PageLimits;
  private readonly listeners = new Set<() => void>();
  /** Aborted when another document replaces this one. */
  private leaving = new AbortController();
  private started: Promise<void> | null = null;
  /** A poll that nobody waits for any longer, but the page still has to answer. */
  private unanswered: Promise<unknown> | null = null;
  private startedAt = 0;
  /** A frame has reported its screen since the poll began. */
  private hasShown = false;
  private change: Promise<void> | null = null;
  /** Something changed since the last poll began; perhaps nobody was waiting. */
  private hasChanged = false;

  constructor(id: string, session: CdpSession, limits: PageLimits) {
    this.id = id;
    this.session = session;
    this.limits = limits;
    this.troubles = new PageTroubles(session, () => this.notify());
    this.main = new FrameHost(session, null, { ...limits, troubles: this.troubles });
    this.tools = new WebTools(session);
    this.load = new PageLoad(session, () => this.notify());
    session.on('Page.javascriptDialogOpening', (params) => {
      this.dialog = dialogOf(params, MAX_DIALOG_TEXT);
      this.notify();
    });
    session.on('Page.javascriptDialogClosed', () => {
      this.dialog = null;
      this.notify();
    });
    session.on('Page.frameNavigated', (params) => {
      if (navigated.safeParse(params).data?.frame.parentId === undefined) this.leaving.abort();
    });
    session.on('Inspector.targetCrashed', () => {
      this.crashed = true;
      this.unanswered = null;
      this.notify();
    });
    session.on('Inspector.targetReloadedAfterCrash', () => {
      this.crashed = false;
      this.started = null;
      this.notify();
    });
    this.embed(session);
  }

  /** Null if a dialog blocks the page, so that it cannot answer. */
  async poll(full: boolean, heapLimitMb: number | null, signal: AbortSignal): Promise<PagePoll | null> {
    this.hasChanged = false;
    if (this.dialog) return null;
    if (this.crashed) throw new TargetBusyError(CRASHED);
    this.started ??= this.start().catch((error: unknown) => {
      this.started = null;
      throw error;
    });
    const late = this.unanswered;
    this.startedAt = performance.now();
    this.hasShown = false;
    const work = (async () => {
      await this.started;
      await late;
      return this.pollFrames(full || late !== null, () => this.heapLook(heapLimitMb, signal));
    })();
    // The caller gets the error; the next poll only waits for the end.
    this.unanswered = work.catch(() => undefined);
    // A heap scan has no limit.
    const answer = await this.withTimeout(work, heapLimitMb === null ? ANSWER_TIMEOUT_MS : null, signal);
    if (answer !== null) this.unanswered = null;
    return answer;
  }

  /** Results about a document that is gone are useless. */
  private heapLook(limitMb: number | null, signal: AbortSignal): HeapLook | null {
    if (limitMb === null) return null;
    this.leaving = new AbortController();
    return { limitMb, signal: AbortSignal.any([signal, this.leaving.signal]) };
  }

  /** The frame of this source. */
  async frameOf(labelPrefix: string): Promise<FrameAgents | null> {
    const frames = await this.frames();
    return frames.find(({ frame }) => frame.labelPrefix === labelPrefix) ?? null;
  }

  /**
   * The result of a call in the page, unless it takes longer than `limitMs` or opens a dialog, which would block the
   * answer until somebody answers the dialog.
   */
  async during<Result>(
    work: Promise<Result>,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Result | 'dialog' | 'late'> {
    let end: () => void = () => undefined;
    const held = new Promise<'dialog' | 'late'>((resolve) => {
      const onNotify = () => this.dialog && resolve('dialog');
      const onLate = () => resolve('late');
      const timer = setTimeout(onLate, limitMs);
      this.listeners.add(onNotify);
      signal.addEventListener('abort', onLate);
      end = () => {
        clearTimeout(timer);
        this.listeners.delete(onNotify);
        signal.removeEventListener('abort', onLate);
      };
    });
    try {
      return await Promise.race([work, held]);
    } finally {
      end();
    }
  }

  /** Resolves when the page reports a change. */
  async changed(): Promise<void> {
    this.change ??= this.nextChange().finally(() => {
      this.change = null;
    });
    return this.change;
  }

  async dispose(): Promise<void> {
    if (this.dialog || this.crashed) return;
    await Promise.all([this.main, ...this.embedded.values()].map((host) => host.dispose()));
    // The trace has the failed call. The page is gone, or the session ends next.
    await this.session.send('Page.disable', {}, 1000).catch(() => undefined);
  }

  private async nextChange(): Promise<void> {
    if (this.hasChanged) return;
    let listener: () => void = () => undefined;
    const notified = new Promise<void>((resolve) => {
      listener = resolve;
      this.listeners.add(listener);
    });
    try {
      const frames = this.dialog || this.crashed ? [] : await this.frames();
      // This frame cannot report changes: the others and the polls do.
      await Promise.race([notified, ...frames.map((agents) => agents.changed().catch(() => notified))]);
    } finally {
      this.listeners.delete(listener);
    }
  }

  private async start(): Promise<void> {
    // Without this a dialog would block every call silently.
    await this.session.send('Page.enable', {}, ANSWER_TIMEOUT_MS);
    await this.session.send('Inspector.enable');
    await this.attachEmbedded(this.session);
    await this.tools.start();
    await this.load.start();
    await this.troubles.start();
  }

  private async attachEmbedded(session: CdpSession): Promise<void> {
    const filter = [{ type: 'iframe' }];
    await session.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
      filter,
    });
  }

  private embed(parent: CdpSession): void {
    parent.on('Target.attachedToTarget', (params) => {
      const { data } = attached.safeParse(params);
      if (data?.targetInfo.type !== 'iframe' || this.embeddedSessions >= MAX_EMBEDDED) return;
      this.embeddedSessions++;
      const session = parent.child(data.sessionId);
      this.embed(session);
      void this.startEmbedded(data.sessionId, session, parent).catch((error: unknown) => {
        this.limits.trace?.ignored('start an embedded frame', error);
        this.embedded.delete(data.sessionId);
      });
    });
  }

  private async startEmbedded(id: string, session: CdpSession, parent: CdpSession): Promise<void> {
    void session.closed.then(() => {
      this.embeddedSessions--;
      this.embedded.delete(id);
      this.notify();
    });
    await session.send('Page.enable');
    await this.attachEmbedded(session);
    this.embedded.set(id, new FrameHost(session, parent, this.limits));
    this.notify();
  }

  private async frames(): Promise<FrameAgents[]> {
    const taken = new Set<string>();
    const frames = [...(await this.main.frames(taken))];
    for (const host of this.embedded.values()) {
      // A frame that has just vanished must not cost the whole page.
      if (frames.length >= MAX_FRAMES) break;
      const found = host.frames(taken).catch((error: unknown) => {
        this.limits.trace?.ignored('list the frames of an embedded page', error);
        return [];
      });
      frames.push(...(await found));
    }
    return frames.slice(0, MAX_FRAMES);
  }

  /** Polls all frames until they agree: all report everything, or all report their changes. */
  private async pollFrames(full: boolean, heapLook: () => HeapLook | null): Promise<PagePoll> {
    let all = full;
    for (let round = 0; round < MAX_TRIES; round++) {
      const reports = await this.askFrames(all, heapLook());
      if (reports === null) continue;
      const parts = partsOf(reports);
      const complete = [...parts.values()].filter(({ leaves }) => leaves.kind === 'full').length;
      const main = reports[0]?.report;
      if (complete === 0 || complete === parts.size) {
        return {
          full: complete > 0 || (all && parts.size === 0),
          parts,
          context: main?.dom.context ?? null,
          hidesState: main?.hidesState ?? false,
          usedHeap: main?.usedHeap ?? false,
          failure: parts.size === 0 ? await this.troubles.whyUnreachable() : null,
        };
      }
      all = true;
    }
    throw new Error('The page is being replaced again and again; it is asked again later.');
  }

  /** Null if the page navigated meanwhile. */
  private async askFrames(full: boolean, heap: HeapLook | null): Promise<AskedFrame[] | null> {
    const frames = await this.frames();
    // The browser's own page in place of one that could not be loaded is not the app's.
    if (frames.length === 0) return [];
    const asked = await Promise.all(
      frames.map(async (agents, at) => {
        try {
          const report = await agents.poll(full, at === 0 ? heap : null, at === 0 && this.load.isBusy, this.lookTimes);
          // Waiting callers wait for agents of a document that is gone.
          if (report.isNew) this.notify();
          return { agents, report };
        } catch (error) {
          const isGone = error instanceof DocumentGone;
          // Remaining agents must not keep listening for nobody.
          if (isGone) agents.forget();
          else {
            this.limits.trace?.ignored('read a frame', error);
            await agents.giveUp();
          }
          this.main.forgetFrames();
          for (const host of this.embedded.values()) host.forgetFrames();
          this.notify();
          if (at === 0 && !isGone) throw error;
          return null;
        }
      }),
    );
    if (!asked[0]) return null;
    return asked.filter((entry) => entry !== null);
  }

  /** The page's answer, or null if a dialog opens meanwhile. Throws if it takes too long. */
  private withTimeout(work: Promise<PagePoll>, limitMs: number | null, signal: AbortSignal): Promise<PagePoll | null> {
    return new Promise((resolve, reject) => {
      const onNotify = () => {
        if (this.dialog) resolve(null);
        if (this.crashed) reject(new TargetBusyError(CRASHED));
      };
      const busy = () => reject(new TargetBusyError(BUSY));
      let timer: NodeJS.Timeout | undefined;
      // A page that has reported its screen is not stuck: its objects take long.
      const onLimit = () => {
        if (this.hasShown) timer = setTimeout(busy, FIRST_LOOK_MS - ANSWER_TIMEOUT_MS);
        else busy();
      };
      if (limitMs !== null) timer = setTimeout(onLimit, limitMs);
      this.listeners.add(onNotify);
      signal.addEventListener('abort', busy, { once: true });
      const fail = (error: unknown) => (error instanceof CdpTimeout ? busy() : reject(error));
      work.then(resolve, fail).finally(() => {
        clearTimeout(timer);
        this.listeners.delete(onNotify);
        signal.removeEventListener('abort', busy);
      });
    });
  }

  private get lookTimes(): LookTimes {
    const { startedAt } = this;
    return {
      firstBy: startedAt + FIRST_LOOK_MS - TO_ANSWER_MS,
      laterBy: startedAt + ANSWER_TIMEOUT_MS - TO_ANSWER_MS,
      onShown: () => {
        this.hasShown = true;
      },
    };
  }

  private notify(): void {
    this.hasChanged = true;
    for (const listener of [...this.listeners]) listener();
  }
}

interface AskedFrame {
  readonly agents: FrameAgents;
  readonly report: FrameReport;
}

function partsOf(asked: readonly AskedFrame[]): Map<string, Report> {
  const parts = new Map<string, Report>();
  for (const { agents, report } of asked) {
    const { labelPrefix } = agents.frame;
    if (report.state) parts.set(sourceName(labelPrefix, 'state'), report.state);
    parts.set(sourceName(labelPrefix, 'dom'), report.dom);
  }
  return parts;
}

function sourceName(labelPrefix: string, agent: 'state' | 'dom'): string {
  return labelPrefix === '' ? agent : `${labelPrefix}.${agent}`;
}
