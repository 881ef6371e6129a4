/**
 * Reads single files out of a jar (a zip archive) by its directory at the end. Layout used, little endian:
 *
 *   end:   0 `PK\5\6`, 10 entries u16, 12 size of the directory u32, 16 its offset u32, 20 length of the comment u16
 *   entry: 0 `PK\1\2`, 10 method u16 (0 stored, 8 deflated), 20 packed size u32, 24 size u32, 28 length of the name u16,
 *          30 of the extra field u16, 32 of the comment u16, 42 offset of the file's header u32, 46 name
 *   file:  0 `PK\3\4`, 26 length of the name u16, 28 of the extra field u16, then these two, then the data
 *
 * A program may start with bytes of its own before the archive: offsets count from where the archive begins. The file is
 * some app's: every number in it is checked, every read bounded.
 */
import { inflateRawSync } from 'node:zlib';
import { type ReadAt, usePlainFile } from '../../support/plain-file.ts';

const END_BYTES = 22;
const ENTRY_BYTES = 46;
const FILE_HEADER_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024;
const STORED = 0;
const DEFLATED = 8;

interface Directory {
  readonly bytes: Buffer;
  /** Where the archive begins in the file. */
  readonly start: number;
}

/** Null if there is no such file in it, or the archive cannot be read. */
export function readFromArchive(readAt: ReadAt, size: number, name: string): Buffer | null {
  const directory = findDirectory(readAt, size);
  if (!directory) return null;
  const { bytes, start } = directory;
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; ) {
    if (bytes.readUInt32BE(at) !== 0x504b0102) return null;
    const nameLength = bytes.readUInt16LE(at + 28);
    if (bytes.toString('latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength) === name) {
      const packed = { method: bytes.readUInt16LE(at + 10), length: bytes.readUInt32LE(at + 20) };
      return readEntry(readAt, start + bytes.readUInt32LE(at + 42), packed);
    }
    at += ENTRY_BYTES + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return null;
}

function findDirectory(readAt: ReadAt, size: number): Directory | null {
  const tail = readExactly(
    readAt,
    Math.min(size, END_BYTES + MAX_COMMENT_BYTES),
    Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES),
  );
  if (!tail) return null;
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32BE(at) !== 0x504b0506 || at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue;
    const length = tail.readUInt32LE(at + 12);
    const end = size - tail.length + at;
    const start = end - length - tail.readUInt32LE(at + 16);
    if (length > MAX_DIRECTORY_BYTES || start < 0) return null;
    const bytes = readExactly(readAt, length, end - length);
    return bytes && { bytes, start };
  }
  return null;
}

function readEntry(readAt: ReadAt, position: number, packed: { method: number; length: number }): Buffer | null {
  if (packed.length > MAX_FILE_BYTES) return null;
  const header = readExactly(readAt, FILE_HEADER_BYTES, position);
  if (header?.readUInt32BE(0) !== 0x504b0304) return null;
  const start = position + FILE_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const data = readExactly(readAt, packed.length, start);
  if (!data || packed.method === STORED) return data;
  if (packed.method !== DEFLATED) return null;
  try {
    return inflateRawSync(data, { maxOutputLength: MAX_FILE_BYTES });
  } catch {
    // A damaged entry is as good as none: the program is named by its command line.
    return null;
  }
}

function readExactly(readAt: ReadAt, length: number, position: number): Buffer | null {
  const target = Buffer.allocUnsafe(length);
  return readAt(target, position) === length ? target : null;
}

/** `name: value` lines of META-INF/MANIFEST.MF, the main section only. */
export type Manifest = ReadonlyMap<string, string>;

export function readManifest(jar: string): Manifest | null {
  return usePlainFile(jar, (readAt, { size }) => {
    const text = readFromArchive(readAt, size, 'META-INF/MANIFEST.MF');
    return text && parseManifest(text.toString('utf8'));
  });
}

/** Lines have at most 72 bytes; a continuation line begins with a space. */
export function parseManifest(text: string): Manifest {
  const [main = ''] = text.split(/\r?\n\r?\n/, 1);
  const lines = main.replace(/\r?\n /g, '').split(/\r?\n/);
  const entries = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(': ');
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 2).trim()]];
  });
  return new Map(entries);
}
