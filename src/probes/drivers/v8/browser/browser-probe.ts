/** The probe of a browser or an Electron app: the state of the active page, and the list of all pages. */
import { messageOf } from '../../../../model/failure.ts';
import type { ProbeHealth } from '../../../../model/health.ts';
import type { LeafRoot, LeafUpdate } from '../../../../model/leaves.ts';
import { joinPath } from '../../../../model/path.ts';
import {
  ACTION_LIMIT_MS,
  type ActionArguments,
  type ActionOutcome,
  type RawAction,
} from '../../../../model/raw-action.ts';
import type { Scalar } from '../../../../model/scalar.ts';
import { NO_TRACE, type Trace } from '../../../../model/trace.ts';
import type { AppContext } from '../../../../model/wire.ts';
import {
  BlockedError,
  type Capture,
  type CaptureRequest,
  NotDispatchedError,
  type Probe,
  type ProgramIdentity,
} from '../../../probe.ts';
import { AgentHealth, joinHealth } from '../../../support/agent-health.ts';
import { FlatSource } from '../../../support/flat-source.ts';
import { LeafMerger } from '../../../support/leaf-merger.ts';
import { CdpClosed } from '../cdp/cdp-session.ts';
import type { PageContext } from '../page/protocol.ts';
import { ActivePage } from './active-page.ts';
import { BROWSER, browserActions, invokeBrowserAction } from './browser-actions.ts';
import type { PageLimits } from './frame-agents.ts';
import { type OpenDialog, Page, type PagePoll } from './page.ts';
import { builtinsFor, invokePageAction, NAVIGATE, navigatePage } from './page-invoke.ts';
import type { Report } from './report.ts';
import type { BrowserTargets, PageTarget } from './targets.ts';
import { TOOLS } from './web-tools.ts';
import { asWindowControl } from './window-controls.ts';

export interface BrowserProbeOptions extends PageLimits {
  /** Null if the heap is never scanned. */
  readonly heapLimitMb: number | null;
  /** Folders with files that pages may receive; absent if none may. */
  readonly uploadFolders?: readonly string[] | undefined;
  /** The main process of an Electron app, whose state is below `main`. */
  readonly main?: Probe;
}

/** The results of the pages and of the main process: everything from both, or the changes of both. */
interface Polled {
  readonly poll: PagePoll | null;
  readonly main: Capture | null;
  readonly all: boolean;
}

const MAIN = 'main';
/** Pages with these schemes are not the app's, or would run code of the caller. */
const FOREIGN_SCHEMES = new Set([
  'about:',
  'blob:',
  'chrome:',
  'chrome-error:',
  'data:',
  'devtools:',
  'javascript:',
  'view-source:',
]);
const MAX_TABS = 200;
const NEVER_RELEASE = async (): Promise<void> => undefined;
const NO_PAGE: AppContext = { url: null, location: null, view: null, window_title: null, window_id: null };
const BROWSER_ROOTS: readonly LeafRoot[] = [
  { name: 'tabs', origin: 'the browser', mangled: false },
  { name: 'dialog', origin: 'the browser', mangled: false },
];

/** The only root of a page that the browser could not load. */
const FAILED_PAGE: LeafRoot = { name: 'page', origin: 'the browser', mangled: false };

/** The latest facts of a source about itself. */
type SourceReport = Pick<Report, 'roots' | 'actions' | 'rawCount' | 'coverage' | 'stopped' | 'spentMs'>;
type SourceFacts = Omit<SourceReport, 'roots' | 'actions'> & {
  readonly roots: readonly LeafRoot[];
  readonly actions: readonly RawAction[];
};

export class BrowserProbe implements Probe {
  /** Absent for a browser. */
  readonly program: ProgramIdentity | undefined;
  readonly closed: Promise<void>;
  readonly targets: BrowserTargets;
  readonly active = new ActivePage();
  page: Page | null = null;
  private readonly options: BrowserProbeOptions;
  private readonly pages = new Map<string, Page>();
  private readonly browser = new FlatSource();
  private readonly merger: LeafMerger;
  private readonly facts = new Map<string, SourceFacts>();
  /** Exceptions that agents dropped, by source. */
  private readonly dropped = new Map<string, Readonly<Record<string, number>>>();
  private readonly agentHealth = new AgentHealth();
  private readonly trace: Trace;
  /** For an Electron app: the schemes of its pages besides http and https. */
  private readonly ownSchemes = new Set<string>();
  private lastPoll: PagePoll | null = null;
  private reportedPage: string | null = null;
  private reportedExtras = '';
  /** A tab was added, removed or changed since the last capture began. */
  private hasChanged = false;
  private onTargetChange: () => void = () => undefined;

