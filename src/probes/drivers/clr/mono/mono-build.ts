/** Reads facts about a Mono runtime from its file. */
import { runtimeFileReader } from '../runtime-file.ts';

/** A version number alone: `6.8.0.105`. */
const VERSION = /\0(\d{1,2}\.\d{1,2}\.\d{1,3}\.\d{1,4})\0/;

/**
 * The format of the texts in an attach. All have a length before them; in `terminated` a NUL follows, which the length
 * does not include. The wrong format ends the program. Null if it accepts no attaches, or none in a known format.
 */
export type MonoFrame = 'terminated' | 'counted' | null;

export interface MonoBuild {
  readonly version: string | null;
  readonly frame: MonoFrame;
}

const UNKNOWN: MonoBuild = { version: null, frame: null };
const read = runtimeFileReader(parseMonoBuild);

/** `path`: the executable, or its runtime library. */
export function readMonoBuild(path: string): MonoBuild {
  return read(path) ?? UNKNOWN;
}

/** Recognises the format by assertions of the source, which the file contains as text. */
export function parseMonoBuild(bytes: Buffer): MonoBuild {
  const takesAttach = bytes.includes('.mono_attach_pid') && bytes.includes('/tmp/mono-%s');
  const isTerminated = bytes.includes('content_len >= 10 && !memcmp');
  const isCounted = bytes.includes('!strcmp (cmd, "attach")');
  const frame = isTerminated === isCounted ? null : isTerminated ? 'terminated' : 'counted';
  return { version: versionIn(bytes), frame: takesAttach ? frame : null };
}

function versionIn(bytes: Buffer): string | null {
  return VERSION.exec(bytes.toString('latin1'))?.[1] ?? null;
}
