/**
 * A duplex stream over a file that the agent has mapped into memory, with two FIFOs for wake-ups. Frames and calls above
 * it are those of every agent (support/framed). The other end is agent/channel/Channel.cs. All numbers are u32, little
 * endian.
 *
 *      0  `SUBSTCLR`
 *      8  version of this layout: 2
 *     12  lease in ms: how long the agent waits for a daemon before it ends; 0 means five minutes
 *     16  called: the daemon's number for its connection, different from the last one
 *     20  served: the number of the connection that the agent serves
 *     64  mailbox of requests, 128 mailbox of answers:
 *           +0 number of the last part written, +4 number of the last part taken, +8 length of the part, +12 its CRC-32
 *   4096  request area
 *  65536  answer area, which the agent grows and shrinks (a multiple of the largest pages: it is mapped by itself)
 *
 * A part is written only after the part before it was taken: first its bytes, then its length and checksum, its number
 * last; then the writer signals. The reader copies it, validates it (anybody who may open the file may overwrite it),
 * writes its number as taken, and signals back. Both directions are independent of each other. A wake-up is only a hint:
 * the reader checks the file.
 *
 * A connection begins when the daemon has both FIFOs open, writes `called` and signals. The agent discards the content of
 * the mailboxes, sets all their numbers to 0, writes `served`, and signals. From then on both sides count from 0, whatever
 * an earlier daemon was doing when it died. The connection ends when either side closes its end of the FIFOs. The agent
 * keeps `req` open all its life, so a daemon that can open it for writing knows that there is an agent.
 *
 * The agent enlarges the file by writing zeros: touching a hole in a file on a full file system would crash the program.
 * If the file cannot grow, more parts are sent.
 */

import fs from 'node:fs';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { codeOf } from '../../../../model/failure.ts';
import { type ChannelFile, REQUEST_AREA_BYTES } from './channel-file.ts';

const SIGNAL_BYTE = Buffer.from([1]);
/** An agent that never stops sending must not block all others. */
const PARTS_AT_ONCE = 8;

export class MappedStream extends Duplex {
  private readonly file: ChannelFile;
  private readonly wakeup: net.Socket;
  private readonly output: number;
  private connection = 0;
  private outgoing: { rest: Buffer; readonly done: () => void } | null = null;
  private isBegun = false;
  private isWanted = false;
  private onServed: () => void = () => {};

  /** The stream owns all three from now on; the FIFOs are open without blocking. */
  constructor(file: ChannelFile, input: number, output: number) {
    super();
    this.file = file;
    this.output = output;
    this.wakeup = new net.Socket({ fd: input, readable: true, writable: false });
    this.wakeup.on('data', () => this.exchange());
    this.wakeup.on('error', (error) => this.destroy(error));
    this.wakeup.once('close', () => this.destroy());
    this.guarded(() => {
      this.connection = file.callAgent();
      this.ring();
    });
  }

  /** True if the agent answers the connection request within this time. */
  async isServed(waitMs: number): Promise<boolean> {
    if (this.isBegun || this.destroyed) return this.isBegun;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.onServed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.isBegun;
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.outgoing = { rest: bytes, done };
    this.exchange();
  }

  override _read(): void {
    this.isWanted = true;
    setImmediate(() => this.exchange());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const finish = () => {
      fs.closeSync(this.output);
      this.file.close();
      this.onServed();
      done(error);
    };
    if (this.wakeup.closed) finish();
    else this.wakeup.once('close', finish).destroy();
  }

  /** Takes and sends what there is. */
  private exchange(): void {
    this.guarded(() => {
      // The lock keeps other daemons away, except one that came at the same moment.
      if (this.file.called !== this.connection) throw new Error('another daemon has taken the place');
      if (!this.isBegun && !this.begin()) return;
      this.takeParts();
      this.sendParts();
    });
  }

  /** The agent's bytes are untrusted: malformed ones end the connection, and nothing else. */
  private guarded(work: () => void): void {
    if (this.destroyed) return;
    try {
      work();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private begin(): boolean {
    this.isBegun = this.file.served === this.connection;
    if (this.isBegun) this.onServed();
    return this.isBegun;
  }

  private takeParts(): void {
    for (let count = 0; this.isWanted && count < PARTS_AT_ONCE; count++) {
      const part = this.file.take();
      if (part === null) return;
      this.ring();
      this.isWanted = this.push(part);
    }
    if (this.isWanted) setImmediate(() => this.exchange());
  }

  private sendParts(): void {
    const { outgoing } = this;
    if (outgoing === null || !this.file.canSend) return;
    this.file.send(outgoing.rest.subarray(0, REQUEST_AREA_BYTES));
    outgoing.rest = outgoing.rest.subarray(REQUEST_AREA_BYTES);
    this.ring();
    if (outgoing.rest.length > 0) return;
    this.outgoing = null;
    outgoing.done();
  }

  private ring(): void {
    try {
      fs.writeSync(this.output, SIGNAL_BYTE);
    } catch (error) {
      // A full FIFO will be read anyway.
      if (codeOf(error) !== 'EAGAIN') this.destroy();
    }
  }
}
