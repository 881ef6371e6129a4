/**
 * HotSpot's attach protocol. The virtual machine opens the socket `/tmp/.java_pid<pid>` when it gets SIGQUIT while the
 * file `.attach_pid<pid>` is there; without that file, or with attaching switched off, it writes a thread dump to the
 * app's output instead, and a process without a handler dies. So the signal is sent only after everything that can be
 * known from outside has been checked, and the file stays as long as the signal may be pending.
 */

import type { Stats } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../../model/failure.ts';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { type Trace, traced } from '../../../model/trace.ts';
import { AttachError, type AttachTools } from '../../probe.ts';
import { Deadline } from '../../support/agent-files/deadline.ts';
import { type HeldFolder, hasListener, openSeenBy } from '../../support/agent-files/held-folder.ts';
import { pollFolder } from '../../support/agent-files/later.ts';
import { awaitOthersSignal } from '../../support/agent-files/others-signal.ts';
import { isSameProgram } from '../../support/is-same-program.ts';
import { connectAs, isRoot, type Owner } from '../../support/owner.ts';
import { checkRoom } from '../../support/room-check.ts';
import { type AttachAnswer, exchange, parseAnswer, requestV1, requestV2, V1_ARGUMENTS } from './attach-protocol.ts';
import { TMP } from './jvm-folder.ts';
import { attachOptions, readVmFacts, type VmFacts } from './vm-facts.ts';

const SIGQUIT_BIT = 1n << 2n;
const SOCKET_WAIT_MS = 6000;
const POLL_MS = 2;
const LATE_POLL_MS = 1000;
const MAX_V1_ARGUMENT_BYTES = 1024;
const WRONG_VERSION = 101;
/** From this version on HotSpot makes a deleted socket file again at the signal; before, it writes a thread dump. */
const RENEWS_SOCKET = 14;

export function processGone(): AttachError {
  return new AttachError('The Java program ended while the probe was being attached.', { retry: false });
}

/** HotSpot accepts attaches only through `/tmp`, whatever the program's folder for temporary files is. */
export function openTmpOf(process: ProcessInfo, inspect: ProcessInspector): HeldFolder {
  try {
    return openSeenBy(process, TMP, inspect);
  } catch (error) {
    if (!inspect.isAlive(process)) throw processGone();
    throw new AttachError(
      'The Java program has no folder /tmp that substrate can open, and a JVM accepts attaches only there.',
      { retry: false, remedy: 'Give it one.', cause: error },
    );
  }
}

/** The connection to one virtual machine's attach listener. Call `close` when done. */
export class HotSpot {
  private readonly tmp: HeldFolder;
  private readonly owner: Owner;
  private readonly socketName: string;
  private readonly abort: AbortSignal;
  private readonly trace: Trace;
  private commands = 0;

  /** Makes the virtual machine listen, if it does not yet. Throws `AttachError`. */
  static async open(process: ProcessInfo, facts: VmFacts, tools: AttachTools): Promise<HotSpot> {
    const tmp = openTmpOf(process, tools.inspect);
    try {
      await makeListen(process, facts, tools, tmp);
      return new HotSpot(tmp, facts.details, tools);
    } catch (error) {
      tmp.close();
      throw error;
    }
  }

  private constructor(tmp: HeldFolder, details: ProcessDetails, { abort, trace }: AttachTools) {
    const { namespacePid, effectiveUid, effectiveGid } = details;
    this.tmp = tmp;
    this.abort = abort;
    this.trace = trace;
    this.owner = { uid: effectiveUid, gid: effectiveGid };
    this.socketName = socketName(namespacePid);
  }

  async command(name: string, ...args: readonly string[]): Promise<AttachAnswer> {
    const isShort = args.every((argument) => Buffer.byteLength(argument) <= MAX_V1_ARGUMENT_BYTES);
    if (isShort && args.length <= V1_ARGUMENTS) {
      const answer = await this.ask(name, requestV1(name, args));
      if (answer.status !== WRONG_VERSION) return answer;
    }
    return this.ask(name, requestV2(name, args));
  }

  close(): void {
    this.tmp.close();
  }

  private async ask(name: string, request: Buffer): Promise<AttachAnswer> {
    const path = this.tmp.at(this.socketName);
    const connect = () => connectAs(this.owner, { path, allowHalfOpen: true });
    const step = this.trace.call(`HotSpot ${name}`, { id: ++this.commands, sent: request.length });
    try {
      const bytes = await exchange(connect, request, this.abort);
      const answer = parseAnswer(bytes);
      step.end({ received: bytes.length, result: `status ${answer.status}` });
      return answer;
    } catch (error) {
      step.fail(error);
      throw error;
    }
  }
}

const socketName = (pid: number) => `.java_pid${pid}`;
const triggerName = (pid: number) => `.attach_pid${pid}`;

