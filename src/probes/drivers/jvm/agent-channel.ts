/**
 * The daemon's end of the channel to the agent in a Java program: a unix socket, or two FIFOs where Java has no such
 * sockets.
 */
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_TRACE, type Trace } from '../../../model/trace.ts';
import type { AgentFolder } from '../../support/agent-files/agent-folder.ts';
import { Deadline } from '../../support/agent-files/deadline.ts';
import { takeLock } from '../../support/agent-files/lock.ts';
import { FramedChannel } from '../../support/framed/framed-channel.ts';
import { FIFO_IN, FIFO_OUT, LOCK, SOCKET } from './jvm-folder.ts';
import type { JvmRequest } from './protocol.ts';

const CONNECT_MS = 3000;
const REOPEN_MS = 300;
const POLL_MS = 5;

export type JvmChannel = FramedChannel<JvmRequest>;

/** Connects to the agent that an earlier daemon left; null if there is none. */
export function findAgent(folder: AgentFolder, abort: AbortSignal, trace?: Trace): Promise<JvmChannel | null> {
  const isThere = folder.hasChannel(FIFO_IN) || folder.hasChannel(SOCKET);
  // The agent needs a moment to see that the previous connection has ended.
  return isThere ? connectAgent(folder, new Deadline(REOPEN_MS, abort), trace) : Promise.resolve(null);
}

/** Null if no agent is there within this time. */
export async function connectAgent(
  folder: AgentFolder,
  deadline: Deadline,
  trace: Trace = NO_TRACE,
): Promise<JvmChannel | null> {
  for (;;) {
    const channel = folder.hasChannel(FIFO_IN) ? await openFifos(folder, trace) : await openSocket(folder, trace);
    if (channel !== null || deadline.isOver || folder.reason() !== null) return channel;
    await delay(POLL_MS);
  }
}

async function openSocket(folder: AgentFolder, trace: Trace): Promise<JvmChannel | null> {
  if (!folder.hasChannel(SOCKET)) return null;
  try {
    return await FramedChannel.connect<JvmRequest>(folder.at(SOCKET), folder.owner, CONNECT_MS, trace);
  } catch (error) {
    trace.ignored('connect to the agent', error);
    return null;
  }
}

async function openFifos(folder: AgentFolder, trace: Trace): Promise<JvmChannel | null> {
  const output = folder.openFifo(FIFO_IN, 'write');
  // No agent has the FIFO open for reading, or not yet.
  if (output === null) return null;
  try {
    const lock = await takeLock(folder.at(LOCK), folder.owner);
    const input = folder.openFifo(FIFO_OUT, 'read');
    if (input === null) {
      lock.release();
      throw new Error('the FIFO of the agent cannot be opened');
    }
    const channel = new FramedChannel<JvmRequest>(
      new net.Socket({ fd: input, readable: true, writable: false }),
      new net.Socket({ fd: output, readable: false, writable: true }),
      trace,
    );
    void channel.closed.then(() => lock.release());
    return channel;
  } catch (error) {
    fs.closeSync(output);
    throw error;
  }
}
