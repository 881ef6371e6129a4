/** The daemon's access to the file of a channel (mapped-stream.ts has its layout). The agent's bytes are untrusted input. */
import fs from 'node:fs';
import { MAX_FRAME_BYTES } from '../../../support/framed/frame.ts';
import { crc32 } from './crc32.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDWR } = fs.constants;

const MAGIC = Buffer.from('SUBSTCLR', 'latin1');
const LAYOUT = 2;
const AT_LAYOUT = 8;
const AT_LEASE = 12;
const AT_CALLED = 16;
const AT_SERVED = 20;
const AT_REQUEST = 64;
const AT_ANSWER = 128;
/** Offsets within a mailbox. */
const WRITTEN = 0;
const TAKEN = 4;
const LENGTH = 8;
const SUM = 12;

const REQUEST_AREA = 4096;
export const ANSWER_AREA = 65_536;
export const REQUEST_AREA_BYTES = ANSWER_AREA - REQUEST_AREA;
const FIRST_ANSWER_AREA_BYTES = 65_536;
const WORD = 4;

/** The content of a new file. `leaseMs`: how long the agent waits for a daemon; 0 lets the agent decide. */
export function newChannelFile(leaseMs: number): Buffer {
  const content = Buffer.alloc(ANSWER_AREA + FIRST_ANSWER_AREA_BYTES);
  MAGIC.copy(content);
  content.writeUInt32LE(LAYOUT, AT_LAYOUT);
  content.writeUInt32LE(leaseMs, AT_LEASE);
  return content;
}

export class ChannelFile {
  private readonly file: number;
  private written = 0;
  private taken = 0;

  /** Null if there is no valid file. `uid`: its required owner. */
  static open(path: string, uid: number): ChannelFile | null {
    let file: number;
    try {
      file = fs.openSync(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    } catch {
      // The file is missing, or cannot be opened: the attach reports that there is no agent.
      return null;
    }
    const found = new ChannelFile(file);
    try {
      const stat = fs.fstatSync(file);
      const isOurs = stat.isFile() && stat.uid === uid && stat.nlink === 1 && stat.size >= ANSWER_AREA;
      if (isOurs && found.read(0, MAGIC.length).equals(MAGIC) && found.word(AT_LAYOUT) === LAYOUT) return found;
    } catch {
      // The file became shorter in the meantime.
    }
    found.close();
    return null;
  }

  private constructor(file: number) {
    this.file = file;
  }

  /** Requests a connection. Returns its number, which differs from the last. */
  callAgent(): number {
    const last = this.called;
    const number = last === 0xffff_ffff ? 1 : last + 1;
    this.writeWord(AT_CALLED, number);
    return number;
  }

  /** The connection that was requested last: it differs where another daemon has come. */
  get called(): number {
    return this.word(AT_CALLED);
  }

  /** The connection that the agent serves; both mailboxes were empty when it began. */
  get served(): number {
    return this.word(AT_SERVED);
  }

  /** True if another part can be sent. Throws when the agent claims to have taken a part that was never sent. */
  get canSend(): boolean {
    const taken = this.word(AT_REQUEST + TAKEN);
    if (taken !== this.written && next(taken) !== this.written) throw malformed('it took what was not there');
    return taken === this.written;
  }

  /** Call it only while `canSend`; at most REQUEST_AREA_BYTES. */
  send(part: Buffer): void {
    this.write(REQUEST_AREA, part);
    this.writeWord(AT_REQUEST + LENGTH, part.length);
    this.writeWord(AT_REQUEST + SUM, crc32(part));
    this.written = next(this.written);
    this.writeWord(AT_REQUEST + WRITTEN, this.written);
  }

  /** The part in the mailbox; null if there is none. Throws on a malformed part. */
  take(): Buffer | null {
    const written = this.word(AT_ANSWER + WRITTEN);
    if (written === this.taken) return null;
    if (written !== next(this.taken)) throw malformed('a part is missing');
    // Read after the number, because it was written before it.
    const length = this.word(AT_ANSWER + LENGTH);
    if (length === 0 || length > MAX_FRAME_BYTES) throw malformed('a part has an odd length');
    if (ANSWER_AREA + length > fs.fstatSync(this.file).size) throw malformed('a part is outside');
    const bytes = this.read(ANSWER_AREA, length);
    if (crc32(bytes) !== this.word(AT_ANSWER + SUM)) throw malformed('a part is damaged');
    this.taken = written;
    this.writeWord(AT_ANSWER + TAKEN, written);
    return bytes;
  }

  close(): void {
    fs.closeSync(this.file);
  }

  private word(at: number): number {
    return this.read(at, WORD).readUInt32LE(0);
  }

  private writeWord(at: number, value: number): void {
    const bytes = Buffer.allocUnsafe(WORD);
    bytes.writeUInt32LE(value);
    this.write(at, bytes);
  }

  private read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const count = fs.readSync(this.file, bytes, done, length - done, at + done);
      if (count === 0) throw malformed('it is cut short');
      done += count;
    }
    return bytes;
  }

  private write(at: number, bytes: Buffer): void {
    for (let done = 0; done < bytes.length; )
      done += fs.writeSync(this.file, bytes, done, bytes.length - done, at + done);
  }
}

function next(sequence: number): number {
  return (sequence + 1) >>> 0;
}

function malformed(why: string): Error {
  return new Error(`the file of the channel is not as the agent leaves it: ${why}`);
}
