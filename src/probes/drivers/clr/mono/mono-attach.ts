/**
 * Mono's attach. It opens the socket `/tmp/mono-<user>/.mono-<pid>` when it gets SIGQUIT while the file
 * `/tmp/.mono_attach_pid<pid>` is there, and runs the assembly that the request names. The traps:
 *
 * - Without that file it writes a stack of each thread to the app's output; so it does when it has opened the socket once
 *   already. A process without a handler ends. So the signal is sent only after all checks.
 * - A user without a name, or a malformed request, ends the program.
 * - The thread that waits for a connection cannot be stopped for a garbage collection: the whole program would wait for
 *   it. So the sender of the signal must connect and load the agent, whatever happens: the agent puts that thread to
 *   sleep where it can be stopped, and answers at the socket in its place.
 * - A program that ends aborts that thread and waits for it, but it goes back to its socket if the agent was not there yet,
 *   and the program would never end. So a second request runs the agent once more, which shuts the socket: then it ends.
 */

import type net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../../../model/failure.ts';
import type { ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { traced } from '../../../../model/trace.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import { type HeldFolder, openSeenBy } from '../../../support/agent-files/held-folder.ts';
import { pollFolder } from '../../../support/agent-files/later.ts';
import { awaitOthersSignal } from '../../../support/agent-files/others-signal.ts';
import { isSameProgram } from '../../../support/is-same-program.ts';
import { connectAs } from '../../../support/owner.ts';
import type { Injection } from '../coreclr/injection.ts';
import { clearPending, isPending, StillPending, setPending } from '../pending.ts';
import { givenUp, processGone } from '../refusals.ts';
import { type AttachSocket, checkAttachSocket, listens, notListening, TMP } from './attach-socket.ts';
import type { MonoFrame } from './mono-build.ts';
import { MonoMoment } from './mono-moment.ts';

const SOCKET_WAIT_MS = 6000;
/** How long Mono may take to load the agent. */
const LOAD_MS = 60_000;
/**
 * Replaces the argument: the socket has to be shut, unless an agent answers there. agent/boot/Boot.cs has the same
 * constant.
 */
const CLOSE = '-';
/** A running agent has connected this long after the end of the connection. */
const COME_MS = 150;
const POLL_MS = 2;
const LATE_POLL_MS = 20;
/** A longer text is read as another length, which ends the program. */
const MAX_TEXT_BYTES = 127;
const TEXT = 18;

/** Encodes the request that makes Mono run `assembly` with one argument. */
export function encodeAttach(frame: Exclude<MonoFrame, null>, assembly: string, argument: string): Buffer {
  const body = Buffer.concat(['attach', assembly, argument].map((text) => encodeText(frame, text)));
  const header = Buffer.from('MONO\x01\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(body.length, 6);
  return Buffer.concat([header, body]);
}

function encodeText(frame: Exclude<MonoFrame, null>, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) throw new RangeError('the text cannot be sent to Mono');
  return Buffer.concat([Buffer.from([TEXT, bytes.length]), bytes, Buffer.alloc(frame === 'terminated' ? 1 : 0)]);
}

/**
 * Makes Mono run the assembly, whose file `prepare` puts there: it is called after all checks. When this resolves Mono
 * has the request; call `done` when the agent is there, or when nobody waits for it any more. Mono itself accepts one
 * attach only: the agent of the first answers later ones. Throws `AttachError`; `StillPending` when the signal is
 * pending: the load follows as soon as it can.
 */
export async function runInMono(
  process: ProcessInfo,
  assembly: string,
  argument: string,
  prepare: () => void,
  tools: AttachTools,
): Promise<Injection> {
  const tmp = openTmp(process, tools.inspect);
  try {
    if (tools.abort.aborted) throw givenUp();
    const attachSocket = checkAttachSocket(process, tools.inspect, tmp);
    const message = encodeAttach(attachSocket.frame, assembly, argument);
    if (isPending(process)) throw new StillPending(notOpened());
    await awaitOthersSignal(
      () => tmp.lookAt(attachSocket.trigger),
      () => listens(process, attachSocket, tools.inspect),
    );
    prepare();
    if (!listens(process, attachSocket, tools.inspect)) {
      await traced(tools.trace, 'wait for a moment to signal it', () => awaitMoment(process, tools, tmp));
      if (tools.abort.aborted) throw givenUp();
      sendSignal(process, attachSocket, tools, tmp);
      const awaitOpen = () => awaitSocket(process, attachSocket, tools, tmp, message);
      await traced(tools.trace, 'wait for the attach socket', awaitOpen);
    }
    // It may be that of a daemon that was killed before it could connect.
    removeTrigger(tmp, attachSocket);
    const send = () => sendRequest(tmp, attachSocket, message);
    const socket = await traced(tools.trace, 'Mono attach', send, (taken) => ({
      sent: message.length,
      result: taken ? 'it took the message' : 'it takes no connection any more',
    }));
    if (socket) setPending(process, LOAD_MS);
    const close = encodeAttach(attachSocket.frame, assembly, CLOSE);
    return {
      needsFiles: socket !== null,
      done: socket ? closeUnlessDone(socket, () => void sendCloseLater(process, attachSocket, tools, close)) : () => {},
      failed: () => (socket ? notRun() : alreadyUsed()),
    };
  } finally {
    tmp.close();
  }
}

/** The program may have ended meanwhile, or be another one. */
async function awaitMoment(process: ProcessInfo, tools: AttachTools, tmp: HeldFolder): Promise<void> {
  const moment = MonoMoment.of(process, tools.inspect);
  do {
    await moment.wait(tools.abort);
    if (tools.abort.aborted) throw givenUp();
    checkAttachSocket(process, tools.inspect, tmp);
  } while (!moment.isHere);
}

/** Checks everything that can be known beforehand. Throws `AttachError`. */
export function checkMono(process: ProcessInfo, inspect: ProcessInspector): void {
  const tmp = openTmp(process, inspect);
  try {
    checkAttachSocket(process, inspect, tmp);
  } finally {
    tmp.close();
  }
}

function openTmp(process: ProcessInfo, inspect: ProcessInspector): HeldFolder {
  try {
    return openSeenBy(process, TMP, inspect);
  } catch (error) {
    if (!inspect.isAlive(process)) throw processGone();
    throw new AttachError(
      'The Mono program has no folder /tmp that substrate can open, and Mono accepts attaches only there.',
      { retry: false, remedy: 'Give it one.', cause: error },
    );
  }
}

function sendSignal(process: ProcessInfo, attachSocket: AttachSocket, tools: AttachTools, tmp: HeldFolder): void {
  const { effectiveUid: uid, effectiveGid: gid } = attachSocket.details;
  try {
    if (tmp.lookAt(attachSocket.trigger) === null) tmp.create(attachSocket.trigger, Buffer.alloc(0), { uid, gid });
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    throw new AttachError(`No file can be made in the /tmp of the Mono program (${code}), which an attach needs.`, {
      retry: true,
      remedy: 'Make it writable.',
      cause: error,
    });
  }
  try {
    setPending(process);
    tools.signal(process, 'SIGQUIT');
    tools.trace.note('SIGQUIT sent', { pid: process.pid });
  } catch (error) {
    clearPending(process);
    removeTrigger(tmp, attachSocket);
    if (!tools.inspect.isAlive(process)) throw processGone();
    throw notListening(error);
  }
}

/** Waits even if nobody wants the agent any more: see above. */
async function awaitSocket(
  process: ProcessInfo,
  attachSocket: AttachSocket,
  tools: AttachTools,
  tmp: HeldFolder,
  message: Buffer,
): Promise<void> {
  const deadline = performance.now() + SOCKET_WAIT_MS;
  while (!listens(process, attachSocket, tools.inspect)) {
    const isOver = performance.now() >= deadline;
    if (isSameProgram(process, tools.inspect) && !isOver) {
      await delay(POLL_MS);
      continue;
    }
    if (isSameProgram(process, tools.inspect)) {
      void loadWhenOpen(process, attachSocket, tools, message);
      throw new StillPending(notOpened());
    }
    clearPending(process);
    removeTrigger(tmp, attachSocket);
    throw processGone();
  }
  clearPending(process);
}

/** The signal is still pending. When the socket opens, the agent has to be loaded: a later attach finds it. */
async function loadWhenOpen(
  process: ProcessInfo,
  attachSocket: AttachSocket,
  tools: AttachTools,
  message: Buffer,
): Promise<void> {
  await pollFolder(process, TMP, tools.inspect, LATE_POLL_MS, async (tmp) => {
    if (isSameProgram(process, tools.inspect) && !listens(process, attachSocket, tools.inspect)) return false;
    removeTrigger(tmp, attachSocket);
    if (isSameProgram(process, tools.inspect)) (await sendRequest(tmp, attachSocket, message))?.unref();
    return true;
  });
  clearPending(process);
}

function removeTrigger(tmp: HeldFolder, { trigger, details }: AttachSocket): void {
  try {
    if (tmp.lookAt(trigger)?.uid === details.effectiveUid) tmp.remove(trigger);
  } catch {
    // The file system of the process is gone with it.
  }
}

/**
 * Mono ends the connection if it has not run the agent; the agent ends it as soon as it runs, and then connects in a
 * moment. Returns a function to call when it has connected, or nobody waits for it any more.
 */
function closeUnlessDone(socket: net.Socket, close: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const plan = () => {
    timer = setTimeout(close, COME_MS).unref();
  };
  socket.once('close', plan);
  return () => {
    socket.off('close', plan);
    clearTimeout(timer);
    socket.destroy();
  };
}

/** The program may be ending, and gone by then. */
async function sendCloseLater(
  process: ProcessInfo,
  attachSocket: AttachSocket,
  { inspect, trace }: AttachTools,
  message: Buffer,
): Promise<void> {
  try {
    const tmp = openSeenBy(process, TMP, inspect);
    try {
      if (listens(process, attachSocket, inspect)) (await sendRequest(tmp, attachSocket, message))?.unref();
    } finally {
      tmp.close();
    }
  } catch (error) {
    // Nothing listens there any more.
    trace.ignored('have Mono close its attach socket', error);
  }
}

/** Null if Mono accepts no connection any more. */
function sendRequest(tmp: HeldFolder, attachSocket: AttachSocket, message: Buffer): Promise<net.Socket | null> {
  const folder = tmp.openFolder(attachSocket.folder);
  return new Promise((resolve) => {
    const { effectiveUid: uid, effectiveGid: gid } = attachSocket.details;
    const socket = connectAs({ uid, gid }, { path: folder.at(attachSocket.socket.split('/').at(-1) ?? '') });
    folder.close();
    socket.on('error', () => {
      socket.destroy();
      resolve(null);
    });
    // One write: Mono does not wait for the rest of a message. Mono writes to the app's output when the connection
    // ends, unless the agent has taken it over.
    socket.once('connect', () => socket.end(message, () => resolve(socket)).resume());
  });
}

function notOpened(): AttachError {
  return new AttachError(
    `Mono did not open its attach socket within ${SOCKET_WAIT_MS / 1000} s: it is too busy, or stopped.`,
    { retry: true, remedy: 'It is not signalled again until it has.' },
  );
}

function notRun(): AttachError {
  return new AttachError('Mono took the agent but did not run it.', {
    retry: true,
    remedy: 'It is tried again later.',
  });
}

/** Mono opens it once, and an agent closes it. */
function alreadyUsed(): AttachError {
  return new AttachError('Something else was attached to the Mono program before, and Mono takes no second one.', {
    retry: false,
    remedy: 'Restart the program.',
  });
}
