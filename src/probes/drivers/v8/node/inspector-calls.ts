/** What is evaluated through the inspector of a Node process besides the agent: questions, and what undoes SIGUSR1. */
import * as z from 'zod';
import { AttachError } from '../../../probe.ts';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { NodeCommand } from './node-identity.ts';

export const CALL_TIMEOUT_MS = 3000;
/** In which our connection ends: more than it is given for that (`CdpConnection`). */
const LEAVE_MS = 700;
/** More than an attach takes, even on a machine that is busy with others. */
const ARMED_MS = 10_000;
const MAX_REASON = 300;
/** Of one message: whoever is asked so little has little to say. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

/** Promises settle only while the event loop turns; an expression that needs none is answered even when it does not. */
export async function evaluate(connection: CdpConnection, expression: string, awaitPromise = false): Promise<unknown> {
  const params = { expression, includeCommandLineAPI: true, awaitPromise, returnByValue: true, silent: true };
  const answer = evaluated.parse(await connection.send('Runtime.evaluate', params, CALL_TIMEOUT_MS));
  if (answer.exceptionDetails) {
    const { text, exception } = answer.exceptionDetails;
    const why = (exception?.description ?? text).split('\n')[0]?.slice(0, MAX_REASON);
    // It would be the same the next time, with a signal and five lines on the app's stderr each.
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
 * Undoes SIGUSR1, when our connection has ended: of Node programs whose inspector is closed in the moment in which a
 * connection to it ends, 3 in 100 die. And in a turn of its own, after what the loop has still to do about both: the
 * signal's own event would open the inspector again. Gives whether the process will do it; another one than this does not.
 */
export function closeInspector(connection: CdpConnection, expectedPid: number): Promise<boolean> {
  // Looked up now: the inspector lends `require` only during the call. And nothing may ever throw in the app's own turn.
  const close = `((inspector, timers) => {
    if (process.pid !== ${expectedPid}) return false;
    // In the app's own turn nothing may throw; one that is closed already is what is wanted.
    const close = () => { try { inspector.close(); } catch {} };
    timers.setTimeout(() => timers.setImmediate(close), ${LEAVE_MS}).unref();
    return true;
  })(${builtin('inspector')}, ${builtin('timers')})`;
  return evaluate(connection, close).then(
    (willClose) => willClose === true,
    // The trace has the call that failed. The mark stays, and whoever comes next closes it.
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

/** What it runs, as Node itself knows it; null: the program has put something else there. No code of the program runs. */
export async function askCommand(connection: CdpConnection, main: string): Promise<NodeCommand | null> {
  const ask = `((own) => ({
    main: ${main} ?? null,
    argv: own(process, 'argv').slice(0, 50),
    execArgv: own(process, 'execArgv'),
  }))((holder, name) => Object(holder) === holder ? Object.getOwnPropertyDescriptor(holder, name)?.value : undefined)`;
  // The trace has the call that failed. Without an answer, what was seen from outside stands.
  const answer = await evaluate(connection, ask).catch(() => null);
  return command.safeParse(answer).data ?? null;
}

/** Not what is global: tests like to replace timers by clocks that stand still. */
export function builtin(name: string): string {
  return `(process.getBuiltinModule?.('${name}') ?? require('${name}'))`;
}
