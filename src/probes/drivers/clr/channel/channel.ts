/**
 * Connects to the agent in a .NET or Mono program. The way of the bytes is in mapped-stream.ts; everything above it is the
 * channel of every agent.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_TRACE, type Trace } from '../../../../model/trace.ts';
import type { AgentFolder } from '../../../support/agent-files/agent-folder.ts';
import { Deadline } from '../../../support/agent-files/deadline.ts';
import { type Lock, takeLock } from '../../../support/agent-files/lock.ts';
import { FramedChannel } from '../../../support/framed/framed-channel.ts';
import { ANSWER_WAKEUP, CHANNEL, LOCK, REQUEST_WAKEUP } from '../clr-folder.ts';
import type { ClrRequest } from '../protocol.ts';
import { ChannelFile, newChannelFile } from './channel-file.ts';
import { MappedStream } from './mapped-stream.ts';

const REOPEN_MS = 1000;
const SERVED_MS = 3000;
const POLL_MS = 5;

export type ClrChannel = FramedChannel<ClrRequest>;

/** Puts the files to load into the folder, and a new channel: before the agent is started, never while one is used. */
export function prepareChannel(folder: AgentFolder, files: ReadonlyMap<string, Buffer>, leaseMs = 0): void {
  for (const name of [CHANNEL, REQUEST_WAKEUP, ANSWER_WAKEUP]) fs.rmSync(folder.at(name), { force: true });
  folder.put(new Map([...files, [CHANNEL, newChannelFile(leaseMs)]]), [REQUEST_WAKEUP, ANSWER_WAKEUP]);
}

/** Connects to the agent of an earlier daemon; null if there is none. Throws `AgentBusy` when another daemon has it. */
export function findAgent(folder: AgentFolder, abort: AbortSignal, trace?: Trace): Promise<ClrChannel | null> {
  return isServed(folder) ? connectAgent(folder, new Deadline(REOPEN_MS, abort), trace) : Promise.resolve(null);
}

/** Whether an agent is there. */
export function isServed(folder: AgentFolder): boolean {
  return folder.hasReader(REQUEST_WAKEUP);
}

/** Null if none has come within this time, or it reported why it did not start. Throws `AgentBusy` as above. */
export async function connectAgent(
  folder: AgentFolder,
  deadline: Pick<Deadline, 'isOver'>,
  trace: Trace = NO_TRACE,
): Promise<ClrChannel | null> {
  for (;;) {
    const channel = await openChannel(folder, trace);
    if (channel !== null || deadline.isOver || folder.reason() !== null) return channel;
    await delay(POLL_MS);
  }
}

async function openChannel(folder: AgentFolder, trace: Trace): Promise<ClrChannel | null> {
  const output = folder.openFifo(REQUEST_WAKEUP, 'write');
  // No agent has the FIFO open for reading, or not yet.
  if (output === null) return null;
  let lock: Lock;
  try {
    lock = await takeLock(folder.at(LOCK), folder.owner);
  } catch (error) {
    fs.closeSync(output);
    throw error;
  }
  const input = folder.openFifo(ANSWER_WAKEUP, 'read');
  const file = ChannelFile.open(folder.at(CHANNEL), folder.owner.uid);
  if (input === null || file === null) {
    lock.release();
    fs.closeSync(output);
    if (input !== null) fs.closeSync(input);
    file?.close();
    return null;
  }
  const stream = new MappedStream(file, input, output);
  const channel = new FramedChannel<ClrRequest>(stream, stream, trace);
  void channel.closed.then(() => lock.release());
  if (await stream.isServed(SERVED_MS)) return channel;
  channel.abandon();
  await channel.closed;
  return null;
}