  constructor(targets: BrowserTargets, options: BrowserProbeOptions) {
    this.targets = targets;
    this.program = options.main?.program;
    this.options = { ...options, health: this.agentHealth };
    this.trace = options.trace ?? NO_TRACE;
    this.closed = targets.closed;
    this.merger = new LeafMerger(options.maxKeys, (source) => source === BROWSER || isDom(source));
    // Recorded even if nobody waits, so that events between two waits are not missed.
    targets.onChange(() => {
      this.hasChanged = true;
      this.onTargetChange();
    });
  }

  async capture({ depth, full, signal }: CaptureRequest): Promise<Capture> {
    signal.throwIfAborted();
    this.hasChanged = false;
    const tabs = await this.targets.list();
    this.forgetClosedPages(tabs);
    const tab = await this.active.choose(tabs, this.lastPoll?.context ?? null, (id) => this.targets.release(id));
    const { page, problem } = await this.openPage(tab);
    const isOther = this.reportedPage !== (tab?.id ?? '');
    const wantsAll = full || isOther || this.merger.isSparse;
    const polled = await this.ask(page, wantsAll, depth === 'deep', signal);
    const leaves = this.merge(
      polled,
      this.browserLeaves(tabs, tab, {
        page,
        problem,
        failure: polled.poll?.failure ?? null,
        context: polled.poll ? polled.poll.context : isOther ? null : (this.lastPoll?.context ?? null),
      }),
    );
    // From here on actions go to this page, whose actions the clients know.
    if (isOther && this.reportedPage !== null) void this.letGo(this.reportedPage);
    this.page = page;
    this.lastPoll = polled.poll ?? (isOther ? null : this.lastPoll);
    this.noteScheme(tab?.url ?? '');
    // The facts about the page besides its parts.
    const extras = `${Boolean(page?.dialog)} ${page?.tools.version} ${polled.poll?.failure}`;
    const isNew = this.noteFacts(polled) || this.reportedExtras !== extras;
    this.reportedPage = tab?.id ?? '';
    this.reportedExtras = extras;
    return this.describe(leaves, tab, isNew);
  }

  health(): ProbeHealth {
    const pages = [...this.dropped.values()].map((discarded) => ({ parts: [], discarded }));
    const main = this.options.main?.health?.();
    return joinHealth([this.agentHealth.report, ...pages, ...(main ? [main] : [])]);
  }

  /** From an Electron app's main process. Later exceptions of a page are not visible. */
  takeThrown(): string | null {
    return this.options.main?.takeThrown?.() ?? null;
  }

  async invoke(
    binding: string,
    args: ActionArguments,
    signal: AbortSignal,
    limitMs = ACTION_LIMIT_MS,
  ): Promise<ActionOutcome> {
    const { dialog } = this.page ?? {};
    if (dialog && !binding.startsWith(`${BROWSER}|`)) throw new BlockedError(dialogSentence(dialog));
    // Navigating away from a page that has crashed or hangs must not need that page.
    if (binding === NAVIGATE.binding) return this.navigate(args, signal, limitMs);
    const action = this.actions().find((candidate) => candidate.binding === binding);
    if (!action) throw new NotDispatchedError('The page does not have this action any more.');
    if (binding.startsWith(`${BROWSER}|`)) return invokeBrowserAction(action.name, args, this);
    if (binding.startsWith(`${MAIN}|`) && this.options.main)
      return this.options.main.invoke(binding.slice(MAIN.length + 1), args, signal, limitMs);
    if (!this.page) throw new NotDispatchedError('There is no page.');
    if (binding.startsWith(`${TOOLS}|`))
      return this.page.tools.invoke(binding.slice(TOOLS.length + 1), args, signal, limitMs);
    const { uploadFolders = [] } = this.options;
    return invokePageAction(this.page, action, args, signal, { limitMs, uploadFolders });
  }

  private async navigate(args: ActionArguments, signal: AbortSignal, limitMs: number): Promise<ActionOutcome> {
    const page =
      this.page ?? (await this.openPage(await this.active.choose(await this.targets.list(), null, NEVER_RELEASE))).page;
    if (!page) throw new NotDispatchedError('There is no page.');
    return navigatePage(page, args, signal, { limitMs, ownSchemes: this.ownSchemes });
  }

  /** A left page of an app's own must be reachable again. A browser has no pages of its own. */
  private noteScheme(url: string): void {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase();
    if (this.options.main && scheme !== undefined && !FOREIGN_SCHEMES.has(scheme)) this.ownSchemes.add(scheme);
  }

