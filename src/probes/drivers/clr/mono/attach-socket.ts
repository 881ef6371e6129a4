/** Finds Mono's attach socket, and makes all checks before the signal. */
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { AttachError } from '../../../probe.ts';
import type { HeldFolder } from '../../../support/agent-files/held-folder.ts';
import { readSmallText } from '../../../support/plain-file.ts';
import { checkRoom } from '../../../support/room-check.ts';
import { findRuntime } from '../identity/clr-facts.ts';
import { isStopped, processGone } from '../refusals.ts';
import { type MonoFrame, readMonoBuild } from './mono-build.ts';
import { triggerOf } from './mono-triggers.ts';

export const TMP = '/tmp';
const SIGQUIT_BIT = 1n << 2n;
const MAX_PASSWD_BYTES = 4 * 1024 * 1024;
const PRIVATE = 0o700;

/** Mono's attach socket and its files. */
export interface AttachSocket {
  readonly details: ProcessDetails;
  readonly frame: Exclude<MonoFrame, null>;
  /** `mono-<user>`, in /tmp. */
  readonly folder: string;
  readonly socket: string;
  readonly trigger: string;
}

/** The name of a user by its id in a passwd file; null if there is none. */
export function userName(passwd: string, uid: number): string | null {
  for (const line of passwd.split('\n')) {
    const [name = '', , number = ''] = line.split(':');
    if (/^\d+$/.test(number) && Number(number) === uid && /^[^/]+$/.test(name)) return name;
  }
  return null;
}

/** The id that a user has inside a container. `map`: `/proc/PID/uid_map`, lines of `inside outside count`. */
export function uidInside(map: string | null, uid: number): number | null {
  if (map === null) return uid;
  for (const line of map.trim().split('\n')) {
    const [inside = 0, outside = 0, count = 0] = line.trim().split(/\s+/).map(Number);
    if (uid >= outside && uid < outside + count) return inside + uid - outside;
  }
  return null;
}

/**
 * Checks everything that can be known beforehand. Called right before the signal: it may be another program by now
 * (exec).
 */
export function checkAttachSocket(process: ProcessInfo, inspect: ProcessInspector, tmp: HeldFolder): AttachSocket {
  const details = inspect.details(process);
  const runtime = details && findRuntime(process, details);
  if (!details || runtime?.kind !== 'mono') throw inspect.isAlive(process) ? notListening() : processGone();
  const { frame } = readMonoBuild(inspect.resolvePath(process, runtime.library ?? process.exe ?? ''));
  if (frame === null) {
    throw new AttachError(
      'This build of Mono takes no attaches, or not in a way that is known: it is not signalled, as that could end the program.',
      { retry: false, remedy: 'Run it on Mono 4 to 6.' },
    );
  }
  if (details.stopped) throw isStopped();
  checkRoom(details);
  if (process.argv.includes('--attach=disable')) {
    throw new AttachError('The Mono program was started with --attach=disable, so nothing can be attached to it.', {
      retry: false,
      remedy: 'Start it without that option.',
    });
  }
  const isCaught = (details.caughtSignals & SIGQUIT_BIT) !== 0n && (details.ignoredSignals & SIGQUIT_BIT) === 0n;
  if (!isCaught || isStarting(details)) throw notListening();
  const attachSocket = { details, frame, ...placesOf(process, details, inspect) };
  checkPlaces(process, attachSocket, inspect, tmp);
  return attachSocket;
}

/**
 * The thread that opens the socket is the last that Mono starts: a signal before that is lost, and nothing opens the
 * socket any more. Versions without thread names are assumed to have started.
 */
function isStarting({ threads }: ProcessDetails): boolean {
  return threads.includes('SGen worker') && !threads.includes('Finalizer');
}

function placesOf(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector) {
  const passwd = readSmallText(inspect.resolvePath(process, '/etc/passwd'), MAX_PASSWD_BYTES) ?? '';
  const uid = uidInside(inspect.kernelFile(process, 'uid_map'), details.effectiveUid);
  const user = uid === null ? null : userName(passwd, uid);
  if (user === null || process.uid !== details.effectiveUid) {
    throw new AttachError(
      `The user of the Mono program (${details.effectiveUid}) has no name in its /etc/passwd, or is not the one that started it, and an attach would end the program.`,
      { retry: false, remedy: 'Give the user a name there.' },
    );
  }
  const folder = `mono-${user}`;
  const pid = details.namespacePid;
  return { folder, socket: `${TMP}/${folder}/.mono-${pid}`, trigger: triggerOf(pid) };
}

/** Mono would complain on the app's output. */
function checkPlaces(
  process: ProcessInfo,
  attachSocket: AttachSocket,
  inspect: ProcessInspector,
  tmp: HeldFolder,
): void {
  const { effectiveUid } = attachSocket.details;
  const folder = tmp.lookAt(attachSocket.folder);
  const isGood = folder?.isDirectory() && folder.uid === effectiveUid && (folder.mode & 0o777) === PRIVATE;
  const trigger = tmp.lookAt(attachSocket.trigger);
  if ((folder && !isGood) || (trigger && (!trigger.isFile() || trigger.uid !== effectiveUid))) {
    throw new AttachError(
      `A file or folder ${TMP}/${folder && !isGood ? attachSocket.folder : attachSocket.trigger} that is not the Mono program's own is in the way of the attach.`,
      { retry: true, remedy: 'Remove it.' },
    );
  }
  const isOpened = inspect.unixListeners(process).includes(attachSocket.socket);
  if (isOpened && !socketFile(tmp, attachSocket)) {
    throw new AttachError('The socket of Mono for attaches was deleted from /tmp, and it makes no other.', {
      retry: false,
      remedy: 'Restart the program.',
    });
  }
}

function socketFile(tmp: HeldFolder, { folder, socket, details }: AttachSocket): boolean {
  const name = `${folder}/${socket.split('/').at(-1)}`;
  const found = tmp.lookAt(name);
  return found?.isSocket() === true && found.uid === details.effectiveUid;
}

/** A file of that name may belong to a process that is gone: only the process itself proves that it listens. */
export function listens(process: ProcessInfo, attachSocket: AttachSocket, inspect: ProcessInspector): boolean {
  return inspect.unixListeners(process).includes(attachSocket.socket);
}

export function notListening(cause?: unknown): AttachError {
  return new AttachError(
    'Mono does not listen to SIGQUIT (it is still starting, or its signal handlers were replaced), so it cannot be attached to.',
    { retry: true, remedy: 'It is tried again later.', cause },
  );
}
