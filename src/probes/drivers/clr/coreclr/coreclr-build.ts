/** Reads the version from the library of .NET: the text `@(#)Version 9.0.124.61010`. */
import { runtimeFileReader } from '../runtime-file.ts';

const MARK = '@(#)Version ';
const MAX_LENGTH = 40;

const read = runtimeFileReader(parseCoreClrVersion);

/** `9.0.1`; null if it has no such text. */
export function readCoreClrVersion(library: string): string | null {
  return read(library) ?? null;
}

/** The third number is the patch, and two digits of the year. Before .NET 5 all numbers meant something else. */
export function parseCoreClrVersion(bytes: Buffer): string | null {
  const at = bytes.indexOf(MARK, 0, 'latin1') + MARK.length;
  if (at < MARK.length) return null;
  const text = bytes.toString('latin1', at, at + MAX_LENGTH);
  const [, major = '', minor = '', patch = ''] = /^(\d{1,2})\.(\d{1,2})\.(\d{2,5})\.\d/.exec(text) ?? [];
  return Number(major) < 5 ? null : `${major}.${minor}.${Math.floor(Number(patch) / 100)}`;
}
