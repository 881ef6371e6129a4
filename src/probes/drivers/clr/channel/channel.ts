/**
 * The daemon's end of the channel to the agent in a .NET or Mono program: a file that the agent has mapped into memory, and
 * two FIFOs for wake-ups. The same words stand in agent/channel/Channel.cs. All numbers are u32, little endian.
 *
 *      0  `SUBSTCLR`
 *      8  version of this layout: 1
 *     12  lease in ms: how long the agent waits for a daemon before it ends; 0: five minutes
 *     16  called: the daemon's number for its connection, another than the last
 *     20  served: the number of the connection that the agent serves
 *     64  mailbox of requests, 128 mailbox of answers:
 *           +0 number of the last part written, +4 of the last part taken,
 *           +8 offset of the part in the file, +12 its length, +16 its CRC-32, +20 flags (1: more parts follow)
 *   4096  request area
 *  65536  answer area, which the agent grows and shrinks (a multiple of the largest pages: it is mapped by itself)
 *
 * A part is written only when the part before it was taken: first its bytes, then where they are, its number last; then
 * the writer signals. The reader copies it, checks it, writes its number as taken, and signals back. A message is one part or
 * several. Both directions are independent of each other. A wake-up is a hint and nothing more: the reader checks the file.
 *
 * A connection begins when the daemon has both FIFOs open, writes `called` and signals. The agent forgets what lies in the
 * mailboxes, sets all their numbers to 0, writes `served`, and signals: from then on both sides count from 0, whatever an
 * earlier daemon was doing when it died. It ends when either side closes its end of the FIFOs. The agent keeps `req` open
 * all its life, so a daemon that can open it for writing knows that there is an agent.
 *
 * The agent makes the file larger by writing zeros: memory that was promised but is not there (a hole in a file, on a
 * file system that is full) would end the program when it is touched. Where it cannot grow, more parts are sent.
 */

import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../../../model/failure.ts';
import { NO_TRACE, type Trace } from '../../../../model/trace.ts';
import type { AgentFolder } from '../../../support/agent-files/agent-folder.ts';
import { Deadline } from '../../../support/agent-files/deadline.ts';
import { type Lock, takeLock } from '../../../support/agent-files/lock.ts';
import { MAX_FRAME_BYTES, textOf } from '../../../support/framed/frame.ts';
import type { ProbeChannel, RequestBody } from '../../../support/framed/framed-channel.ts';
import { connectionLost, PendingCalls } from '../../../support/framed/pending-calls.ts';
import { ANSWER_WAKEUP, CHANNEL, LOCK, REQUEST_WAKEUP } from '../clr-folder.ts';
import type { ClrRequest } from '../protocol.ts';
import { ChannelFile, newChannelFile, REQUEST_AREA_BYTES } from './channel-file.ts';

const SIGNAL_BYTE = Buffer.from([1]);
const REOPEN_MS = 1000;
const SERVED_MS = 3000;
const CLOSE_MS = 1000;
const POLL_MS = 5;
/** The limit for one message: the agent sends large parts, unless it has no room for them. */
const MAX_PARTS = 4096;
/** An agent that never stops sending must not block all others. */
const PARTS_AT_ONCE = 8;

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
  const channel = new ClrChannel(file, input, output, trace);
  void channel.closed.then(() => lock.release());
  if (await channel.isServed(SERVED_MS)) return channel;
  channel.abandon();
  await channel.closed;
  return null;
}

export class ClrChannel implements ProbeChannel<ClrRequest> {
  readonly closed: Promise<void>;
  private readonly file: ChannelFile;
  private readonly wakeup: net.Socket;
  private readonly output: number;
  private readonly calls: PendingCalls;
  private readonly trace: Trace;
  /** Messages to send, in parts. */
  private readonly outgoing: { readonly bytes: Buffer; readonly isLast: boolean }[] = [];
  private incoming: Buffer[] = [];
  private incomingBytes = 0;
  private connection = 0;
  /** Requests without an answer so far, including those that nobody waits for any more. */
  private unanswered = 0;
  private isBegun = false;
  private onServed: () => void = () => {};