/** Processes whose SIGQUIT has not shown an effect yet: they are not signalled again, and the trigger file stays. */
const pending = new Set<string>();
const keyOf = ({ pid, startTime }: ProcessInfo) => `${pid}:${startTime}`;

async function makeListen(process: ProcessInfo, facts: VmFacts, tools: AttachTools, tmp: HeldFolder): Promise<void> {
  const isListening = () => listens(process, facts.details, tools.inspect, tmp);
  if (!pending.has(keyOf(process)))
    await traced(tools.trace, 'wait for the signal of another daemon', () =>
      awaitOthersSignal(
        () => triggerOf(tmp, facts.details),
        () => isListening() || tools.abort.aborted,
      ),
    );
  if (isListening()) {
    // An earlier attach left its trigger file.
    removeTrigger(tmp, facts.details);
    tools.trace.note('the attach socket is open already');
    return;
  }
  if (!pending.has(keyOf(process))) {
    await removeStaleSocket(tmp, facts.details);
    signalVm(process, tools, tmp);
  }
  try {
    // Only the end of the process ends the wait from here on: the trigger has to be removed.
    const deadline = new Deadline(SOCKET_WAIT_MS, tools.abort);
    while (!isListening()) {
      if (!isSameProgram(process, tools.inspect)) throw processGone();
      if (deadline.isOver) {
        if (tools.abort.aborted) throw givenUp();
        throw new AttachError(
          `The JVM did not open its attach socket within ${SOCKET_WAIT_MS / 1000} s: it is too busy, or stopped.`,
          { retry: true, remedy: 'It is not signalled again until it has.' },
        );
      }
      await delay(POLL_MS);
    }
  } finally {
    const forget = () => {
      pending.delete(keyOf(process));
      removeTrigger(tmp, facts.details);
    };
    if (isListening() || !isSameProgram(process, tools.inspect)) forget();
    else void removeTriggerLater(process, facts.details, tools);
  }
}

/**
 * A JVM with the same pid that was killed may have left its socket. If that belongs to another user, the JVM that runs
 * now cannot replace it.
 */
async function removeStaleSocket(tmp: HeldFolder, { namespacePid, effectiveUid }: ProcessDetails): Promise<void> {
  const name = socketName(namespacePid);
  const found = tmp.lookAt(name);
  if (!found || found.uid === effectiveUid) return;
  const isDead = found.isSocket() && !(await hasListener(tmp.at(name), found));
  if (!isDead || !isRoot()) throw placeTaken(name);
  if (tmp.lookAt(name)?.ino === found.ino) tmp.remove(name);
}

function placeTaken(name: string): AttachError {
  return new AttachError(`A file ${name} of another user is in the place of the socket of the JVM in /tmp.`, {
    retry: true,
    remedy: 'Remove it.',
  });
}

/** Checks everything that can be known before the signal. Throws `AttachError`. */
export function checkHotSpot(process: ProcessInfo, inspect: ProcessInspector, tmp: HeldFolder): 'open' | 'closed' {
  const details = inspect.details(process);
  if (!details) throw processGone();
  if (listens(process, details, inspect, tmp)) return 'open';
  const name = socketName(details.namespacePid);
  const found = tmp.lookAt(name);
  // Root can find out that nobody listens there, and remove the file.
  if (found && found.uid !== details.effectiveUid && (!found.isSocket() || !isRoot())) throw placeTaken(name);
  const facts = checkBeforeSignal(process, inspect, tmp);
  checkTrigger(tmp.lookAt(triggerName(details.namespacePid))?.uid, facts);
  return 'closed';
}

/** Keeps the trigger while the signal may be pending: without it the JVM would write a thread dump. */
async function removeTriggerLater(process: ProcessInfo, details: ProcessDetails, tools: AttachTools): Promise<void> {
  await pollFolder(process, TMP, tools.inspect, LATE_POLL_MS, (tmp) => {
    if (isSameProgram(process, tools.inspect) && !listens(process, details, tools.inspect, tmp)) return false;
    removeTrigger(tmp, details);
    return true;
  });
  pending.delete(keyOf(process));
}

/**
 * A file of that name may belong to a process that is gone, or be planted: only the process itself proves that it
 * listens.
 */
function listens(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector, tmp: HeldFolder): boolean {
  const file = tmp.lookAt(socketName(details.namespacePid));
  if (file === null || !file.isSocket() || file.uid !== details.effectiveUid) return false;
  return hasSocket(process, details, inspect);
}

/** HotSpot binds the socket under another name and renames the file; the kernel remembers the first name. */
function hasSocket(process: ProcessInfo, { namespacePid }: ProcessDetails, inspect: ProcessInspector): boolean {
  const path = `/tmp/${socketName(namespacePid)}`;
  return inspect.unixListeners(process).some((bound) => bound === path || bound === `${path}.tmp`);
}

