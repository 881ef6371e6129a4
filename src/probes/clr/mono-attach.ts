/**
 * Mono's attach. It opens the socket `/tmp/mono-<user>/.mono-<pid>` when it gets SIGQUIT while the file
 * `/tmp/.mono_attach_pid<pid>` is there, and runs the assembly that it is told of. What has to be kept in mind:
 *
 * - Without that file it writes a stack of each thread to the app's output; so it does when it has opened the socket once
 *   already. A process without a handler ends. So the signal is sent only after everything was looked at.
 * - A user without a name, or a message that is not as it expects, ends the program.
 * - The thread that waits for a connection cannot be stopped for a garbage collection: the whole program would wait for
 *   it. So whoever has sent the signal has to connect and to load the agent, which ends that thread, whatever happens.
 */
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../model/process.ts';
import { type HeldFolder, openSeenBy } from '../agent-files/held-folder.ts';
import { AttachError, type AttachTools } from '../probe.ts';
import { readSmallText } from '../program-names.ts';
import { findRuntime } from './clr-facts.ts';
import type { Injection } from './injection.ts';
import { type MonoFrame, readMonoBuild } from './mono-build.ts';
import { clearPending, isPending, StillPending, setPending } from './pending.ts';
import { givenUp, isStopped, processGone } from './refusals.ts';

const TMP = '/tmp';
const SIGQUIT_BIT = 1n << 2n;
const SOCKET_WAIT_MS = 6000;
/** How long Mono may take to load what it was told to load. */
const LOAD_MS = 60_000;
const POLL_MS = 2;
const LATE_POLL_MS = 20;
const MAX_PASSWD_BYTES = 4 * 1024 * 1024;
/** A longer one is read as another length, which ends the program. */
const MAX_TEXT_BYTES = 127;
const TEXT = 18;
const PRIVATE = 0o700;

/** Mono and its sockets for attaches. */
interface Door {
  readonly details: ProcessDetails;
  readonly frame: Exclude<MonoFrame, null>;
  /** `mono-<user>`, in /tmp. */
  readonly folder: string;
  readonly socket: string;
  readonly trigger: string;
}

/** What makes Mono run `assembly` with one argument. */
export function encodeAttach(frame: Exclude<MonoFrame, null>, assembly: string, argument: string): Buffer {
  const body = Buffer.concat(['attach', assembly, argument].map((text) => encodeText(frame, text)));
  const header = Buffer.from('MONO\x01\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(body.length, 6);
  return Buffer.concat([header, body]);
}

function encodeText(frame: Exclude<MonoFrame, null>, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) throw new RangeError('a text that Mono cannot be told');
  return Buffer.concat([Buffer.from([TEXT, bytes.length]), bytes, Buffer.alloc(frame === 'terminated' ? 1 : 0)]);
}

/** The name of a user by its number in a file of users; null: there is none. */
export function userName(passwd: string, uid: number): string | null {
  for (const line of passwd.split('\n')) {
    const [name = '', , number = ''] = line.split(':');
    if (/^\d+$/.test(number) && Number(number) === uid && /^[^/]+$/.test(name)) return name;
  }
  return null;
}

/** The number that a user has inside a container. `map`: `/proc/PID/uid_map`, lines of `inside outside count`. */
export function uidInside(map: string | null, uid: number): number | null {
  if (map === null) return uid;
  for (const line of map.trim().split('\n')) {
    const [inside = 0, outside = 0, count = 0] = line.trim().split(/\s+/).map(Number);
    if (uid >= outside && uid < outside + count) return inside + uid - outside;
  }
  return null;
}

