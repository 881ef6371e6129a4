/** The meaning of single values and names. Pure. */
import { joinPath, parsePath } from '../../model/path.ts';
import type { Scalar } from '../../model/scalar.ts';

/** Shorter texts, and numbers below ten, are everywhere. */
const SHORTEST_SAMPLE = 3;
const LONGEST_SAMPLE = 200;
const STAR = /\[\*\]/g;

export function stepsOf(name: string): string[] {
  const path = parsePath(name.replace(STAR, '[0]'));
  return path === null ? [name] : path.map((step) => (typeof step === 'number' ? '*' : step));
}

/** The pattern of another name in the same object. */
export function siblingOf(pattern: string, last: string, other: string): string {
  const rest = pattern.slice(0, pattern.length - joinPath('', last).length);
  return joinPath(rest.endsWith('.') ? rest.slice(0, -1) : rest, other);
}

/** `codes.E17 = "E17"`, `counters.requests.name = "requests"`: a table that repeats its keys. */
export function isOwnName(steps: readonly string[], sample: string): boolean {
  const text = plain(sample);
  return text !== '' && steps.slice(-2).some((step) => plain(step) === text);
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

export function sampleOf(value: Scalar): string | null {
  if (typeof value === 'number') return Math.abs(value) >= 10 ? String(value) : null;
  if (typeof value !== 'string') return null;
  return value.length >= SHORTEST_SAMPLE && value.length <= LONGEST_SAMPLE ? value : null;
}

export function count(counts: Map<string, number>, what: string, by: 1 | -1): number {
  const now = (counts.get(what) ?? 0) + by;
  if (now > 0) counts.set(what, now);
  else counts.delete(what);
  return now;
}
