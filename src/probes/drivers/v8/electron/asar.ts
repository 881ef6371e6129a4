/**
 * Reads one small file from an asar archive, the package format of Electron apps. Layout:
 * u32 4 | u32 header bytes | u32 payload bytes | u32 JSON bytes | JSON text | padding | contents of the files
 * The JSON is a tree of `{files: {name: {size, offset}}}` with offsets (as text) from the end of the header.
 * Any process may run any archive, so every number in it is checked and every read limited.
 */
import * as z from 'zod';
import { type ReadAt, usePlainFile } from '../../../support/plain-file.ts';

const PREFIX_BYTES = 16;
/** The part before the header's own length counts. */
const LENGTH_BYTES = 8;
const MAX_HEADER_BYTES = 32 * 1024 * 1024;
const MAX_FILE_BYTES = 1024 * 1024;

const entry = z.object({ size: z.number().int().min(0).max(MAX_FILE_BYTES), offset: z.string().regex(/^\d{1,15}$/) });
const header = z.object({ files: z.record(z.string(), z.unknown()) });

/** A file at the top of the archive; null if there is none, or none that can be read. */
export function readAsarFile(archive: string, name: string): string | null {
  return usePlainFile(archive, (readAt) => readFrom(readAt, name));
}

function readFrom(readAt: ReadAt, name: string): string | null {
  const prefix = readExactly(readAt, PREFIX_BYTES, 0);
  const headerBytes = prefix.readUInt32LE(4);
  const jsonBytes = prefix.readUInt32LE(12);
  if (prefix.readUInt32LE(0) !== 4 || jsonBytes > MAX_HEADER_BYTES || jsonBytes > headerBytes) return null;
  const { files } = header.parse(JSON.parse(readExactly(readAt, jsonBytes, PREFIX_BYTES).toString('utf8')));
  const found = entry.safeParse(Object.hasOwn(files, name) ? files[name] : undefined).data;
  if (!found) return null;
  return readExactly(readAt, found.size, LENGTH_BYTES + headerBytes + Number(found.offset)).toString('utf8');
}

function readExactly(readAt: ReadAt, length: number, position: number): Buffer {
  const target = Buffer.alloc(length);
  if (readAt(target, position) !== length) throw new Error('the archive ends too early');
  return target;
}
