/**
 * Reads the settings out of a .NET program that is one file. A host comes first, with the place of a header in it; the
 * header leads to the files that were appended. Little endian; a text is its length in bytes (7 bits per byte, the lowest
 * first, the top bit set on all but the last) and UTF-8:
 *
 *   host:    … header's offset i64, MARK …                                                   offset 0: nothing is appended
 *   header:  major u32, minor u32, files u32, id text;  from major 2 on: deps offset i64, size i64, settings offset i64,
 *            size i64, flags u64
 *   file:    offset i64, size i64, type u8, path text                                        of interest only in major 1
 *
 * The file is some app's: every number in it is checked, every read bounded.
 */
import { type ReadAt, usePlainFile } from '../../../support/plain-file.ts';

const MARK = Buffer.from('8b1202b96a612038727b930214d7a03213f5b9e6efae3318ee3b2dce24b36aae', 'hex');
const OFFSET_BYTES = 8;
/** A host with the runtime inside has some 10 MB before the mark; none has this much. */
const MAX_HOST_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const HEADER_BYTES = 12;
const MAX_TEXT_BYTES = 4096;
const LOCATIONS_BYTES = 40;
const MAX_FILES = 10_000;
const MAX_SETTINGS_BYTES = 256 * 1024;
const HAS_LOCATIONS = 2;
const SETTINGS_FILE = 4;

export interface Bundle {
  /** 1: .NET Core 3, 2: .NET 5, 6: .NET 6 and later. */
  readonly major: number;
  /** `runtimeconfig.json` of the program; null if it has none. */
  readonly settings: string | null;
}

/** Null if it is not a single-file program, or cannot be read. */
export function readBundleFile(path: string): Bundle | null {
  return usePlainFile(path, (readAt, { size }) => readBundle(readAt, size));
}

export function readBundle(readAt: ReadAt, size: number): Bundle | null {
  const start = findHeader(readAt, size);
  if (start === null) return null;
  try {
    return readHeader(new Cursor(readAt, size, start));
  } catch (error) {
    if (error instanceof NoBundle) return null;
    throw error;
  }
}

class NoBundle extends Error {}

function findHeader(readAt: ReadAt, size: number): number | null {
  const overlap = MARK.length + OFFSET_BYTES;
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES + overlap);
  for (let position = 0; position < Math.min(size, MAX_HOST_BYTES); position += CHUNK_BYTES) {
    const bytes = chunk.subarray(0, readAt(chunk, position));
    const mark = bytes.indexOf(MARK, OFFSET_BYTES);
    if (mark === -1) continue;
    const offset = Number(bytes.readBigInt64LE(mark - OFFSET_BYTES));
    return offset > 0 && offset < size ? offset : null;
  }
  return null;
}

function readHeader(cursor: Cursor): Bundle {
  const header = cursor.take(HEADER_BYTES);
  const [major, files] = [header.readUInt32LE(0), header.readUInt32LE(8)];
  if (major < 1 || major > 100 || files > MAX_FILES) throw new NoBundle();
  cursor.skipText();
  if (major >= HAS_LOCATIONS) {
    const locations = cursor.take(LOCATIONS_BYTES);
    return { major, settings: cursor.textAt(locations.readBigInt64LE(16), locations.readBigInt64LE(24)) };
  }
  for (let at = 0; at < files; at++) {
    const file = cursor.take(2 * OFFSET_BYTES + 1);
    cursor.skipText();
    if (file.readUInt8(2 * OFFSET_BYTES) !== SETTINGS_FILE) continue;
    return { major, settings: cursor.textAt(file.readBigInt64LE(0), file.readBigInt64LE(OFFSET_BYTES)) };
  }
  return { major, settings: null };
}

/** Reads the header step by step. Throws `NoBundle` where it leads out of the file. */
class Cursor {
  private readonly readAt: ReadAt;
  private readonly size: number;
  private position: number;

  constructor(readAt: ReadAt, size: number, position: number) {
    this.readAt = readAt;
    this.size = size;
    this.position = position;
  }

  take(length: number): Buffer {
    const bytes = this.exactly(length, this.position);
    this.position += length;
    return bytes;
  }

  skipText(): void {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.take(1).readUInt8(0);
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
      if (shift > 14) throw new NoBundle();
    }
    if (length > MAX_TEXT_BYTES) throw new NoBundle();
    this.position += length;
  }

  /** Null if there is none, or it is too long for settings. */
  textAt(offset: bigint, length: bigint): string | null {
    if (offset <= 0n || length <= 0n || length > MAX_SETTINGS_BYTES || offset + length > BigInt(this.size)) return null;
    return this.exactly(Number(length), Number(offset)).toString('utf8');
  }

  private exactly(length: number, position: number): Buffer {
    if (position < 0 || position + length > this.size) throw new NoBundle();
    const target = Buffer.allocUnsafe(length);
    if (this.readAt(target, position) !== length) throw new NoBundle();
    return target;
  }
}
