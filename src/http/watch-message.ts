/**
 * A notification as WebSocket frames. All watchers of a process get the same event, and its list of changed keys can
 * be as long as the state, so that list is serialised once and shared; a connection adds only the few bytes before it:
 *
 *   0x81 | length | {"pid":…,"app_id":…,"capture_id":…,"prev_capture_id":…,"sequence":…  | ,"changed_keys":[…],"timestamp":…}\n
 *   ------------------- built for each connection -----------------------------------    ------------- shared -------------
 *
 * One frame and not two fragments: the simplest of clients can read that.
 */
import type { WatchEvent } from '../daemon/service.ts';

const FINAL_TEXT_FRAME = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

export class WatchMessage {
  readonly captureId: string;
  readonly #event: WatchEvent;
  readonly #head: string;
  #tail: Buffer | null = null;

  constructor(pid: number, event: WatchEvent) {
    this.captureId = event.captureId;
    this.#event = event;
    const fields = { pid, app_id: event.appId, capture_id: event.captureId };
    this.#head = JSON.stringify(fields).slice(0, -1);
  }

  /** The frame in two parts, of which the second is shared. */
  frame(previousCaptureId: string | null, sequence: number): readonly [Buffer, Buffer] {
    const own = `${this.#head},"prev_capture_id":${JSON.stringify(previousCaptureId)},"sequence":${sequence}`;
    const ownBytes = Buffer.from(own);
    this.#tail ??= tailOf(this.#event);
    return [Buffer.concat([frameHeader(ownBytes.length + this.#tail.length), ownBytes]), this.#tail];
  }
}

function tailOf({ changedKeys, timestamp }: WatchEvent): Buffer {
  return Buffer.from(`,"changed_keys":${JSON.stringify(changedKeys)},"timestamp":${JSON.stringify(timestamp)}}\n`);
}

/** RFC 6455, 5.2; frames of a server are not masked. */
function frameHeader(length: number): Buffer {
  if (length < LENGTH_IN_16_BITS) return Buffer.from([FINAL_TEXT_FRAME, length]);
  if (length <= 0xffff) {
    const header = Buffer.from([FINAL_TEXT_FRAME, LENGTH_IN_16_BITS, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header[0] = FINAL_TEXT_FRAME;
  header[1] = LENGTH_IN_64_BITS;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
