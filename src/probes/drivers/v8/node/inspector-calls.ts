/** Code evaluated through the inspector of a Node process besides the agent: queries, and the undoing of SIGUSR1. */
import * as z from 'zod';
import { AttachError } from '../../../probe.ts';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { NodeCommand } from './node-identity.ts';

export const CALL_TIMEOUT_MS = 3000;
/** The time until our connection has ended: more than `CdpConnection` allows for that. */
const LEAVE_MS = 700;
/** More than an attach takes, even on a busy machine. */
const ARMED_MS = 10_000;
const MAX_REASON = 300;
/** The limit of one message: such small queries have small answers. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

/** Promises settle only while the event loop runs; an expression without them is answered even if it does not. */
export async function evaluate(connection: CdpConnection, expression: string, awaitPromise = false): Promise<unknown> {
  const params = { expression, includeCommandLineAPI: true, awaitPromise, returnByValue: true, silent: true };
  const answer = evaluated.parse(await connection.send('Runtime.evaluate', params, CALL_TIMEOUT_MS));
  if (answer.exceptionDetails) {
    const { text, exception } = answer.exceptionDetails;
    const why = (exception?.description ?? text).split('\n')[0]?.slice(0, MAX_REASON);
    // It would fail again, each time with a signal and five lines on the app's stderr.
    throw new AttachError(`The process did not take the agent: ${why}.`, { retry: false });
  }
  return answer.result.value;
}

/**
 * Asks for the pid, and if it is this one, has the process close its inspector some seconds later unless that has happened
 * by then: we may be killed before the agent is in. One that was opened again since has another URL, and is not ours.
 */
export function askPidAndArm(connection: CdpConnection, expectedPid: number): Promise<unknown> {
  const arm = `((pid, inspector, timers) => {
    if (pid !== ${expectedPid}) return pid;
    const url = inspector.url();
    // In the app's own turn nothing may throw; one that is closed already is what is wanted.
    const close = () => { try { if (inspector.url() === url) inspector.close(); } catch {} };
    timers.setTimeout(() => timers.setImmediate(close), ${ARMED_MS}).unref();
    return pid;
  })(process.pid, ${builtin('inspector')}, ${builtin('timers')})`;
  return evaluate(connection, arm);
}

/**
 * Undoes SIGUSR1, after our connection has ended: of Node programs whose inspector is closed at the moment when a
 * connection to it ends, 3 in 100 die. It runs in a turn of its own, after the pending events of both: the signal's own
 * event would open the inspector again. Returns true if the process will do it; another process than this one does not.
 */
export function closeInspector(connection: CdpConnection, expectedPid: number): Promise<boolean> {
  // Looked up now, because the inspector provides `require` only during the call. Nothing may ever throw in the app's
  // own turn.
  const close = `((inspector, timers) => {
    if (process.pid !== ${expectedPid}) return false;
    // In the app's own turn nothing may throw; one that is closed already is what is wanted.
    const close = () => { try { inspector.close(); } catch {} };
    timers.setTimeout(() => timers.setImmediate(close), ${LEAVE_MS}).unref();
    return true;
  })(${builtin('inspector')}, ${builtin('timers')})`;
  return evaluate(connection, close).then(
    (willClose) => willClose === true,
    // The trace has the failed call. The mark stays, and the next daemon or attach closes it.
    () => false,
  );
}

const command = z.object({
  main: z.string().nullable(),
  argv: z.array(z.string()),
  execArgv: z.array(z.string()),
});

/** For `askCommand`: the file of the main module. */
export const MAIN_MODULE = "own(own(process, 'mainModule'), 'filename')";

/** The command according to Node itself; null if the program has replaced it. No code of the program runs. */
export async function askCommand(connection: CdpConnection, main: string): Promise<NodeCommand | null> {
  const ask = `((own) => ({
    main: ${main} ?? null,
    argv: own(process, 'argv').slice(0, 50),
    execArgv: own(process, 'execArgv'),
  }))((holder, name) => Object(holder) === holder ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined)`;
  // The trace has the failed call. Without an answer, the view from outside is used.
  const answer = await evaluate(connection, ask).catch(() => null);
  return command.safeParse(answer).data ?? null;
}

/** Not the globals: tests like to replace timers by clocks that stand still. */
export function builtin(name: string): string {
  return `(process.getBuiltinModule?.('${name}') ?? require('${name}'))`;
}
