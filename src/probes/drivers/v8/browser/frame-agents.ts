/** The two agents of one frame: created, queried, and created again for another document. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { ProbeBudget } from '../../../../model/budget.ts';
import type { Trace } from '../../../../model/trace.ts';
import type { AgentHealth } from '../../../support/agent-health.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import domSource from '../page/dom/main.ts?agent';
import type { PageAgentOptions, PageTroubles as Troubles } from '../page/protocol.ts';
import { stateAgentExpression } from '../page/state/expression.ts';
import { ClosureTier, type HeapLook } from './closure-tier.ts';
import { showLexicals, showProxies } from './hidden-globals.ts';
import { PageAgent } from './page-agent.ts';
import type { PageTroubles } from './page-troubles.ts';
import { type Report, readReport } from './report.ts';

/** How long one call may occupy the page's thread with new objects, and the pause after it. */
const SLICE_MS = 6;
const REST_MS = 30;
const MAX_SLICES = 10_000;
const MAX_ROUNDS = 3;
/** The limit for the closures of a page, which may be thousands. */
const CLOSURES_MS = 1500;
const MAX_FAILURES = 3;
const LATE = 'late';
const UNCHANGED = { leaves: { kind: 'same' }, roots: null, actions: null, spentMs: 0 } as const;
/** The name of the world that a page cannot see into. */
export const WORLD_NAME = 'substrate';
/** New top-level variables come with new scripts, which is rare. */
const POLLS_PER_LOOK = 15;

const isolatedWorld = z.object({ executionContextId: z.number() });

export interface PageLimits {
  readonly maxKeys: number;
  readonly budget: ProbeBudget;
  readonly trace?: Trace;
  /** The failures in the page of the frame. */
  readonly troubles?: PageTroubles;
  /** The parts of the page's agents that do not work. */
  readonly health?: AgentHealth;
}

/** Deadlines for the objects of a page, for the first time and later. */
export interface LookTimes {
  readonly firstBy: number;
  readonly laterBy: number;
  /** Called when the page has reported its screen. */
  onShown(): void;
}

export interface Frame {
  readonly id: string;
  /** Null for the session's main frame, whose own world needs no id. */
  readonly contextId: number | null;
  /** The site and the frame in raw paths. */
  readonly rootPrefix: string;
  /** `frames.checkout`; empty for the main frame. */
  readonly labelPrefix: string;
}

export interface FrameReport {
  /**
   * Null if only the screen is reported: the page has replaced functions that an agent needs, or its objects take
   * longer.
   */
  readonly state: Report | null;
  readonly dom: Report;
  /** The document is not the one of the last report. */
  readonly isNew: boolean;
  /** The search for the app's own state found nothing. */
  readonly hidesState: boolean;
  /** The whole heap was scanned. */
  readonly usedHeap: boolean;
}

export class FrameAgents {
  readonly frame: Frame;
  readonly session: CdpSession;
  dom: PageAgent | null = null;
  state: PageAgent | null = null;
  private readonly limits: PageLimits;
  private closures: ClosureTier | null = null;
  private usedHeap = false;
  private polls = 0;
  private failures = 0;
  private nextSearch = 0;
  private hasSuspects = false;
  private hasScripts = false;
  /** A read of its objects that is still going on. */
  private pending: Promise<Report> | null = null;
  private lastState: Report | null = null;
  /** The screen was not empty after loading. */
  private wasShown = false;

  constructor(session: CdpSession, frame: Frame, limits: PageLimits) {
    this.session = session;
    this.frame = frame;
    this.limits = limits;
  }

  /**
   * `isBusy`: the document is still loading. Throws `DocumentGone` if there is another document now: call `forget`, and
   * poll again.
   */
  async poll(full: boolean, heap: HeapLook | null, isBusy: boolean, times: LookTimes): Promise<FrameReport> {
    const isNew = this.dom === null;
    if (this.failures >= MAX_FAILURES && this.frame.labelPrefix !== '')
      throw new Error('the frame could not be read several times');
    if (isNew) await this.inject();
    const { state, dom } = this;
    if (!dom) throw new Error('the page did not take the agent');
    const all = full || isNew;
    // The rest of an earlier read reports only changes, and a heap scan has no limit.
    if (heap !== null || (all && this.lastState !== null)) await this.pending;
    const waitsForAll = heap !== null || (all && this.lastState !== null);
    const work = state && ((waitsForAll ? null : this.pending) ?? this.readState(state, dom, all, heap));
    const [found, shown] = await Promise.all([
      work && (waitsForAll ? work : inTime(work, (this.lastState ? times.laterBy : times.firstBy) - performance.now())),
      this.reportScreen(dom, all, isBusy).then((report) => {
        times.onShown();
        return report;
      }),
    ]);
    this.pending = found === LATE ? work : null;
    const stateReport = found === LATE ? this.lastState && { ...this.lastState, ...UNCHANGED } : found;
    if (found !== LATE) this.lastState = found;
    // A read that took longer, or found something in closures, reports everything: then all sources do.
    const isAllNew = found !== LATE && found?.leaves.kind === 'full' && !all;
    const domReport = isAllNew ? await this.reportScreen(dom, true, isBusy) : shown;
    const hidesState =
      this.hasScripts && stateReport?.wantsClosures === true && stateReport.rawCount === 0 && !this.usedHeap;
    return { state: stateReport, dom: domReport, isNew, hidesState, usedHeap: this.usedHeap };
  }

