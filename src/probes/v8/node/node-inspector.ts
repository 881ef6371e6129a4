/**
 * Opens the inspector of a running Node process by SIGUSR1. Checked before the signal: that the process handles it (else
 * it would die), that it can act on it now, and that the port which all Node processes share for this is free.
 */
import * as z from 'zod';
import type { Listener, ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { AttachError, type AttachTools } from '../../probe.ts';
import { askJson, localAddress } from '../cdp/debug-http.ts';
import { detectV8 } from '../detect.ts';
import { inTurn } from './port-turn.ts';
import { hasMark, leaveMark, removeMark } from './signal-mark.ts';

/** Where SIGUSR1 opens the inspector, unless the command line names another port. */
const INSPECTOR_PORT = 9229;
const SIGUSR1_BIT = 1n << 9n;
const WAIT_MS = 3000;
/** Where no agent gets in, it is closed some time after our connection. */
const CLOSE_WAIT_MS = 2000;
/** The port is often taken for a moment, while another process is attached to. */
const OTHERS_WAIT_MS = 300;
const CHECK_INTERVAL_MS = 5;
const NEVER = new AbortController().signal;
/** `--inspect-port` only names a port. */
const ASKS_FOR_IT = /^--inspect(?:-brk|-wait)?(?:=|$)/;

const inspectorTargets = z.array(
  z.object({ webSocketDebuggerUrl: z.string(), type: z.string(), url: z.string().catch('') }),
);

export interface OpenInspector {
  readonly url: string;
  /** Nobody else asked for it: it must be closed again. */
  readonly isOurs: boolean;
  /** What it calls the program: the URL of its main module. */
  readonly mainUrl: string;
}

type Found = Pick<OpenInspector, 'url' | 'mainUrl'>;

/** What to tell people about a kind of program that has Node's inspector. */
export interface InspectorWords {
  /** `Node process`. */
  readonly name: string;
  /** Why SIGUSR1 cannot be sent. */
  readonly notListening: string;
  /** Why it had no effect. */
  readonly notOpened: string;
  /** How it has to be started, in either case. */
  readonly remedy: { readonly notListening: string; readonly notOpened: string };
}

/** For a program that must keep its inspector open while we are connected, and cannot open it elsewhere. */
interface PortHolder {
  /** Resolves when the port is free again. */
  giveWay(): Promise<void>;
}

let portHolder: PortHolder | null = null;

/** From now on whoever needs the shared port asks this one to give way. Returns the function that ends it. */
export function holdSharedPort(holder: PortHolder): () => void {
  portHolder = holder;
  return () => {
    if (portHolder === holder) portHolder = null;
  };
}

export const NODE_WORDS: InspectorWords = {
  name: 'Node process',
  notListening:
    'This Node process does not listen to SIGUSR1 (it is still starting, or runs with --disable-sigusr1), so its inspector cannot be opened.',
  notOpened:
    'The process did not open its inspector after SIGUSR1: it handles this signal itself, is too busy, or is not allowed to (--permission).',
  remedy: {
    notListening: 'Start it without that option, or with --inspect=0.',
    notOpened: 'It is not signalled again; start it with --inspect=0.',
  },
};

export const INSPECTOR_WAY = 'SIGUSR1 opens the inspector for a moment';

/** All that can be known before the signal; gives the way in. Throws `AttachError`. */
export async function checkInspector(
  process: ProcessInfo,
  inspect: ProcessInspector,
  words: InspectorWords,
): Promise<string> {
  const details = checkNetwork(process, inspect, words);
  const open = await findOpenInspector(process, inspect);
  if (open !== null) return `the inspector, which is open on port ${new URL(open.url).port}`;
  checkBeforeSignal(details, words);
  const isFree = () => !inspect.isPortTaken(process, INSPECTOR_PORT) || null;
  if (!(await waitUntil(process, { inspect, abort: NEVER }, isFree, OTHERS_WAIT_MS))) throw portTaken();
  return INSPECTOR_WAY;
}

/** An inspector listens on the loopback address, and that of another network is another one. */
export function checkNetwork(
  process: ProcessInfo,
  inspect: ProcessInspector,
  { name }: Pick<InspectorWords, 'name'>,
): ProcessDetails {
  const details = inspect.details(process);
  if (!details) throw processGone();
  if (details.sharesNetwork) return details;
  throw new AttachError(`This ${name} has a network of its own (a container), where its inspector cannot be reached.`, {
    retry: false,
    remedy: 'Run substrate inside the container.',
  });
}

export interface InspectorUse {
  /** It stays open after `work`: `forgetInspector` says when it was closed. */
  readonly keepsOpen?: boolean;
  /** Does not ask another one to give the shared port back. */
  readonly isPatient?: boolean;
}

/**
 * Hands `work` the inspector of this process; activations, also those of other daemons, wait for each other, because they
 * share one port.
 */
export async function withInspector<Result>(
  process: ProcessInfo,
  tools: AttachTools,
  words: InspectorWords,
  work: (inspector: OpenInspector) => Promise<Result>,
  options: InspectorUse = {},
): Promise<Result> {
  // What the command line asks for stays open.
  const asked = process.argv.some((argument) => ASKS_FOR_IT.test(argument))
    ? await findOpenInspector(process, tools.inspect)
    : null;
  if (asked !== null) return useInspector(process, tools, asked, work, options);
  return exclusively(async (isOurTurn) => {
    // The others took their time, and nobody wants it any more: what is not opened need not be closed.
    if (tools.abort.aborted) throw processGone();
    // Not before our turn: what another daemon has opened is closed by that one at any moment.
    const already = await findOpenInspector(process, tools.inspect);
    // By a daemon that was killed before it could close it: one that is at it now would have its turn.
    if (already !== null && isOurTurn && hasMark(process)) note(process, 'opened');
    if (already !== null) return useInspector(process, tools, already, work, options);
    // Its own handler may have run, and must not run again and again; or it was too busy, and opens the inspector later.
    if (signalled.get(processKey(process)) === 'unanswered') throw notOpened(words);
    if (!options.isPatient) await portHolder?.giveWay();
    return useInspector(process, tools, await openInspector(process, tools, words, isOurTurn), work, options);
  });
}

/** Processes that got SIGUSR1 from us and have not been attached since: an inspector that is open there is ours. */
const signalled = new Map<string, 'unanswered' | 'opened'>();
const MAX_SIGNALLED = 1000;

function note(process: ProcessInfo, answer: 'unanswered' | 'opened'): void {
  if (signalled.size >= MAX_SIGNALLED) signalled.clear();
  signalled.set(processKey(process), answer);
}

function forget(process: ProcessInfo): void {
  signalled.delete(processKey(process));
  removeMark(process);
}

function processKey({ pid, startTime }: ProcessInfo): string {
  return `${pid}:${startTime}`;
}

async function useInspector<Result>(
  process: ProcessInfo,
  tools: AttachTools,
  found: Found,
  work: (inspector: OpenInspector) => Promise<Result>,
  { keepsOpen = false }: InspectorUse,
): Promise<Result> {
  const isOurs = signalled.has(processKey(process));
  if (isOurs) note(process, 'opened');
  let isDone = false;
  try {
    const result = await work({ ...found, isOurs });
    isDone = true;
    return result;
  } finally {
    if (!keepsOpen || !isDone) await forgetInspector(process, tools, Number(new URL(found.url).port));
  }
}

/** Once it is closed again, an inspector that is open later is a person's. A target that is busy closes it later. */
export async function forgetInspector(
  process: ProcessInfo,
  tools: Pick<AttachTools, 'inspect'>,
  opened = INSPECTOR_PORT,
): Promise<void> {
  if (!signalled.has(processKey(process))) return;
  const isClosed = () => !tools.inspect.listeners(process).some(({ port }) => port === opened) || null;
  const closed = await waitUntil(process, { inspect: tools.inspect, abort: NEVER }, isClosed, CLOSE_WAIT_MS).catch(
    () => true,
  );
  if (closed) forget(process);
}

let lastActivation: Promise<unknown> = Promise.resolve();
function exclusively<Result>(work: (isOurTurn: boolean) => Promise<Result>): Promise<Result> {
  const result = lastActivation.then(() => inTurn(work));
  lastActivation = result.catch(() => undefined);
  return result;
}

async function openInspector(
  process: ProcessInfo,
  tools: AttachTools,
  words: InspectorWords,
  isOurTurn: boolean,
): Promise<Found> {
  const { inspect } = tools;
  checkBeforeSignal(inspect.details(process), words);
  const portFree = await waitUntil(process, tools, () => !inspect.isPortTaken(process, INSPECTOR_PORT) || null);
  if (!portFree) throw portTaken();
  const before = new Set(inspect.listeners(process).map(({ port }) => port));
  // Another program may have taken its place since (exec), whose handler is its own.
  if (detectV8(process, inspect) === null) throw notListening(words);
  const isCandidate = mayBeInspector(process);
  let lostRace = false;
  // From the signal on only the end of the process ends the wait: what was opened has to be closed.
  const isOpened = async () => {
    const opened = inspect.listeners(process).filter((listener) => !before.has(listener.port) && isCandidate(listener));
    lostRace ||= opened.length === 0 && inspect.isPortTaken(process, INSPECTOR_PORT);
    return opened.length > 0 ? askInspector(opened) : null;
  };
  let found: Found | null;
  try {
    if (isOurTurn) leaveMark(process);
    tools.signal(process, 'SIGUSR1');
    note(process, 'unanswered');
    found = await waitUntil(process, { inspect, abort: NEVER }, isOpened);
  } catch (error) {
    // It is gone, or the signal could not be sent.
    if (!inspect.isAlive(process) || !signalled.has(processKey(process))) forget(process);
    throw error;
  }
  if (found) return found;
  if (!lostRace) throw notOpened(words);
  forget(process);
  throw new AttachError(`Port ${INSPECTOR_PORT} was taken by another process at that moment.`, {
    retry: true,
    remedy: 'It is tried again later.',
  });
}

function portTaken(): AttachError {
  return new AttachError(
    `Port ${INSPECTOR_PORT}, which the inspector needs for a moment, is taken by another process (a debugger?).`,
    { retry: true, remedy: 'It is tried again later.' },
  );
}

function notOpened(words: InspectorWords): AttachError {
  return new AttachError(words.notOpened, { retry: true, remedy: words.remedy.notOpened });
}

function notListening(words: InspectorWords): AttachError {
  return new AttachError(words.notListening, { retry: true, remedy: words.remedy.notListening });
}

function checkBeforeSignal(details: ProcessDetails | null, words: InspectorWords): void {
  if (!details) throw processGone();
  if ((details.caughtSignals & SIGUSR1_BIT) === 0n) throw notListening(words);
  if (details.stopped) {
    throw new AttachError('The process is stopped (SIGSTOP or a debugger).', {
      retry: true,
      remedy: 'It is tried again when it runs.',
    });
  }
}

function findOpenInspector(process: ProcessInfo, inspect: ProcessInspector): Promise<Found | null> {
  return askInspector(inspect.listeners(process).filter(mayBeInspector(process)));
}

/** Servers of the app itself must not see requests of ours: only ports that Node or the command line names for this. */
function mayBeInspector(process: ProcessInfo): (listener: Listener) => boolean {
  const ports = new Set([INSPECTOR_PORT]);
  let any = false;
  for (const argument of process.argv) {
    const port = /^--inspect(?:-brk|-wait|-port)?=(?:.*:)?(\d+)$/.exec(argument)?.[1];
    if (port === '0') any = true;
    else if (port !== undefined) ports.add(Number(port));
  }
  return ({ port }) => any || ports.has(port);
}

/** What one of these listeners says, if one is an inspector. */
export async function askInspector(listeners: readonly Listener[]): Promise<Found | null> {
  for (const address of listeners.flatMap((listener) => localAddress(listener) ?? [])) {
    const answer = await askJson(`http://${address}/json/list`);
    const target = inspectorTargets.safeParse(answer?.body).data?.find(({ type }) => type === 'node');
    // Only the path is taken: whoever answers must not send us elsewhere.
    const path = target && /^ws:\/\/[^/]+(\/[\w-]+)$/.exec(target.webSocketDebuggerUrl)?.[1];
    if (path) return { url: `ws://${address}${path}`, mainUrl: target.url };
  }
  return null;
}

/** The first answer that is not null; null when the time is up. Throws as soon as the process is gone. */
async function waitUntil<Answer>(
  process: ProcessInfo,
  { inspect, abort }: Pick<AttachTools, 'inspect' | 'abort'>,
  ask: () => Answer | null | Promise<Answer | null>,
  waitMs = WAIT_MS,
): Promise<Answer | null> {
  const deadline = performance.now() + waitMs;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (abort.aborted || !inspect.isAlive(process)) throw processGone();
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
  return null;
}

export function processGone(): AttachError {
  return new AttachError('The process ended while the probe was being attached.', { retry: false });
}
