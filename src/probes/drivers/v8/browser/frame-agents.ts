/** The two agents of one frame: put in, asked, and put in again when another document has taken its place. */
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

/** How long one call may hold the page's thread while it reads something new, and how long the page has it then. */
const SLICE_MS = 6;
const REST_MS = 30;
const MAX_SLICES = 10_000;
const MAX_ROUNDS = 3;
/** For the closures of a page, of which there may be thousands. */
const CLOSURES_MS = 1500;
const MAX_FAILURES = 3;
const LATE = 'late';
const UNCHANGED = { leaves: { kind: 'same' }, roots: null, actions: null, spentMs: 0 } as const;
/** Of the world that a page cannot see into. */
export const WORLD_NAME = 'substrate';
/** New top-level variables come with new scripts, which is seldom. */
const POLLS_PER_LOOK = 15;

const isolatedWorld = z.object({ executionContextId: z.number() });

export interface PageLimits {
  readonly maxKeys: number;
  readonly budget: ProbeBudget;
  readonly trace?: Trace;
  /** Of the page that the frame belongs to: what has failed in it. */
  readonly troubles?: PageTroubles;
  /** Of the page: parts that do not work in it. */
  readonly health?: AgentHealth;
}

/** Until when the objects of a page are waited for, the first time and later. */
export interface LookTimes {
  readonly firstBy: number;
  readonly laterBy: number;
  /** The page has told what it shows. */
  onShown(): void;
}

export interface Frame {
  readonly id: string;
  /** null: the session's main frame, whose own world needs no naming. */
  readonly contextId: number | null;
  /** Names the site and the frame in raw paths. */
  readonly rootPrefix: string;
  /** `frames.checkout`; empty for the main frame. */
  readonly labelPrefix: string;
}

export interface FrameReport {
  /** null: only what can be seen is reported; the page has replaced what an agent needs, or its objects take longer. */
  readonly state: Report | null;
  readonly dom: Report;
  /** The document is another one than at the last report. */
  readonly isNew: boolean;
  /** The app's own state was looked for in vain. */
  readonly hidesState: boolean;
  /** The whole heap was looked through. */
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
  /** A look at its objects that goes on. */
  private pending: Promise<Report> | null = null;
  private lastState: Report | null = null;
  /** Something was on the screen when it had loaded. */
  private wasShown = false;

  constructor(session: CdpSession, frame: Frame, limits: PageLimits) {
    this.session = session;
    this.frame = frame;
    this.limits = limits;
  }

  /** `isBusy`: what the document needs is still coming. Throws `DocumentGone` when there is another document now: `forget`, and ask again. */
  async poll(full: boolean, heap: HeapLook | null, isBusy: boolean, times: LookTimes): Promise<FrameReport> {
    const isNew = this.dom === null;
    if (this.failures >= MAX_FAILURES && this.frame.labelPrefix !== '')
      throw new Error('the frame could not be read several times');
    if (isNew) await this.inject();
    const { state, dom } = this;
    if (!dom) throw new Error('the page did not take the agent');
    const all = full || isNew;
    // What is left of an earlier look tells no more than what changed; a look through the heap takes as long as it takes.
    if (heap !== null || (all && this.lastState !== null)) await this.pending;
    const isPatient = heap !== null || (all && this.lastState !== null);
    const work = state && ((isPatient ? null : this.pending) ?? this.readState(state, dom, all, heap));
    const [found, shown] = await Promise.all([
      work && (isPatient ? work : inTime(work, (this.lastState ? times.laterBy : times.firstBy) - performance.now())),
      this.reportScreen(dom, all, isBusy).then((report) => {
        times.onShown();
        return report;
      }),
    ]);
    this.pending = found === LATE ? work : null;
    const stateReport = found === LATE ? this.lastState && { ...this.lastState, ...UNCHANGED } : found;
    if (found !== LATE) this.lastState = found;
    // A look that took longer, or found something in closures, reports everything: then all do.
    const isAllNew = found !== LATE && found?.leaves.kind === 'full' && !all;
    const domReport = isAllNew ? await this.reportScreen(dom, true, isBusy) : shown;
    const hidesState =
      this.hasScripts && stateReport?.wantsClosures === true && stateReport.rawCount === 0 && !this.usedHeap;
    return { state: stateReport, dom: domReport, isNew, hidesState, usedHeap: this.usedHeap };
  }

  /** Of a page that shows nothing the console may tell why. */
  private async reportScreen(dom: PageAgent, full: boolean, isBusy: boolean): Promise<Report> {
    const { troubles } = this.limits;
    const isMain = troubles !== undefined && this.frame.labelPrefix === '';
    if (isMain && !isBusy && !this.wasShown) {
      this.wasShown = (await dom.call('isBlank')) !== true;
      if (!this.wasShown) await troubles.askConsole();
    }
    return this.report(dom, full, isBusy, isMain ? troubles.told : null);
  }

  private async readState(state: PageAgent, dom: PageAgent, all: boolean, heap: HeapLook | null): Promise<Report> {
    if (this.polls++ % POLLS_PER_LOOK === 0) await showLexicals(state, this.frame.contextId);
    let report = await this.pollState(state, all);
    const isDue = this.polls >= this.nextSearch || (heap !== null && !this.usedHeap);
    if (!report.wantsClosures || !isDue || !(await this.runsScripts(dom))) return report;
    // A document is often read before its scripts have set everything up: it is looked at again, ever more seldom.
    this.nextSearch = this.polls * 2;
    this.closures ??= new ClosureTier(state, this.frame.contextId);
    // What the agent makes of the variables may lead on: to modules inside of modules.
    const deadline = performance.now() + CLOSURES_MS;
    for (let round = 0; round < MAX_ROUNDS && (await this.closures.search(deadline)); round++)
      report = await this.judgeClosures(state, this.closures);
    if (heap !== null && report.rawCount === 0) {
      this.usedHeap = await this.closures.searchHeap(heap);
      report = await this.judgeClosures(state, this.closures);
    }
    return report;
  }

  /** Resolves when either agent says that something changed. */
  async changed(): Promise<void> {
    const agents = [this.state, this.dom].filter((agent) => agent !== null);
    if (agents.length === 0) throw new Error('there is no agent yet');
    await Promise.race(agents.map((agent) => agent.changed()));
  }

  /** It failed: whatever it did to the document is undone. After some failures the document is left alone. */
  async giveUp(): Promise<void> {
    this.failures++;
    await this.dispose();
  }

  /** Another document is in its place. */
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
    // A document that is data has no objects to be read.
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

  /** Where no script ran nothing hides state. One may still come. */
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

  /** What the agent makes of the variables that were shown to it. */
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

/** What the page shows is not kept back for its objects: a look at them may go on. */
async function inTime(work: Promise<Report>, limitMs: number): Promise<Report | typeof LATE> {
  // The next poll waits for it again, and has its failure.
  work.catch(() => undefined);
  const over = new AbortController();
  const limit = Math.max(1, limitMs);
  try {
    return await Promise.race([work, delay<typeof LATE>(limit, LATE, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
