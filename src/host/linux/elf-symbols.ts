/**
 * Looks a name up in the dynamic string table of an ELF executable. Layout used (64-bit, little-endian):
 * file header: 0 magic `7f 45 4c 46`, 4 class (2), 5 byte order (1), 40 section table offset u64, 58 entry size u16,
 *   60 entry count u16;
 * section header: 4 type u32, 24 offset u64, 32 size u64, 40 link u32; a symbol table (type 11) links to its strings.
 * The file is whatever some process runs, so every number in it is checked and every read bounded.
 */

/** Fills `target` from `position` and returns the bytes read; fewer at the end of the file. */
export type ReadAt = (target: Buffer, position: number) => number;

interface Section {
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
}

const FILE_HEADER_BYTES = 64;
const SECTION_HEADER_BYTES = 64;
/** Magic, 64-bit, little-endian. */
const IDENTIFICATION = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const DYNAMIC_SYMBOLS = 11;
const STRING_TABLE = 3;
/** Executables have some forty sections. */
const MAX_SECTIONS = 4096;
/** Chromium's and Node's tables have a few megabytes. */
const MAX_STRING_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const MAX_SYMBOL_BYTES = 4096;

/** True when the name stands in the table as a whole, defined or imported alike. */
export function elfHasDynamicName(readAt: ReadAt, name: string): boolean {
  const wanted = Buffer.from(`\0${name}\0`);
  if (name === '' || name.includes('\0') || wanted.length > MAX_SYMBOL_BYTES) return false;
  const strings = findDynamicStrings(readAt);
  return strings !== null && contains(readAt, strings, wanted);
}

function findDynamicStrings(readAt: ReadAt): Section | null {
  const header = readExactly(readAt, FILE_HEADER_BYTES, 0);
  if (header === null || !header.subarray(0, IDENTIFICATION.length).equals(IDENTIFICATION)) return null;
  const tableOffset = Number(header.readBigUInt64LE(40));
  const count = header.readUInt16LE(60);
  if (header.readUInt16LE(58) !== SECTION_HEADER_BYTES || count > MAX_SECTIONS) return null;
  const table = readExactly(readAt, count * SECTION_HEADER_BYTES, tableOffset);
  if (table === null) return null;
  for (let at = 0; at < count; at++) {
    const section = sectionAt(table, at);
    if (section.type !== DYNAMIC_SYMBOLS || section.link >= count) continue;
    const strings = sectionAt(table, section.link);
    if (strings.type === STRING_TABLE && strings.size <= MAX_STRING_BYTES) return strings;
  }
  return null;
}

function sectionAt(table: Buffer, at: number): Section {
  const start = at * SECTION_HEADER_BYTES;
  return {
    type: table.readUInt32LE(start + 4),
    offset: Number(table.readBigUInt64LE(start + 24)),
    size: Number(table.readBigUInt64LE(start + 32)),
    link: table.readUInt32LE(start + 40),
  };
}

/**
 * The table begins with a NUL, so each name has one on both sides. Chunks overlap by the length that a match may
 * straddle.
 */
function contains(readAt: ReadAt, strings: Section, wanted: Buffer): boolean {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, strings.size));
  const step = CHUNK_BYTES - wanted.length + 1;
  for (let from = 0; from < strings.size; from += step) {
    const target = chunk.subarray(0, strings.size - from);
    const length = isReadable(strings.offset + from) ? readAt(target, strings.offset + from) : 0;
    if (target.subarray(0, length).includes(wanted)) return true;
    if (length < target.length) return false;
  }
  return false;
}

function readExactly(readAt: ReadAt, length: number, position: number): Buffer | null {
  if (!isReadable(position)) return null;
  const target = Buffer.allocUnsafe(length);
  return readAt(target, position) === length ? target : null;
}

/** A position of a real file; anything larger came from a forged header. */
function isReadable(position: number): boolean {
  return position <= 2 ** 48;
}
