/**
 * Opens the inspector of a running Node process by SIGUSR1. Checked before the signal: that the process handles it (else
 * it would die), that it can act on it now, that it is not about to end (else it would abort), and that the port which all
 * Node processes share for this is free.
 */
import type {
  MainThreadWait,
  ProcessDetails,
  ProcessInfo,
  ProcessInspector,
  ProcessNetwork,
} from '../../../../model/process.ts';
import { traced } from '../../../../model/trace.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import { checkReachable } from '../../../support/reachable.ts';
import { checkRoom } from '../../../support/room-check.ts';
import { detectV8 } from '../detect.ts';
import {
  askInspector,
  type FoundInspector,
  findOpenInspector,
  INSPECTOR_PORT,
  mayBeInspector,
  OPENING_PART,
  OPENING_WAIT_MS,
  processGone,
  waitUntil,
} from './find-inspector.ts';
import { closeMarked } from './left-inspectors.ts';
import { exclusively } from './port-lock.ts';
import { MomentWatch, waitsIn } from './safe-moment.ts';
import { hasMark, leaveMark, removeMark } from './signal-mark.ts';

const SIGUSR1_BIT = 1n << 9n;
/** Where no agent gets in, it is closed some time after our connection. */
const CLOSE_WAIT_MS = 2000;
/** The port is often taken for a moment, while another process is attached to. */
const OTHERS_WAIT_MS = 300;
const NEVER = new AbortController().signal;
/** `--inspect-port` only names a port. */
const ASKS_FOR_IT = /^--inspect(?:-brk|-wait)?(?:=|$)/;

export interface OpenInspector extends FoundInspector {
  /** Nobody else asked for it: it must be closed again. */
  readonly isOurs: boolean;
}

