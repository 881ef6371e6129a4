/** The messages of failed commands, and their exit codes, which scripts can rely on. */

import {
  ActionFailedError,
  ConnectionError,
  ForeignListenerError,
  SubstrateError,
  VerificationError,
} from '../client/index.ts';
import { codeOf, messageOf } from '../model/failure.ts';
import { isAbsent, StoreError, UnknownKeyError } from '../store/store-error.ts';

const LISTED = 'substrate apps lists what is tracked.';
/** For a daemon that was stopped (SIGSTOP), or another program on its port. */
const SILENT = 'Somebody takes connections at the address of the daemon, but does not answer.';
const TAKES = 'substrate schema <app> <action> shows its parameters.';
const WHO_IT_IS = 'substrate doctor shows which program it is.';
export const ELSEWHERE = 'Have it ended, or let the daemon listen elsewhere: port in [server] of the configuration.';
const DATA_FOLDER =
  'substrate doctor checks its folders. Another place for its data: dir in [storage] of the configuration, or XDG_DATA_HOME.';

export const EXIT = {
  ok: 0,
  /** Everything without a code of its own. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** No daemon answers, or it refuses the key, or another user listens at its address. */
  unreachable: 3,
  /** No such app, action, capture or file. */
  notFound: 4,
  /** A gate refused; nothing was done. */
  refused: 5,
  /** The expected condition is not true; for an action, after it ran. */
  notTrue: 6,
  /** It took too long. */
  timeout: 7,
} as const;

/** The command line is wrong in a way that its parser does not detect. */
export class UsageError extends Error {}

/** A named object does not exist. */
export class NotFoundError extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = LISTED) {
    super(message);
    this.hint = hint;
  }
}

/** The result did not come in the given time. */
export class TimeoutError extends Error {}

/** An obstacle; nothing was done. */
export class RefusedError extends Error {}

export interface Failure {
  readonly code: number;
  readonly message: string;
  /** The next step for the user. */
  readonly hint: string | null;
}

export function failureOf(error: unknown): Failure {
  const message = messageOf(error);
  if (error instanceof UsageError) return { code: EXIT.usage, message, hint: 'Add --help for what is possible.' };
  if (error instanceof NotFoundError) return { code: EXIT.notFound, message, hint: error.hint };
  if (error instanceof Error && error.cause instanceof UnknownKeyError)
    return { code: EXIT.notFound, message, hint: null };
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { code: EXIT.timeout, message: SILENT, hint: WHO_IT_IS };
  if (error instanceof TimeoutError) return { code: EXIT.timeout, message, hint: null };
  if (error instanceof RefusedError) return { code: EXIT.refused, message, hint: null };
  if (error instanceof ConnectionError) return { code: EXIT.unreachable, message, hint: whoIs(error) };
  if (error instanceof VerificationError) {
    return { code: EXIT.notTrue, message: `It ran, but what was to be true is not: ${message}`, hint: null };
  }
  if (error instanceof ActionFailedError) return { code: EXIT.failed, message, hint: null };
  if (error instanceof SubstrateError) return { ...ofDaemon(error), message };
  if (isOfData(error)) return { code: EXIT.failed, message, hint: DATA_FOLDER };
  return { code: isAbsentFile(error) ? EXIT.notFound : EXIT.failed, message, hint: null };
}

/** A named file, for example the configuration, that does not exist. */
function isAbsentFile(error: unknown): boolean {
  return error instanceof Error && isAbsent(error.cause);
}

/**
 * If the program there is no daemon, the message offers no way out. If nothing listens there, the error has a cause,
 * and its message does.
 */
function whoIs(error: ConnectionError): string | null {
  if (error instanceof ForeignListenerError) return ELSEWHERE;
  return error.cause === undefined ? WHO_IT_IS : null;
}

/** Its folders and files are unusable. For a folder on a read-only disk, Node reports that it does not exist. */
function isOfData(error: unknown): boolean {
  const isFolder = error instanceof Error && 'syscall' in error && error.syscall === 'mkdir';
  const codes = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', ...(isFolder ? ['ENOENT', 'ENOTDIR', 'EEXIST'] : [])];
  return error instanceof StoreError || codes.includes(codeOf(error) ?? '');
}

/** The same for programs: `code` is the daemon's own if it refused, otherwise the meaning of the exit code. */
export function failureAsJson(error: unknown): object {
  const { code: exit_code, message, hint } = failureOf(error);
  const meaning = Object.entries(EXIT).find(([, code]) => code === exit_code)?.[0] ?? 'failed';
  const inWords = meaning.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { error: { code: error instanceof SubstrateError ? error.code : inWords, exit_code, message, hint } };
}

function ofDaemon({ code, status, message }: SubstrateError): { code: number; hint: string | null } {
  switch (code) {
    case 'missing_key':
    case 'invalid_key':
    case 'disabled_key':
    case 'expired_key':
      return { code: EXIT.unreachable, hint: 'Give a key of this daemon by --key or SUBSTRATE_KEY.' };
    case 'host_unreachable':
      return { code: EXIT.unreachable, hint: 'substrate apps --hosts lists the hosts that answer.' };
    case 'not_found':
    case 'pid_not_found':
      return { code: EXIT.notFound, hint: LISTED };
    case 'capture_not_found':
    case 'capture_pid_mismatch':
      return { code: EXIT.notFound, hint: 'Only the last captures are kept; take the id from a newer state.' };
    case 'unknown_action':
      return { code: EXIT.notFound, hint: 'substrate schema <app> lists its actions.' };
    case 'invalid_request':
      // Only the daemon knows the parameters of an action.
      return { code: EXIT.usage, hint: message.startsWith('parameters.') ? TAKES : null };
    case 'missing_verify_expression':
      return { code: EXIT.refused, hint: "Say what must be true afterwards: --verify '<expression>'." };
    case 'state_changed':
    case 'in_progress':
    case 'not_confirmed':
      return { code: EXIT.refused, hint: null };
    case 'forbidden_scope':
      return { code: EXIT.refused, hint: 'substrate keys list shows what each key may do.' };
    case 'confidence_too_low':
    case 'dangerous_action_unverified':
      return { code: EXIT.refused, hint: null };
    default:
      if (status === 504) return { code: EXIT.timeout, hint: null };
      return { code: status === 400 ? EXIT.usage : EXIT.failed, hint: null };
  }
}
