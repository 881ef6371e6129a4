/**
 * The names that an assembly has for people, out of the version resource of its file. Layout used, little endian:
 *
 *   file:     0 `MZ`, 60 offset of the PE header u32
 *   header:   0 `PE\0\0`, 6 sections u16, 20 size of what follows at 24 u16; then the sections
 *   section:  0 name, 16 size in the file u32, 20 its offset u32; 40 bytes each
 *   string:   name UTF-16, NUL, zeros up to a multiple of four bytes, value UTF-16, NUL
 *
 * The file is some app's: every number in it is checked, every read bounded.
 */
import { type ReadAt, usePlainFile } from '../../../support/plain-file.ts';

const HEADER_BYTES = 4096;
const SECTION_BYTES = 40;
const MAX_SECTIONS = 96;
const MAX_RESOURCE_BYTES = 512 * 1024;
const MAX_VALUE_BYTES = 400;

export interface PeNames {
  readonly product: string | null;
  readonly title: string | null;
}

/** Null if it is no readable assembly. */
export function readPeNames(path: string): PeNames | null {
  return usePlainFile(path, parsePeNames);
}

export function parsePeNames(readAt: ReadAt): PeNames | null {
  const header = read(readAt, 0, HEADER_BYTES);
  if (header.length < 64 || header.toString('latin1', 0, 2) !== 'MZ') return null;
  const pe = header.readUInt32LE(60);
  if (pe + 24 > header.length || header.toString('latin1', pe, pe + 4) !== 'PE\0\0') return null;
  const sections = Math.min(MAX_SECTIONS, header.readUInt16LE(pe + 6));
  const first = pe + 24 + header.readUInt16LE(pe + 20);
  for (
    let at = first;
    at < first + sections * SECTION_BYTES && at + SECTION_BYTES <= header.length;
    at += SECTION_BYTES
  ) {
    if (!header.toString('latin1', at, at + 8).startsWith('.rsrc')) continue;
    const size = Math.min(MAX_RESOURCE_BYTES, header.readUInt32LE(at + 16));
    const resource = read(readAt, header.readUInt32LE(at + 20), size);
    return { product: textOf(resource, 'ProductName'), title: textOf(resource, 'FileDescription') };
  }
  return { product: null, title: null };
}

function read(readAt: ReadAt, position: number, length: number): Buffer {
  const target = Buffer.alloc(length);
  return target.subarray(0, readAt(target, position));
}

function textOf(resource: Buffer, name: string): string | null {
  const key = Buffer.from(`${name}\0`, 'utf16le');
  const found = resource.indexOf(key);
  if (found === -1) return null;
  let start = found + key.length;
  while (start % 4 !== 0) start++;
  const bytes = resource.subarray(start, start + MAX_VALUE_BYTES);
  const [text = ''] = bytes.toString('utf16le').split('\0', 1);
  // The text must have letters, and only printable characters.
  return /\p{L}/u.test(text) && !/[\p{Cc}\p{Cs}\p{Cn}\p{Co}]/u.test(text) ? text.trim() : null;
}