/** A kind of program that has Node's inspector, with its words for messages. */
export interface InspectorWords {
  /** In which calls its event loop waits. */
  readonly waitsIn: readonly MainThreadWait['call'][];
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

/** By network: each has its own port. */
const portHolders = new Map<string | null, PortHolder>();

/** From now on whoever needs the shared port asks this one to give way. Returns the function that ends it. */
export function holdSharedPort({ id }: ProcessNetwork, holder: PortHolder): () => void {
  portHolders.set(id, holder);
  return () => {
    if (portHolders.get(id) === holder) portHolders.delete(id);
  };
}

export const NODE_WORDS: InspectorWords = {
  waitsIn: ['epoll'],
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
  const details = await checkNetwork(process, inspect);
  const open = await findOpenInspector(process, inspect);
  if (open !== null) return `the inspector, which is open on port ${new URL(open.url).port}`;
  checkBeforeSignal(details, words);
  const tools = { inspect, abort: NEVER };
  const isWaiting = () => waitsIn(inspect.mainThreadWait(process), words.waitsIn) || null;
  if (!(await waitUntil(process, tools, isWaiting, OTHERS_WAIT_MS))) throw neverWaits(words);
  const isFree = () => !inspect.isPortTaken(process, INSPECTOR_PORT) || null;
  if (!(await waitUntil(process, tools, isFree, OTHERS_WAIT_MS))) throw portTaken();
  return INSPECTOR_WAY;
}

/** Before the signal: an inspector that listens where we cannot go could not be closed again. Throws `AttachError`. */
export async function checkNetwork(process: ProcessInfo, inspect: ProcessInspector): Promise<ProcessDetails> {
  await checkReachable(process, inspect);
  const details = inspect.details(process);
  if (!details) throw processGone();
  return details;
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
  // An inspector that the command line asks for stays open.
  const asked = process.argv.some((argument) => ASKS_FOR_IT.test(argument))
    ? await findOpenInspector(process, tools.inspect)
    : null;
  if (asked !== null) return useInspector(process, tools, asked, work, options);
  const watch = new MomentWatch(process, tools.inspect, words.waitsIn);
  // Before our turn: nobody has to wait for a program that never rests.
  if (!tools.inspect.listeners(process).some(mayBeInspector(process))) await untilSafe(process, tools, words, watch);
  const stopLooking = watch.keepLooking();
  const turn = tools.trace.begin('wait for its turn at the port that all Node programs share', {
    port: INSPECTOR_PORT,
  });
  return exclusively(tools.inspect.network(process), async (isOurTurn) => {
    stopLooking();
    turn.end(isOurTurn ? {} : { result: 'another daemon keeps it' });
    // The others took their time, and nobody wants it any more: what is not opened need not be closed.
    if (tools.abort.aborted) throw processGone();
    // Not before our turn: what another daemon has opened is closed by that one at any moment.
    const already = await findOpenInspector(process, tools.inspect);
    // By a daemon that was killed before it could close it: one that is at it now would have its turn.
    if (already !== null && isOurTurn && hasMark(process)) note(process, 'opened');
    if (already !== null) return useInspector(process, tools, already, work, options);
    // Its own handler may have run, and must not run again and again; or it was too busy, and opens the inspector later.
    if (isUnanswered(process)) throw notOpened(words);
    if (!options.isPatient) await portHolders.get(tools.inspect.network(process).id)?.giveWay();
    return useInspector(process, tools, await openInspector(process, tools, words, watch, isOurTurn), work, options);
  });
}

/** How many looks for the inspector go by until one looks for another program that was faster. */
const LOOKS_PER_RACE = 5;

type Answer = 'unanswered' | 'unanswered, marked' | 'opened';

/** Processes that got SIGUSR1 from us and have not been attached since: an inspector that is open there is ours. */
const signalled = new Map<string, Answer>();
const MAX_SIGNALLED = 1000;

/** Who takes the mark away has closed the inspector that was opened late: the signal can be sent again. */
function isUnanswered(process: ProcessInfo): boolean {
  const answer = signalled.get(processKey(process));
  return answer === 'unanswered' || (answer === 'unanswered, marked' && hasMark(process));
}

function note(process: ProcessInfo, answer: Answer): void {
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
  found: FoundInspector,
  work: (inspector: OpenInspector) => Promise<Result>,
  { keepsOpen = false }: InspectorUse,
): Promise<Result> {
  const isOurs = signalled.has(processKey(process));
  if (isOurs) note(process, 'opened');
  let isDone = false;
  try {
    tools.trace.note('inspector', {
      port: Number(new URL(found.url).port),
      result: isOurs ? 'opened for us' : 'was open',
    });
    const result = await work({ ...found, isOurs });
    isDone = true;
    return result;
  } finally {
    const untilClosed = () => forgetInspector(process, tools, Number(new URL(found.url).port));
    if (isOurs && (!keepsOpen || !isDone)) await traced(tools.trace, 'wait until the inspector is closed', untilClosed);
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
  const waiting = waitUntil(process, { inspect: tools.inspect, abort: NEVER }, isClosed, CLOSE_WAIT_MS);
  // The process has ended, and its inspector with it.
  const closed = await waiting.catch(() => true);
  if (closed) forget(process);
}

/** Throws unless it is seen to wait, within the time that is allowed. */
async function untilSafe(
  process: ProcessInfo,
  tools: AttachTools,
  words: InspectorWords,
  watch: MomentWatch,
): Promise<void> {
  checkBeforeSignal(tools.inspect.details(process), words);
  const look = async () => {
    if ((await waitUntil(process, tools, () => watch.look())) === null) throw neverWaits(words);
  };
  await traced(tools.trace, 'wait until it rests in its event loop', look);
}

async function openInspector(
  process: ProcessInfo,
  tools: AttachTools,
  words: InspectorWords,
  watch: MomentWatch,
  isOurTurn: boolean,
): Promise<FoundInspector> {
  const { inspect } = tools;
  checkBeforeSignal(inspect.details(process), words);
  const isFree = () => !inspect.isPortTaken(process, INSPECTOR_PORT) || null;
  if (!isFree()) {
    if (isOurTurn) await closeMarked(inspect, inspect.network(process));
    const untilFree = () => waitUntil(process, tools, isFree);
    if (!(await traced(tools.trace, 'wait until the port is free', untilFree))) throw portTaken();
  }
  // Another program may have taken its place since (exec), whose handler is its own.
  const checkProgram = () => {
    if (detectV8(process, inspect) === null) throw notListening(words);
  };
  checkProgram();
  const isCandidate = mayBeInspector(process);
  let before = new Set<number>();
  let hasLeftMark = false;
  const signalInWait = () => {
    if (watch.look() === null) return null;
    before = new Set(inspect.listeners(process).map(({ port }) => port));
    checkProgram();
    // That took its time. What follows is done within one wait of the program: whatever it does meanwhile would show.
    const moment = watch.look();
    if (moment === null) return null;
    hasLeftMark = (isOurTurn && leaveMark(process)) || hasLeftMark;
    if (watch.look() !== moment) return null;
    tools.signal(process, 'SIGUSR1');
    tools.trace.note('SIGUSR1 sent', { pid: process.pid });
    note(process, hasMark(process) ? 'unanswered, marked' : 'unanswered');
    return true;
  };
  let lostRace = false;
  let looks = 0;
  const isOpened = async () => {
    const opened = inspect.listeners(process).filter((listener) => !before.has(listener.port) && isCandidate(listener));
    if (opened.length > 0) return askInspector(inspect.network(process), opened);
    // Not at each look: the tables of the kernel take milliseconds, and most inspectors are open after a few.
    if (++looks % LOOKS_PER_RACE === 0) lostRace ||= inspect.isPortTaken(process, INSPECTOR_PORT);
    return null;
  };
  let found: FoundInspector | null;
  try {
    const waitAndSignal = () => waitUntil(process, tools, signalInWait);
    if (!(await traced(tools.trace, 'wait for a moment to signal it', waitAndSignal))) throw neverWaits(words);
    // From the signal on only the end of the process ends the wait: what was opened has to be closed.
    const answered = () => waitUntil(process, { inspect, abort: NEVER }, isOpened, OPENING_WAIT_MS, OPENING_PART);
    found = await traced(tools.trace, 'wait for the inspector', answered, (url) => ({
      result: url === null ? 'it did not open' : 'it is open',
    }));
  } catch (error) {
    // It is gone, or no signal was sent.
    if (!inspect.isAlive(process)) forget(process);
    else if (hasLeftMark && !signalled.has(processKey(process))) removeMark(process);
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

function neverWaits({ name }: InspectorWords): AttachError {
  return new AttachError(
    `This ${name} was never seen waiting in its event loop (it is busy, or about to end), and is left alone.`,
    { retry: true, remedy: 'It is tried again later.' },
  );
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
  checkRoom(details);
}