/**
 * Has Mono run the assembly, whose file is there when `prepare` was called: after all that speaks against it. When this resolves Mono has been told so; `done` has to be
 * called when the agent is there, or when nobody waits for it any more. Mono takes one attach only: after that it is the
 * agent of that time which sees the folder and starts the next one. Throws `AttachError`; `StillPending` when the signal
 * is on its way: the load is made up for as soon as it can be.
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
    const door = lookAtDoor(process, tools, tmp);
    const message = encodeAttach(door.frame, assembly, argument);
    if (isPending(process)) throw new StillPending(notOpened());
    prepare();
    if (!listens(process, door, tools.inspect)) {
      sendSignal(process, door, tools, tmp);
      await awaitSocket(process, door, tools, tmp, message);
    }
    const socket = await say(tmp, door, message);
    if (socket) setPending(process, LOAD_MS);
    return {
      needsFiles: socket !== null,
      done: () => socket?.destroy(),
      failed: () => (socket ? notRun() : alreadyUsed()),
    };
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
      'The Mono program has no folder /tmp that substrate can look into, and Mono takes attaches only there. Give it one.',
      { retry: false, cause: error },
    );
  }
}

/** Everything that can be known beforehand. Looked at right before the signal: it may be another program by now (exec). */
function lookAtDoor(process: ProcessInfo, tools: AttachTools, tmp: HeldFolder): Door {
  const { inspect } = tools;
  if (tools.abort.aborted) throw givenUp();
  const details = inspect.details(process);
  const runtime = details && findRuntime(process, details);
  if (!details || runtime?.kind !== 'mono') throw inspect.isAlive(process) ? notListening() : processGone();
  const { frame } = readMonoBuild(inspect.resolvePath(process, runtime.library ?? process.exe ?? ''));
  if (frame === null) {
    throw new AttachError(
      'This build of Mono takes no attaches, or not in a way that is known: it is not signalled, as that could end the program. Run it on Mono 4 to 6.',
      { retry: false },
    );
  }
  if (details.stopped) throw isStopped();
  if (process.argv.includes('--attach=disable')) {
    throw new AttachError(
      'The Mono program was started with --attach=disable, so nothing can be attached to it. Start it without that option.',
      { retry: false },
    );
  }
  const isCaught = (details.caughtSignals & SIGQUIT_BIT) !== 0n && (details.ignoredSignals & SIGQUIT_BIT) === 0n;
  if (!isCaught) throw notListening();
  const door = { details, frame, ...placesOf(process, details, inspect) };
  checkPlaces(process, door, tools, tmp);
  return door;
}

function placesOf(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector) {
  const passwd = readSmallText(inspect.resolvePath(process, '/etc/passwd'), MAX_PASSWD_BYTES) ?? '';
  const uid = uidInside(inspect.kernelFile(process, 'uid_map'), details.effectiveUid);
  const user = uid === null ? null : userName(passwd, uid);
  if (user === null || process.uid !== details.effectiveUid) {
    throw new AttachError(
      `The user of the Mono program (${details.effectiveUid}) has no name in its /etc/passwd, or is not the one that started it, and an attach would end the program. Give the user a name there.`,
      { retry: false },
    );
  }
  const folder = `mono-${user}`;
  const pid = details.namespacePid;
  return { folder, socket: `${TMP}/${folder}/.mono-${pid}`, trigger: `.mono_attach_pid${pid}` };
}

/** Mono would complain on the app's output. */
function checkPlaces(process: ProcessInfo, door: Door, { inspect }: AttachTools, tmp: HeldFolder): void {
  const { effectiveUid } = door.details;
  const folder = tmp.lookAt(door.folder);
  const isGood = folder?.isDirectory() && folder.uid === effectiveUid && (folder.mode & 0o777) === PRIVATE;
  const trigger = tmp.lookAt(door.trigger);
  if ((folder && !isGood) || (trigger && (!trigger.isFile() || trigger.uid !== effectiveUid))) {
    throw new AttachError(
      `A file or folder ${TMP}/${folder && !isGood ? door.folder : door.trigger} that is not the Mono program's own is in the way of the attach. Remove it.`,
      { retry: true },
    );
  }
  const isOpened = inspect.unixListeners(process).includes(door.socket);
  if (isOpened && !socketFile(tmp, door)) {
    throw new AttachError(
      'The socket of Mono for attaches was deleted from /tmp, and it makes no other. Restart the program.',
      { retry: false },
    );
  }
}

function socketFile(tmp: HeldFolder, { folder, socket, details }: Door): boolean {
  const name = `${folder}/${socket.split('/').at(-1)}`;
  const found = tmp.lookAt(name);
  return found?.isSocket() === true && found.uid === details.effectiveUid;
}

/** A file of that name may be of a process that is gone: only the process itself proves that it listens. */
function listens(process: ProcessInfo, door: Door, inspect: ProcessInspector): boolean {
  return inspect.unixListeners(process).includes(door.socket);
}