function signalVm(process: ProcessInfo, tools: AttachTools, tmp: HeldFolder): void {
  if (tools.abort.aborted) throw givenUp();
  const facts = checkBeforeSignal(process, tools.inspect, tmp);
  const { namespacePid, effectiveUid, effectiveGid } = facts.details;
  const trigger = triggerName(namespacePid);
  checkTrigger(tmp.lookAt(trigger)?.uid, facts);
  if (tmp.lookAt(trigger) === null) {
    try {
      tmp.create(trigger, Buffer.alloc(0), { uid: effectiveUid, gid: effectiveGid });
    } catch (error) {
      throw new AttachError(
        `No file can be made in the /tmp of the Java program (${reasonOf(error)}), which an attach needs.`,
        { retry: true, remedy: 'Make it writable.', cause: error },
      );
    }
  }
  try {
    pending.add(keyOf(process));
    tools.signal(process, 'SIGQUIT');
    tools.trace.note('SIGQUIT sent', { pid: process.pid });
  } catch (error) {
    pending.delete(keyOf(process));
    removeTrigger(tmp, facts.details);
    if (!tools.inspect.isAlive(process)) throw processGone();
    throw notListening(error);
  }
}

/** Repeats the checks right before the signal: the first ones may be long ago, and of another program (exec). */
function checkBeforeSignal(process: ProcessInfo, inspect: ProcessInspector, tmp: HeldFolder): VmFacts {
  const facts = readVmFacts(process, inspect);
  if (!facts || facts.isOpenJ9) throw inspect.isAlive(process) ? notListening() : processGone();
  const { details } = facts;
  const options = attachOptions(facts);
  if (options === 'off') {
    throw new AttachError('The JVM was started with -XX:+DisableAttachMechanism, so nothing can be attached to it.', {
      retry: false,
      remedy: 'Start it without that option.',
    });
  }
  if (options === 'unknown') {
    throw new AttachError(
      'It is not known whether this JVM accepts attaches: its performance data is missing, and its options cannot be read or do not say why. It is not signalled, as that could write a thread dump.',
      { retry: true, remedy: 'Start it without -XX:-UsePerfData, or with -XX:+StartAttachListener.' },
    );
  }
  if (details.stopped) {
    throw new AttachError('The Java program is stopped (SIGSTOP or a debugger).', {
      retry: true,
      remedy: 'It is tried again when it runs.',
    });
  }
  checkRoom(details);
  const isCaught = (details.caughtSignals & SIGQUIT_BIT) !== 0n && (details.ignoredSignals & SIGQUIT_BIT) === 0n;
  // Without performance data only HotSpot's own thread shows that the handler is its own.
  const isHotSpots = facts.perf !== null || details.threads.includes('Signal Dispatch');
  if (!isCaught || !isHotSpots || options === 'no signals') throw notListening();
  const isDeleted = hasSocket(process, details, inspect) && tmp.lookAt(socketName(details.namespacePid)) === null;
  if (isDeleted && (facts.version ?? 0) < RENEWS_SOCKET) {
    throw new AttachError(
      'The socket of the JVM for attaches was deleted from /tmp, and this version of Java does not make it again.',
      { retry: false, remedy: 'Restart the program.' },
    );
  }
  return facts;
}

export function givenUp(): AttachError {
  return new AttachError('The attach to the Java program was given up, because substrate stops.', { retry: true });
}

function notListening(cause?: unknown): AttachError {
  return new AttachError(
    'The JVM does not listen to SIGQUIT (it is still starting, or its signal handlers were replaced), so it cannot be attached to.',
    { retry: true, remedy: 'It is tried again later.', cause },
  );
}

/**
 * HotSpot looks for the trigger in its working folder first, then in /tmp, and accepts only a file of its own user:
 * otherwise it writes a thread dump.
 */
function checkTrigger(inTmp: number | undefined, { details, triggerInCwd }: VmFacts): void {
  const owners = [inTmp, triggerInCwd].filter((uid) => uid !== undefined && uid !== null);
  if (owners.some((uid) => uid !== details.effectiveUid)) {
    throw new AttachError(
      `A file ${triggerName(details.namespacePid)} of another user is in the way, in /tmp or the working folder of the Java program.`,
      { retry: true, remedy: 'Remove it.' },
    );
  }
}

/** Null if there is none, or it belongs to another user. */
function triggerOf(tmp: HeldFolder, { namespacePid, effectiveUid }: ProcessDetails): Stats | null {
  const found = tmp.lookAt(triggerName(namespacePid));
  return found?.uid === effectiveUid ? found : null;
}

function removeTrigger(tmp: HeldFolder, details: ProcessDetails): void {
  try {
    if (triggerOf(tmp, details)) tmp.remove(triggerName(details.namespacePid));
  } catch {
    // The file system of the process is gone with it.
  }
}

export function reasonOf(error: unknown): string {
  return codeOf(error) ?? String(error);
}
