/**
 * Frames between the daemon and an agent inside a process, over a stream (a unix socket, two FIFOs, a mapped file):
 *
 *   u32 little endian: length of the text in bytes | UTF-8 JSON text
 *
 * Requests are `{id, op, …}`, answers `{id, result}` or `{id, error}`; see the protocol.ts of each agent. Either side
 * closes the stream when a frame is longer than MAX_FRAME_BYTES: that is no frame of this protocol.
 */
const HEADER_BYTES = 4;
export const MAX_FRAME_BYTES = 128 * 1024 * 1024;
/**
 * Lists and objects cost the reader far more than bytes: a frame of brackets only would keep the daemon busy for
 * minutes. A report of a million leaves has a few million brackets, most of them in paths.
 */
const MAX_BRACKETS = 8_000_000;

export function encodeFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame.write(text, HEADER_BYTES);
  return frame;
}

/** The text of a message, which is untrusted input. Throws where it would cost too much to parse. */
export function textOf(message: Buffer): string {
  if (message.length > MAX_BRACKETS && countBrackets(message) > MAX_BRACKETS)
    throw new Error('a message has too many lists and objects');
  return message.toString('utf8');
}

function countBrackets(text: Buffer): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text[at] === 0x5b || text[at] === 0x7b) count++;
  return count;
}

/** More chunks are joined: each takes far more memory than the bytes of a small one. */
const MAX_CHUNKS = 4096;

/** Collects chunks, however the stream was split, and returns the complete texts. */
export class FrameDecoder {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private wanted = -1;

  /** Throws on a frame that is too long. */
  push(chunk: Buffer): string[] {
    this.chunks.push(chunk);
    if (this.chunks.length > MAX_CHUNKS) this.chunks = [Buffer.concat(this.chunks)];
    this.buffered += chunk.length;
    const texts: string[] = [];
    for (;;) {
      if (this.wanted < 0) {
        if (this.buffered < HEADER_BYTES) return texts;
        this.wanted = this.take(HEADER_BYTES).readUInt32LE(0);
        if (this.wanted > MAX_FRAME_BYTES) throw new Error(`frame of ${this.wanted} bytes is too long`);
      }
      if (this.buffered < this.wanted) return texts;
      texts.push(textOf(this.take(this.wanted)));
      this.wanted = -1;
    }
  }

  private take(length: number): Buffer {
    const all = this.chunks.length === 1 && this.chunks[0] ? this.chunks[0] : Buffer.concat(this.chunks);
    this.chunks = all.length > length ? [all.subarray(length)] : [];
    this.buffered = all.length - length;
    return all.subarray(0, length);
  }
}