function sendSignal(process: ProcessInfo, door: Door, tools: AttachTools, tmp: HeldFolder): void {
  const { effectiveUid: uid, effectiveGid: gid } = door.details;
  try {
    if (tmp.lookAt(door.trigger) === null) tmp.create(door.trigger, Buffer.alloc(0), { uid, gid });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new AttachError(
      `No file can be made in the /tmp of the Mono program (${code}), which an attach needs. Make it writable.`,
      { retry: true, cause: error },
    );
  }
  try {
    setPending(process);
    tools.signal(process, 'SIGQUIT');
  } catch (error) {
    clearPending(process);
    removeTrigger(tmp, door);
    if (!tools.inspect.isAlive(process)) throw processGone();
    throw notListening(error);
  }
}

/** Even if nobody wants it any more: see above. */
async function awaitSocket(
  process: ProcessInfo,
  door: Door,
  tools: AttachTools,
  tmp: HeldFolder,
  message: Buffer,
): Promise<void> {
  const deadline = performance.now() + SOCKET_WAIT_MS;
  while (!listens(process, door, tools.inspect)) {
    const isOver = performance.now() >= deadline;
    if (tools.inspect.isAlive(process) && !isOver) {
      await delay(POLL_MS);
      continue;
    }
    if (tools.inspect.isAlive(process)) {
      void makeUpLater(process, door, tools, message);
      throw new StillPending(notOpened());
    }
    forget(process, door, tmp);
    throw processGone();
  }
  forget(process, door, tmp);
}

function forget(process: ProcessInfo, door: Door, tmp: HeldFolder): void {
  clearPending(process);
  removeTrigger(tmp, door);
}

/** The signal is still on its way. When the socket opens, the agent has to be loaded: a later attach finds it. */
async function makeUpLater(process: ProcessInfo, door: Door, tools: AttachTools, message: Buffer): Promise<void> {
  for (;;) {
    await delay(LATE_POLL_MS, undefined, { ref: false });
    // Opened anew each time: the folder of a container is not held by us for so long.
    let tmp: HeldFolder;
    try {
      tmp = openSeenBy(process, TMP, tools.inspect);
    } catch {
      break;
    }
    try {
      if (tools.inspect.isAlive(process) && !listens(process, door, tools.inspect)) continue;
      removeTrigger(tmp, door);
      if (tools.inspect.isAlive(process)) (await say(tmp, door, message))?.unref();
      break;
    } catch {
      break;
    } finally {
      tmp.close();
    }
  }
  clearPending(process);
}

function removeTrigger(tmp: HeldFolder, { trigger, details }: Door): void {
  try {
    if (tmp.lookAt(trigger)?.uid === details.effectiveUid) tmp.remove(trigger);
  } catch {
    // The file system of a process that is gone.
  }
}

/** The connection stays: at its end Mono would write about it to the app's output. Null: it takes none any more. */
function say(tmp: HeldFolder, door: Door, message: Buffer): Promise<net.Socket | null> {
  const folder = tmp.openFolder(door.folder);
  return new Promise((resolve) => {
    const socket = net.connect(folder.at(door.socket.split('/').at(-1) ?? ''));
    folder.close();
    socket.on('error', () => {
      socket.destroy();
      resolve(null);
    });
    // One write: Mono does not wait for the rest of a message.
    socket.once('connect', () => socket.write(message, () => resolve(socket)));
  });
}

function notListening(cause?: unknown): AttachError {
  return new AttachError(
    'Mono does not listen to SIGQUIT (it is still starting, or its signal handlers were replaced), so it cannot be attached to. It is tried again later.',
    { retry: true, cause },
  );
}

function notOpened(): AttachError {
  return new AttachError(
    `Mono did not open its attach socket within ${SOCKET_WAIT_MS / 1000} s: it is too busy, or stopped. It is not signalled again until it has.`,
    { retry: true },
  );
}

function notRun(): AttachError {
  return new AttachError('Mono took the agent but did not run it. It is tried again later.', { retry: true });
}

/** Mono opens it once, and an agent closes it. */
function alreadyUsed(): AttachError {
  return new AttachError(
    'Something else was attached to the Mono program before, and Mono takes no second one. Restart the program.',
    { retry: false },
  );
}
