/** CRC-32 as in zip files: by zlib where Node has it, since 20.15. */
import zlib from 'node:zlib';

const POLYNOMIAL = 0xedb88320;

function makeTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? POLYNOMIAL ^ (sum >>> 1) : sum >>> 1;
    return sum;
  });
}

let table: Int32Array | null = null;

export function slowCrc32(bytes: Uint8Array): number {
  table ??= makeTable();
  let sum = -1;
  for (let at = 0; at < bytes.length; at++) sum = (table[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  return ~sum >>> 0;
}

const byZlib: ((bytes: Uint8Array) => number) | undefined = zlib.crc32;

export const crc32 = byZlib ?? slowCrc32;
