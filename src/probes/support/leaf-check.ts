/**
 * Checks the leaves of a target, which are untrusted input: nothing in them may make the daemon run out of memory or
 * fail.
 */
import type { LeafUpdate } from '../../model/leaves.ts';
import { isRecord } from '../../model/record.ts';
import type { Scalar } from '../../model/scalar.ts';
import { REDACTED } from '../../model/secrets.ts';
import { WALK_LIMITS } from '../insight/walk-rules.ts';

const MAX_PATH_LENGTH = 20_000;
const MAX_STRING_LENGTH = 100_000;
/**
 * The agents cut texts here, and write the original length. A longer text comes from something else, and is cut, too.
 */
const SHOWN_LENGTH = WALK_LIMITS.maxText;
const MARK_LENGTH = 40;

/** For targets that number their roots: converts sent paths into shown ones. */
export interface PathNaming {
  named(path: string): string;
  /** The text of an object that is shown elsewhere. */
  reference(path: string): string;
}

/** Throws unless it is a leaf update of at most `maxKeys` leaves. The cost follows the size of the update. */
export function checkLeaves(value: unknown, maxKeys: number, naming: PathNaming | null = null): LeafUpdate {
  if (!isRecord(value)) throw malformed('it is no object');
  if (value.kind === 'same') return { kind: 'same' };
  if (value.kind === 'full') {
    const { paths, values } = value;
    if (!Array.isArray(paths) || !Array.isArray(values) || paths.length !== values.length)
      throw malformed('paths and values do not match');
    if (paths.length > maxKeys) throw malformed('it has too many leaves');
    for (let at = 0; at < paths.length; at++) paths[at] = checkedPath(paths[at], naming);
    for (let at = 0; at < values.length; at++) values[at] = checkedScalar(values[at], naming);
    return { kind: 'full', paths, values };
  }
  if (value.kind !== 'delta') throw malformed('its kind is unknown');
  const { changed, added, removed } = value;
  if (!Array.isArray(changed) || !Array.isArray(added) || !Array.isArray(removed)) throw malformed('a list is missing');
  // Numbers of removed leaves stay unused until the next full table, which comes before most of them are.
  const maxSlot = 4 * maxKeys + 100_000;
  for (const entry of changed) {
    checkSlot(entry?.[0], maxSlot);
    entry[1] = checkedScalar(entry[1], naming);
  }
  for (const entry of added) {
    checkSlot(entry?.[0], maxSlot);
    entry[1] = checkedPath(entry[1], naming);
    entry[2] = checkedScalar(entry[2], naming);
  }
  for (const slot of removed) checkSlot(slot, maxSlot);
  return { kind: 'delta', changed, added, removed };
}

function checkSlot(slot: unknown, max: number): void {
  if (!Number.isInteger(slot) || Number(slot) < 0 || Number(slot) > max)
    throw malformed('a slot number is out of range');
}

function checkedPath(path: unknown, naming: PathNaming | null): string {
  if (typeof path !== 'string' || path.length > MAX_PATH_LENGTH)
    throw malformed('a path is no text of reasonable length');
  return naming === null ? path : naming.named(path);
}

function checkedScalar(value: unknown, naming: PathNaming | null): Scalar {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (naming !== null && Array.isArray(value)) return unread(value, naming);
  if (typeof value !== 'string') throw malformed('a value is no scalar');
  if (value.length <= SHOWN_LENGTH + MARK_LENGTH) return value;
  if (value.length > MAX_STRING_LENGTH) throw malformed('a text is too long');
  return `${value.slice(0, SHOWN_LENGTH)}… [${value.length} characters]`;
}

/** The text in the place of a value that was not sent: `[path]` if it is shown there, `[null, type]` if it is a secret. */
export function unread([path]: readonly unknown[], naming: PathNaming): string {
  return path === null ? REDACTED : naming.reference(checkedPath(path, null));
}

function malformed(why: string): Error {
  return new Error(`the target sent a malformed update: ${why}`);
}
