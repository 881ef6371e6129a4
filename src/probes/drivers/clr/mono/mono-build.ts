/** What the file of a Mono runtime tells about it. */
import { runtimeFileReader } from '../runtime-file.ts';

/** A version without a word around it: `6.8.0.105`. */
const VERSION = /\0(\d{1,2}\.\d{1,2}\.\d{1,3}\.\d{1,4})\0/;

/**
 * How it wants the texts of an attach: `terminated` with a NUL behind each, which is not counted, or `counted` by their
 * length alone. One that gets the other ends its program. Null: it takes no attaches, or none that is known.
 */
export type MonoFrame = 'terminated' | 'counted' | null;

export interface MonoBuild {
  readonly version: string | null;
  readonly frame: MonoFrame;
}

const UNKNOWN: MonoBuild = { version: null, frame: null };
const read = runtimeFileReader(parseMonoBuild);

/** `path`: the executable, or the library that it has the runtime from. */
export function readMonoBuild(path: string): MonoBuild {
  return read(path) ?? UNKNOWN;
}

/** Assertions of its source stand in it as text, and they differ with the format. */
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
