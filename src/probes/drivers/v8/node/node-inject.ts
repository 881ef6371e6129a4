/**
 * Puts the agent into a running Node process: evaluates it through the inspector, connects to the socket that it opens,
 * and leaves. The agent closes the inspector; the port was open for 0.1 to 0.2 s, once.
 */

import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../../../model/failure.ts';
import type { ProcessInfo } from '../../../../model/process.ts';
import { type Trace, traced } from '../../../../model/trace.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import { HeldFolder } from '../../../support/agent-files/held-folder.ts';
import { FramedChannel } from '../../../support/framed/framed-channel.ts';
import type { Owner } from '../../../support/owner.ts';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { CdpTimeout } from '../cdp/cdp-session.ts';
import agentSource from './agent/main.ts?agent';
import type { AgentOptions, AgentRequest } from './agent/protocol.ts';
import { processGone } from './find-inspector.ts';
import {
  askCommand,
  askPidAndArm,
  builtin,
  CALL_TIMEOUT_MS,
  closeInspector,
  evaluate,
  MAIN_MODULE,
  MAX_ANSWER_BYTES,
} from './inspector-calls.ts';
import { removeAgentFolder, SOCKET } from './left-folders.ts';
import type { NodeCommand } from './node-identity.ts';
import { checkNetwork, type InspectorWords, NODE_WORDS, withInspector } from './node-inspector.ts';
import { productOf } from './product.ts';
import { removeMark } from './signal-mark.ts';

export type InjectOptions = Pick<AgentOptions, 'maxKeys' | 'budget' | 'heapScan' | 'heapScanMaxMb'>;

/** The differences of a program that has Node inside. */
export interface NodeVariant {
  readonly words: InspectorWords;
  /** Bundled source of an `AgentExtension`'s maker; null if there is none. */
  readonly extension: string | null;
  /** As of `askCommand`. */
  readonly main: string;
}

const PLAIN_NODE: NodeVariant = { words: NODE_WORDS, extension: null, main: MAIN_MODULE };

export interface InjectedAgent {
  readonly channel: FramedChannel<AgentRequest>;
  /** Null if it is not known. */
  readonly command: NodeCommand | null;
}

export async function injectAgent(
  process: ProcessInfo,
  tools: AttachTools,
  options: InjectOptions,
  variant: NodeVariant = PLAIN_NODE,
): Promise<InjectedAgent> {
  const details = await checkNetwork(process, tools.inspect);
  const folderName = `substrate-agent-${randomBytes(8).toString('hex')}`;
  // The agent removes it; a target that died half-way could not.
  let folder = path.join(os.tmpdir(), folderName);
  const removeFolder = () => removeAgentFolder(folder, details.effectiveUid);
  try {
    const agent = await withInspector(process, tools, variant.words, async ({ url, isOurs }) => {
      const agentOptions = { ...options, folderName, closeInspector: isOurs };
      const load = () => evaluateAgent(process, url, details.namespacePid, agentOptions, variant, tools);
      const { socketPath, command } = await traced(tools.trace, 'load the agent', load);
      // A target must not send us to somebody else's socket.
      if (!socketPath.endsWith(`/${folderName}/${SOCKET}`))
        throw new Error("it named a socket that is not the agent's");
      folder = path.dirname(tools.inspect.resolvePath(process, socketPath));
      if (isOurs) reportOthers(process, Number(new URL(url).port), tools);
      const owner = { uid: details.effectiveUid, gid: details.effectiveGid };
      const connect = () => connectAgent(folder, owner, tools.trace);
      return { channel: await traced(tools.trace, 'connect to the agent', connect), command };
    });
    void agent.channel.closed.then(removeFolder);
    return agent;
  } catch (error) {
    removeFolder();
    if (error instanceof AttachError) throw error;
    if (!tools.inspect.isAlive(process)) throw processGone();
    const why = messageOf(error);
    throw new AttachError(`The process did not take the agent: ${why}.`, { retry: true, cause: error });
  }
}

/** Last chance: the agent closes the inspector as soon as we are connected to it. Whoever was there may have run anything. */
function reportOthers(process: ProcessInfo, port: number, { inspect, log }: AttachTools): void {
  for (const { uid, pid } of inspect.portClients(process, port)) {
    log.error(
      { pid: process.pid, port, client_uid: uid, client_pid: pid },
      'somebody else was connected to the inspector while it was open for the attach, and may have run code in the app',
    );
  }
}

async function connectAgent(folder: string, owner: Owner, trace: Trace): Promise<FramedChannel<AgentRequest>> {
  const held = HeldFolder.open(folder);
  try {
    const socket = held.lookAt(SOCKET);
    if (!socket?.isSocket() || socket.uid !== owner.uid) throw new Error('what it named is no socket of its own');
    return await FramedChannel.connect<AgentRequest>(held.at(SOCKET), owner, CALL_TIMEOUT_MS, trace);
  } finally {
    held.close();
  }
}

async function evaluateAgent(
  process: ProcessInfo,
  url: string,
  expectedPid: number,
  options: Omit<AgentOptions, 'product'>,
  { extension, main }: NodeVariant,
  { inspect, trace }: AttachTools,
): Promise<{ socketPath: string; command: NodeCommand | null }> {
  const connection = await CdpConnection.open(inspect.network(process), url, CALL_TIMEOUT_MS, MAX_ANSWER_BYTES, trace);
  try {
    // The port may have changed hands since it was looked up.
    const pid = await (options.closeInspector
      ? askPidAndArm(connection, expectedPid)
      : evaluate(connection, 'process.pid'));
    if (pid !== expectedPid)
      throw new AttachError(`The inspector's port belongs to process ${String(pid)}, not to ${process.pid}.`, {
        retry: true,
      });
    // From here on the process closes its inspector, whatever becomes of us.
    if (options.closeInspector) removeMark(process);
    await checkEventLoop(connection);
    const command = await askCommand(connection, main);
    const script = command?.main ?? command?.argv[1] ?? '';
    const product = productOf(script, (file) => inspect.resolvePath(process, file));
    const call = `(${agentSource})(${JSON.stringify({ ...options, product } satisfies AgentOptions)}, typeof require === 'function' ? require : undefined, ${extension ?? 'undefined'})`;
    return { socketPath: z.string().parse(await evaluate(connection, call, true)), command };
  } catch (error) {
    if (options.closeInspector && (await closeInspector(connection, expectedPid))) removeMark(process);
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