  /** The channel owns all three from now on; the FIFOs are open without blocking. */
  constructor(file: ChannelFile, input: number, output: number, trace: Trace = NO_TRACE) {
    this.trace = trace;
    this.calls = new PendingCalls(trace);
    this.file = file;
    this.output = output;
    this.wakeup = new net.Socket({ fd: input, readable: true, writable: false });
    this.wakeup.on('data', () => this.takeParts());
    this.wakeup.on('error', (error) => {
      trace.ignored('wake-ups of the agent', error);
      this.abandon();
    });
    this.closed = new Promise((resolve) => {
      this.wakeup.once('close', () => {
        fs.closeSync(output);
        file.close();
        this.calls.failAll();
        this.onServed();
        resolve();
      });
    });
    this.guarded(() => {
      this.connection = file.callAgent();
      this.ring();
    });
  }

  /** Whether the agent answers the connection request within this time. */
  async isServed(waitMs: number): Promise<boolean> {
    if (this.isBegun || !this.isOpen) return this.isBegun;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.onServed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.isBegun;
  }

  call(body: RequestBody<ClrRequest>, signal: AbortSignal): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(connectionLost());
    return this.calls.start(body.op, signal, (id) => {
      this.unanswered++;
      return this.post({ id, ...body });
    });
  }

  get isOpen(): boolean {
    return !this.wakeup.destroyed;
  }

  /** The agent reads the request and removes itself. */
  async close(): Promise<void> {
    if (this.isOpen) this.post({ id: 0, op: 'dispose' });
    const force = setTimeout(() => this.abandon(), CLOSE_MS);
    await this.closed;
    clearTimeout(force);
  }

  /** Ends the connection without a message: the agent stays. */
  abandon(): void {
    this.wakeup.destroy();
  }

  /** Returns the length in bytes. */
  private post(message: ClrRequest): number {
    const bytes = Buffer.from(JSON.stringify(message));
    for (let at = 0; at < bytes.length; at += REQUEST_AREA_BYTES) {
      const end = at + REQUEST_AREA_BYTES;
      this.outgoing.push({ bytes: bytes.subarray(at, end), isLast: end >= bytes.length });
    }
    this.guarded(() => {
      this.checkPlace();
      this.sendNext();
    });
    return bytes.length;
  }

  private takeParts(): void {
    this.guarded(() => {
      this.checkPlace();
      if (!this.isBegun && !this.begin()) return;
      for (let count = 0; count < PARTS_AT_ONCE && this.takePart(); count++)
        if (count === PARTS_AT_ONCE - 1) setImmediate(() => this.takeParts());
      this.sendNext();
    });
  }

  /** False if there is none. */
  private takePart(): boolean {
    const part = this.file.take();
    if (part === null) return false;
    this.ring();
    this.receive(part.bytes, part.isLast);
    return true;
  }

  /** The lock keeps other daemons away, except one that came at the same moment. */
  private checkPlace(): void {
    if (this.file.called !== this.connection) throw new Error('another daemon has taken the place');
  }

  private begin(): boolean {
    if (this.file.served !== this.connection) return false;
    this.isBegun = true;
    this.onServed();
    return true;
  }

  private sendNext(): void {
    if (!this.isBegun || this.outgoing.length === 0 || !this.file.canSend) return;
    const part = this.outgoing.shift();
    if (!part) return;
    this.file.send(part.bytes, part.isLast);
    this.ring();
  }

  private receive(bytes: Buffer, isLast: boolean): void {
    this.incoming.push(bytes);
    this.incomingBytes += bytes.length;
    if (this.incomingBytes > MAX_FRAME_BYTES || this.incoming.length > MAX_PARTS)
      throw new Error('a message of the agent is too long');
    if (!isLast) return;
    if (this.unanswered-- === 0) throw new Error('the agent answers what nobody has asked');
    const whole = this.incoming.length === 1 ? bytes : Buffer.concat(this.incoming);
    this.incoming = [];
    this.incomingBytes = 0;
    this.calls.receive(JSON.parse(textOf(whole)), whole.length);
  }

  /** The agent's messages are untrusted: a malformed one ends the connection, and nothing else. */
  private guarded(work: () => void): void {
    if (!this.isOpen) return;
    try {
      work();
    } catch (error) {
      this.trace.ignored('a message of the agent that makes no sense ends the connection', error);
      this.abandon();
    }
  }

  private ring(): void {
    try {
      fs.writeSync(this.output, SIGNAL_BYTE);
    } catch (error) {
      // A full FIFO will be read anyway.
      if (codeOf(error) !== 'EAGAIN') this.abandon();
    }
  }
}
