/** Names for unnamed values, and labels without collisions. Pure: the same page gets the same names after a reload. */

/** One root as input for the labels. */
export interface Labelled {
  readonly kind: string;
  readonly wanted: string;
  readonly mangled: boolean;
  /** Names of its first level; null if it has no fields, so that it needs a label. */
  readonly names: readonly string[] | null;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const MAX_NAME = 32;
const MAX_WORDS = 4;

/** Several stores without a name are numbered. */
const NUMBERED: Readonly<Record<string, string>> = { zustand: 'store', mobx: 'store' };

/** Keys that the daemon itself shows at the first level. */
export const RESERVED: ReadonlySet<string> = new Set(['tabs', 'dialog', 'frames', 'main']);

/** A label for each root, in their order. Hidden ones have the empty label. */
export function assignLabels(roots: readonly Labelled[], reserved: ReadonlySet<string> = RESERVED): string[] {
  const counts = new Map<string, number>();
  for (const { kind, wanted, mangled } of roots)
    if (wanted === '' && !mangled) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const taken = new Set<string>(reserved);
  return roots.map(({ kind, wanted, names, mangled }) => {
    if (mangled) return '';
    const numbered = NUMBERED[kind] !== undefined && (counts.get(kind) ?? 0) > 1;
    if (wanted === '' && !numbered && names !== null && !names.some((name) => taken.has(name))) {
      for (const name of names) taken.add(name);
      return '';
    }
    const base = wanted === '' ? ((numbered ? NUMBERED[kind] : undefined) ?? kind) : pathOf(wanted);
    const free = wanted !== '' && taken.has(wanted) ? `${kind}.${base}` : freeName(base, taken);
    taken.add(free);
    return free;
  });
}

/** `wanted`, or with the first free number. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(wanted + number)) return wanted + number;
}

/** A name as the first segment of a path. */
function pathOf(name: string): string {
  return IDENTIFIER.test(name) ? name : `[${JSON.stringify(name)}]`;
}

/** Part of an identifier: other characters become underscores. */
export function toIdentifier(text: string): string {
  return text.replace(/[^\w$]/g, '_').slice(0, 64);
}

/** Made by a minifier: `t`, `Xe`, `_r`, `e1`, `tR3`; not by one: `$tw`. */
export function isMinified(name: string): boolean {
  if (name.length <= 2) return true;
  if (name.length > 3 || /^\$[a-z]{2}$/i.test(name)) return false;
  // Three letters are a word (`Nav`, `App`, `row`) unless their case or a digit contradicts.
  return !/^[A-Z]?[a-z]+$|^[A-Z]+$/.test(name) || !/[aeiouyAEIOUY]/.test(name);
}

/** `Your cart:` -> `yourCart`; null if there is no word in it. */
export function camelName(text: string): string | null {
  const words = text
    .slice(0, 200)
    .replace(/[’']/g, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .match(/[A-Za-z][A-Za-z0-9]*/g);
  if (!words || words.length > 8) return null;
  const name = words
    .slice(0, MAX_WORDS)
    .map((word, at) => (at === 0 ? word.toLowerCase() : (word[0] ?? '').toUpperCase() + word.slice(1).toLowerCase()))
    .join('');
  return name.length < 2 || name.length > MAX_NAME ? null : name;
}
