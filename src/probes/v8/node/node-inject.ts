/**
 * Puts the agent into a running Node process: evaluates it through the inspector, connects to the socket that it opens,
 * and leaves. The agent closes the inspector; the port was open for 0.1 to 0.2 s, once.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import type { ProcessInfo } from '../../../model/process.ts';
import { FramedChannel } from '../../framed/framed-channel.ts';
import { AttachError, type AttachTools } from '../../probe.ts';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { CdpTimeout } from '../cdp/cdp-session.ts';
import agentSource from './agent/main.ts?agent';
import type { AgentOptions, AgentRequest } from './agent/protocol.ts';
import { checkNetwork, type InspectorWords, NODE_WORDS, processGone, withInspector } from './node-inspector.ts';
import { removeMark } from './signal-mark.ts';

const CALL_TIMEOUT_MS = 3000;
/** In which our connection ends: more than it is given for that (`CdpConnection`). */
const LEAVE_MS = 700;
const MAX_REASON = 300;

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

export type InjectOptions = Pick<AgentOptions, 'maxKeys' | 'heapScan' | 'heapScanMaxMb'>;

/** What is different in a program that has Node inside. */
export interface NodeVariant {
  readonly words: InspectorWords;
  /** Bundled source of an `AgentExtension`'s maker; null: none. */
  readonly extension: string | null;
}

const PLAIN_NODE: NodeVariant = { words: NODE_WORDS, extension: null };

export async function injectAgent(
  process: ProcessInfo,
  tools: AttachTools,
  options: InjectOptions,
  variant: NodeVariant = PLAIN_NODE,
): Promise<FramedChannel<AgentRequest>> {
  const details = checkNetwork(process, tools.inspect, variant.words);
  const folderName = `substrate-agent-${randomBytes(8).toString('hex')}`;
  // The agent removes it; a target that died half-way could not.
  let folder = path.join(os.tmpdir(), folderName);
  const removeFolder = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const channel = await withInspector(process, tools, variant.words, async ({ url, isOurs }) => {
      const agentOptions = { ...options, folderName, closeInspector: isOurs };
      const socketPath = await evaluateAgent(process, url, details.namespacePid, agentOptions, variant.extension);
      // A target must not send us to somebody else's socket.
      if (!socketPath.endsWith(`/${folderName}/agent.sock`))
        throw new Error("it named a socket that is not the agent's");
      const socket = tools.inspect.resolvePath(process, socketPath);
      folder = path.dirname(socket);
      if (fs.lstatSync(folder).isSymbolicLink() || !fs.lstatSync(socket).isSocket())
        throw new Error('what it named is no socket');
      return FramedChannel.connect<AgentRequest>(socket, CALL_TIMEOUT_MS);
    });
    void channel.closed.then(removeFolder);
    return channel;
  } catch (error) {
    removeFolder();
    if (error instanceof AttachError) throw error;
    if (!tools.inspect.isAlive(process)) throw processGone();
    const why = error instanceof Error ? error.message : String(error);
    throw new AttachError(`The process did not take the agent: ${why}.`, { retry: true, cause: error });
  }
}

async function evaluateAgent(
  process: ProcessInfo,
  url: string,
  expectedPid: number,
  options: AgentOptions,
  extension: string | null,
): Promise<string> {
  const connection = await CdpConnection.open(url, CALL_TIMEOUT_MS);
  try {
    // The port may have changed hands since it was looked up.
    const pid = await evaluate(connection, 'process.pid');
    if (pid !== expectedPid)
      throw new AttachError(`The inspector's port belongs to process ${String(pid)}, not to ${process.pid}.`, {
        retry: true,
      });
    await checkEventLoop(connection);
    const call = `(${agentSource})(${JSON.stringify(options)}, typeof require === 'function' ? require : undefined, ${extension ?? 'undefined'})`;
    const socketPath = z.string().parse(await evaluate(connection, call, true));
    // From here on the agent closes the inspector, whatever becomes of us.
    if (options.closeInspector) removeMark(process);
    return socketPath;
  } catch (error) {
    if (options.closeInspector && (await closeInspector(connection))) removeMark(process);
    throw error;
  } finally {
    await connection.close();
  }
}

/** While the event loop is blocked an agent could not answer: nothing is put into such a process. */
async function checkEventLoop(connection: CdpConnection): Promise<void> {
  try {
    await evaluate(connection, `new Promise((resolve) => ${builtin('timers')}.setImmediate(resolve, 0))`, true);
  } catch (error) {
    if (!(error instanceof CdpTimeout)) throw error;
    throw new AttachError(`The app's event loop has been blocked for ${CALL_TIMEOUT_MS / 1000} s.`, {
      retry: true,
      remedy: 'It is tried again later.',
      cause: error,
    });
  }
}

/** Promises settle only while the event loop turns; an expression that needs none is answered even when it does not. */
async function evaluate(connection: CdpConnection, expression: string, awaitPromise = false): Promise<unknown> {
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
 * Undoes SIGUSR1, when our connection has ended: of Node programs whose inspector is closed in the moment in which a
 * connection to it ends, 3 in 100 die. And in a turn of its own, after what the loop has still to do about both: the
 * signal's own event would open the inspector again. Gives whether the process will do it.
 */
function closeInspector(connection: CdpConnection): Promise<boolean> {
  // Looked up now: the inspector lends `require` only during the call. And nothing may ever throw in the app's own turn.
  const close = `((inspector, timers) => {
    const close = () => { try { inspector.close(); } catch {} };
    timers.setTimeout(() => timers.setImmediate(close), ${LEAVE_MS}).unref();
  })(${builtin('inspector')}, ${builtin('timers')})`;
  return evaluate(connection, close).then(
    () => true,
    () => false,
  );
}

/** Not what is global: tests like to replace timers by clocks that stand still. */
function builtin(name: string): string {
  return `(process.getBuiltinModule?.('${name}') ?? require('${name}'))`;
}