  async changed(signal: AbortSignal): Promise<void> {
    if (this.hasChanged || signal.aborted) return;
    const targetsChanged = new Promise<void>((resolve) => {
      this.onTargetChange = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([targetsChanged, this.page?.changed() ?? targetsChanged]);
  }

  async detach(): Promise<void> {
    await Promise.allSettled([...this.pages.values()].map((page) => page.dispose()));
    await this.targets.dispose();
  }

  private async ask(page: Page | null, wantsAll: boolean, deep: boolean, signal: AbortSignal): Promise<Polled> {
    const poll = page && (await this.askPage(page, wantsAll, deep, signal));
    const all = wantsAll || poll?.full === true;
    const main = (await this.options.main?.capture({ depth: 'fast', full: all, signal })) ?? null;
    if (main?.leaves.kind === 'full' && !all) return this.ask(page, true, false, signal);
    return { poll, main, all };
  }

  /** Null if a dialog blocks the page. */
  private async askPage(page: Page, wantsAll: boolean, deep: boolean, signal: AbortSignal): Promise<PagePoll | null> {
    const poll = await page.poll(wantsAll, deep ? this.options.heapLimitMb : null, signal);
    if (!poll || poll.full) return poll;
    // A frame was added or removed, so the merger has to start anew.
    const known = this.merger.sources.filter((source) => source !== BROWSER && source !== MAIN);
    const isSame = known.length === poll.parts.size && known.every((source) => poll.parts.has(source));
    return isSame ? poll : page.poll(true, null, signal);
  }

  private merge({ poll, main, all }: Polled, browser: ReadonlyMap<string, Scalar>): LeafUpdate {
    const parts = new Map([...(poll?.parts ?? [])].map(([source, { leaves }]) => [source, leaves]));
    const own = all ? this.browser.full(browser) : this.browser.update(browser);
    // Permanent sources come first: no page may take their names.
    const sources = [[BROWSER, own] as const, ...(main ? [[MAIN, main.leaves] as const] : []), ...parts];
    if (all) return this.merger.full(new Map(sources.map(([source, leaves]) => [source, everythingOf(leaves)])));
    return this.merger.update(new Map(sources.map(([source, leaves]) => [source, changesOf(leaves)])));
  }

  private browserLeaves(
    tabs: readonly PageTarget[],
    active: PageTarget | null,
    {
      page,
      problem,
      failure,
      context,
    }: { page: Page | null; problem: string | null; failure: string | null; context: PageContext | null },
  ): Map<string, Scalar> {
    const leaves = new Map<string, Scalar>([['tabs.length', tabs.length]]);
    for (const [index, tab] of tabs.slice(0, MAX_TABS).entries()) {
      const isActive = tab.id === active?.id;
      // The browser learns a new title slightly later than the page itself.
      const { title, url } = (isActive && context) || tab;
      leaves.set(`tabs[${index}].id`, tab.id);
      leaves.set(`tabs[${index}].title`, title);
      leaves.set(`tabs[${index}].url`, url);
      leaves.set(`tabs[${index}].active`, isActive);
      if (isActive && problem !== null) leaves.set(`tabs[${index}].problem`, problem);
    }
    if (failure !== null) leaves.set('page.problem', failure);
    if (page?.dialog) {
      leaves.set('dialog.type', page.dialog.type);
      leaves.set('dialog.message', page.dialog.message);
      if (page.dialog.offered !== '') leaves.set('dialog.offered', page.dialog.offered);
    }
    return leaves;
  }

  /** Returns true if roots or actions have changed. */
  private noteFacts({ poll, main, all }: Polled): boolean {
    let isNew = all;
    if (all) {
      this.facts.clear();
      this.dropped.clear();
    }
    for (const [source, { discarded }] of poll?.parts ?? []) if (discarded) this.dropped.set(source, discarded);
    const parts: (readonly [string, SourceReport])[] = [
      ...(main ? [[MAIN, belowMain(main)] as const] : []),
      ...(poll?.parts ?? []),
    ];
    for (const [source, { roots, actions, rawCount, coverage, stopped, spentMs }] of parts) {
      const known = this.facts.get(source);
      isNew ||= roots !== null || actions !== null;
      this.facts.set(source, {
        roots: roots ?? known?.roots ?? [],
        actions: actions?.map((action) => prefixed(source, action)) ?? known?.actions ?? [],
        rawCount,
        coverage,
        stopped,
        spentMs,
      });
    }
    return isNew;
  }

  private describe(leaves: LeafUpdate, tab: PageTarget | null, isNew: boolean): Capture {
    const facts = [...this.facts.values()];
    const read = this.merger.count;
    const seen = facts.reduce((sum, { rawCount }) => sum + rawCount, 0);
    const usesDom = [...this.facts].some(([source, { rawCount }]) => isDom(source) && rawCount > 0);
    // Unread rows of the screen are no loss if the app's own objects were read.
    const hasState = [...this.facts].some(([source, { rawCount }]) => !isDom(source) && rawCount > 0);
    const unread = [...this.facts].reduce(
      (sum, [source, { rawCount, coverage }]) => sum + (isDom(source) && hasState ? 0 : rawCount * (1 - coverage)),
      this.merger.leftOut,
    );
    const poll = this.lastPoll;
    return {
      leaves,
      roots: isNew
        ? [...BROWSER_ROOTS, ...(poll?.failure ? [FAILED_PAGE] : []), ...facts.flatMap(({ roots }) => roots)]
        : null,
      actions: isNew ? this.actions() : null,
      context: this.context(tab),
      tier: poll?.usedHeap ? 'heap_snapshot' : 'aso_fast',
      domTierUsed: usesDom,
      rawCount: Math.max(seen, read),
      coverage: unread <= 0 ? 1 : read / (read + unread),
      costMs: facts.reduce((sum, { spentMs }) => sum + spentMs, 0),
      stoppedBy: facts.some(({ stopped }) => stopped) ? 'time' : null,
      isLoading: this.page?.load.isBusy === true,
      blockedBy: this.page?.dialog ? dialogSentence(this.page.dialog) : null,
      suggestsHeapScan: poll?.hidesState === true && this.options.heapLimitMb !== null,
    };
  }

  private actions(): RawAction[] {
    // The page does not respond until the dialog is answered.
    if (this.page?.dialog) return [...browserActions(true)];
    const found = [...this.facts.values()].flatMap(({ actions }) => actions);
    return [
      ...(this.page ? builtinsFor(this.options.uploadFolders ?? []) : []),
      ...browserActions(false),
      ...(this.page?.tools.actions() ?? []),
      ...(this.options.main ? found.map(asWindowControl) : found),
    ];
  }

  private context(tab: PageTarget | null): AppContext {
    if (!tab) return NO_PAGE;
    const page = this.lastPoll?.context;
    return {
      url: page?.url ?? tab.url,
      location: page?.location ?? null,
      view: page?.view ?? null,
      window_title: page?.title || tab.title,
      window_id: tab.id,
    };
  }

  /** A page that cannot be read costs only its own state. */
  private async openPage(tab: PageTarget | null): Promise<{ page: Page | null; problem: string | null }> {
    if (!tab) return { page: null, problem: null };
    try {
      const session = await tab.attach();
      let page = this.pages.get(tab.id);
      if (page?.session !== session) {
        page = new Page(tab.id, session, this.options);
        this.pages.set(tab.id, page);
      }
      return { page, problem: null };
    } catch (error) {
      if (error instanceof CdpClosed) throw error;
      this.trace.ignored('open the page', error);
      return { page: null, problem: messageOf(error) };
    }
  }

  /** Its page is no longer the active one. */
  private async letGo(id: string): Promise<void> {
    const page = this.pages.get(id);
    this.pages.delete(id);
    // Its tab and its agents may be gone by now.
    await page?.dispose().catch((error: unknown) => this.trace.ignored('leave the page', error));
    await this.targets.release(id);
  }

  private forgetClosedPages(tabs: readonly PageTarget[]): void {
    const open = new Set(tabs.map(({ id }) => id));
    for (const id of this.pages.keys()) if (!open.has(id)) this.pages.delete(id);
  }
}

function everythingOf(leaves: LeafUpdate): Extract<LeafUpdate, { kind: 'full' }> {
  if (leaves.kind !== 'full') throw new Error('a part of the page did not report everything');
  return leaves;
}

function changesOf(leaves: LeafUpdate): Exclude<LeafUpdate, { kind: 'full' }> {
  if (leaves.kind === 'full') throw new Error('a part of the page reported more than what changed');
  return leaves;
}

function dialogSentence({ type, message }: OpenDialog): string {
  return `A dialog is open (${type}: ${JSON.stringify(message)}): accept_dialog or dismiss_dialog comes first.`;
}

function isDom(source: string): boolean {
  return /(?:^|\.)dom$/.test(source);
}

function prefixed(source: string, action: RawAction): RawAction {
  return { ...action, binding: `${source}|${action.binding}` };
}

function belowMain({ roots, actions, rawCount, coverage, costMs, stoppedBy }: Capture): SourceReport {
  return {
    roots: roots?.map((root) => (root.mangled ? root : { ...root, label: joinPath(MAIN, root.name) })) ?? null,
    actions: actions?.map((action) => ({ ...action, name: `${MAIN}.${action.name}` })) ?? null,
    rawCount,
    coverage,
    stopped: stoppedBy !== null,
    spentMs: costMs ?? 0,
  };
}