  /** For a page that shows nothing, the console may have the reason. */
  private async reportScreen(dom: PageAgent, full: boolean, isBusy: boolean): Promise<Report> {
    const { troubles } = this.limits;
    const isMain = troubles !== undefined && this.frame.labelPrefix === '';
    if (isMain && !isBusy && !this.wasShown) {
      this.wasShown = (await dom.call('isBlank')) !== true;
      if (!this.wasShown) await troubles.askConsole();
    }
    return this.report(dom, full, isBusy, isMain ? troubles.report : null);
  }

  private async readState(state: PageAgent, dom: PageAgent, all: boolean, heap: HeapLook | null): Promise<Report> {
    if (this.polls++ % POLLS_PER_LOOK === 0) await showLexicals(state, this.frame.contextId);
    let report = await this.pollState(state, all);
    const isDue = this.polls >= this.nextSearch || (heap !== null && !this.usedHeap);
    if (!report.wantsClosures || !isDue || !(await this.runsScripts(dom))) return report;
    // A document is often read before its scripts have set everything up: it is searched again, with growing pauses.
    this.nextSearch = this.polls * 2;
    this.closures ??= new ClosureTier(state, this.frame.contextId);
    // The variables that the agent accepts may lead on, to modules inside of modules.
    const deadline = performance.now() + CLOSURES_MS;
    for (let round = 0; round < MAX_ROUNDS && (await this.closures.search(deadline)); round++)
      report = await this.judgeClosures(state, this.closures);
    if (heap !== null && report.rawCount === 0) {
      this.usedHeap = await this.closures.searchHeap(heap);
      report = await this.judgeClosures(state, this.closures);
    }
    return report;
  }

  /** Resolves when either agent reports a change. */
  async changed(): Promise<void> {
    const agents = [this.state, this.dom].filter((agent) => agent !== null);
    if (agents.length === 0) throw new Error('there is no agent yet');
    await Promise.race(agents.map((agent) => agent.changed()));
  }

  /** After a failure: undoes everything in the document. After some failures the document is left alone. */
  async giveUp(): Promise<void> {
    this.failures++;
    await this.dispose();
  }

  /** Another document has replaced it. */
  forget(): void {
    this.failures = 0;
    this.forgetAgents();
  }

  private forgetAgents(): void {
    this.dom = null;
    this.state = null;
    this.closures = null;
    this.usedHeap = false;
    this.polls = 0;
    this.nextSearch = 0;
    this.hasSuspects = false;
    this.hasScripts = false;
    this.pending = null;
    this.lastState = null;
    this.wasShown = false;
  }

  async dispose(): Promise<void> {
    await Promise.all([this.state?.dispose(), this.dom?.dispose(), this.closures?.dispose()]);
    this.forgetAgents();
  }

  private async inject(): Promise<void> {
    const { id, contextId, rootPrefix, labelPrefix } = this.frame;
    const { maxKeys, budget } = this.limits;
    const options: PageAgentOptions = {
      maxKeys,
      sliceMs: SLICE_MS,
      budgetMs: budget.searchMs,
      rootPrefix,
      labelPrefix,
    };
    const world = isolatedWorld.parse(
      await this.session.send('Page.createIsolatedWorld', { frameId: id, worldName: WORLD_NAME }),
    );
    const domExpression = `(${domSource})(${JSON.stringify(options)})`;
    const dom = await PageAgent.create(this.session, domExpression, world.executionContextId);
    // A document that is data has no objects to read.
    const isData = dom !== null && (await dom.call('isData')) === true;
    this.state = isData ? null : await PageAgent.create(this.session, stateAgentExpression(options), contextId);
    if (dom === null) this.limits.health?.fail('page_dom', 'A page did not take the agent that reads what it shows.');
    else this.limits.health?.mend('page_dom');
    if (this.state === null && !isData)
      this.limits.health?.fail('page_state', 'A page has replaced built-in functions: only what it shows is read.');
    else this.limits.health?.mend('page_state');
    this.hasSuspects = true;
    this.dom = dom;
  }

  /** Without scripts no state is hidden. A script may still come. */
  private async runsScripts(dom: PageAgent): Promise<boolean> {
    this.hasScripts ||= (await dom.call('hasScripts')) === true;
    return this.hasScripts;
  }

  private async pollState(agent: PageAgent, full: boolean): Promise<Report> {
    await this.closures?.refresh();
    if (this.hasSuspects) await showProxies(agent);
    const report = await this.report(agent, full);
    this.hasSuspects = report.suspects;
    return report;
  }

  /** Lets the agent judge the variables that it was given. */
  private async judgeClosures(agent: PageAgent, closures: ClosureTier): Promise<Report> {
    this.hasSuspects = true;
    const report = await this.pollState(agent, true);
    await closures.keepLive();
    return report;
  }

  private async report(
    agent: PageAgent,
    full: boolean,
    isBusy = false,
    troubles: Troubles | null = null,
  ): Promise<Report> {
    const args = [{ value: full }, { value: isBusy }, { value: troubles }];
    for (let slice = 0; slice < MAX_SLICES; slice++) {
      const report = readReport(await agent.call('poll', ...args), this.limits.maxKeys);
      if (!('more' in report)) return report;
      if (report.suspects) await showProxies(agent);
      else if (this.limits.budget.searchPercent < 100) await delay(REST_MS);
    }
    throw new Error('the agent in the page does not come to an end');
  }
}

/** The screen of a page is not delayed for its objects: reading them may go on. */
async function inTime(work: Promise<Report>, limitMs: number): Promise<Report | typeof LATE> {
  // The next poll waits for it again, and gets its failure.
  work.catch(() => undefined);
  const over = new AbortController();
  const limit = Math.max(1, limitMs);
  try {
    return await Promise.race([work, delay<typeof LATE>(limit, LATE, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
