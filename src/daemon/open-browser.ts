/**
 * Opens an address in a browser. The permissions, log and confirmation of an action apply, although there is no app
 * yet.
 */
import { SubstrateError } from '../model/errors.ts';
import { actionRequest, type BrowserResponse } from '../model/wire.ts';
import { redactReturn } from '../semantic/redact-return.ts';
import { shownAction } from './action-call.ts';
import { refusing } from './action-gates.ts';
import { type ActionLog, logged } from './action-log.ts';
import type { ActionRunner } from './action-runner.ts';
import type { Approvals } from './approvals.ts';
import { pause } from './pause.ts';
import type { CallOptions } from './service.ts';
import type { Session } from './session.ts';
import { whenLoaded } from './when-loaded.ts';

/** Starts browsers, or finds the one that runs. */
export interface Browsers {
  open(url: string): Promise<OpenedBrowser>;
}

export interface OpenedBrowser {
  /** False if one with the same profile was already running; the address is still to be opened then. */
  readonly started: boolean;
  /** Null if somebody else started it. */
  readonly headless: boolean | null;
  /** Candidates: a script may start the browser as another process. */
  pids(): number[];
  /** Why it has ended, or null. */
  failure(): string | null;
}

export interface BrowserParts {
  readonly browsers: Browsers;
  readonly actionLog: ActionLog;
  readonly actions: ActionRunner;
  readonly waiting: Approvals;
  /** Scans the processes now. */
  readonly scan: () => Promise<void>;
  readonly find: (pid: number) => Session | null;
  /** Resolves when it has state; throws if that does not come. */
  readonly untilReady: (pid: number, signal: AbortSignal) => Promise<void>;
}

const OPEN_BROWSER = 'open_browser';
const OPEN_TAB = 'open_tab';
/** Enough for a new profile on a slow disk. */
const START_MS = 20_000;
const LOOK_MS = 50;
/** Enough for a slow server. The answer then has the state as it is. */
const LOAD_MS = 10_000;
const LOAD_LOOK_MS = 100;
const EMPTY_PAGE = /^(?:about:blank|chrome:|edge:|brave:|vivaldi:)/;

export async function openBrowser(url: string, options: CallOptions, parts: BrowserParts): Promise<BrowserResponse> {
  const request = { action: OPEN_BROWSER, parameters: { url } };
  return logged(
    parts.actionLog,
    request,
    options,
    async (trace) => {
      await refusing(request, async () => {
        options.permissions.requireBrowser();
        if (options.permissions.confirm) trace.confirmedBy = await confirm(url, options, parts.waiting);
      });
      trace.begin(null);
      const opened = await refusing(request, () => parts.browsers.open(url));
      const session = await sessionOf(opened, options.signal, parts);
      const { pid } = session.process;
      Object.assign(trace, { pid, appId: session.appId });
      await parts.untilReady(pid, options.signal);
      if (!opened.started) await openTab(url, session, options, parts.actions, trace.confirmedBy);
      if (url !== 'about:blank') await untilLoaded(session, options.signal);
      const { started, headless } = opened;
      return { pid, app_id: session.appId, app_name: session.recognition.appName, started, headless };
    },
    () => ['ran', null],
  );
}

async function confirm(url: string, options: CallOptions, waiting: Approvals): Promise<string> {
  const { keyId, keyLabel, permissionsNow, signal } = options;
  const question = {
    key_id: keyId,
    key_label: keyLabel,
    // There is no process yet.
    pid: 0,
    app_id: '',
    app_name: 'a browser',
    action: OPEN_BROWSER,
    description: 'Opens an address in a browser with a profile of its own.',
    binding: OPEN_BROWSER,
    signature: 'fn(url: string) -> object',
    reversibility: 'reversible_write' as const,
    parameters: { url: redactReturn(url, 'url') },
    verify_expression: null,
    earlier_runs: { count: 0, last_changed: [] },
  };
  const by = await waiting.ask(
    {
      question,
      app: { appId: '', appName: '', isForeign: false },
      current: () => ({ changes: [], change_count: 0, already_true: null }),
      checkKey: () => void permissionsNow(),
    },
    signal,
  );
  // Meanwhile the key may have been restricted.
  permissionsNow().requireBrowser();
  return by;
}

async function sessionOf(opened: OpenedBrowser, signal: AbortSignal, { find, scan }: BrowserParts): Promise<Session> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    for (const pid of opened.pids()) {
      const session = find(pid);
      if (session !== null) return session;
    }
    const failure = opened.failure();
    if (failure !== null) throw new SubstrateError('browser_failed', failure);
    await scan();
    await pause(LOOK_MS, signal);
  }
  throw new SubstrateError('browser_failed', `The browser was started, but is not there after ${START_MS / 1000} s.`);
}

async function openTab(
  url: string,
  session: Session,
  options: CallOptions,
  actions: ActionRunner,
  by: string | null,
): Promise<void> {
  const request = actionRequest.parse({ pid: session.process.pid, action: OPEN_TAB, parameters: { url } });
  const app = { appId: session.appId, appName: session.recognition.appName, isForeign: false };
  const action = session.actions.get(OPEN_TAB);
  // The person has already agreed to the address.
  const confirmed = by === null || action === undefined ? null : { by, shown: shownAction(action) };
  const call = { request, predicate: null, session, app, options, ifMatch: null, confirmed, onDispatch: () => {} };
  const { fields } = await actions.run(call);
  if (!fields.success) throw new SubstrateError('browser_failed', fields.message);
}

async function untilLoaded(session: Session, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LOAD_MS;
  for (;;) {
    const url = session.head?.context.url ?? null;
    if (performance.now() > deadline) return;
    if (url !== null && !EMPTY_PAGE.test(url)) return whenLoaded(session, signal);
    await pause(LOAD_LOOK_MS, signal);
    signal.throwIfAborted();
    await session.refresh();
  }
}
