/** Selects the shapes to store: not all, since maps with changing keys make ever new ones. */
import { pathPattern } from '../model/path.ts';

export const MAX_SHAPES = 5000;
/** An object with more names than this is a dictionary: its further keys leave the room to others. */
const MAX_NAMES = 200;

export class ShapeBudget {
  private shapes = 0;
  /** The number of names directly below each prefix of a stored shape. */
  private readonly names = new Map<string, number>();

  constructor(stored: readonly string[]) {
    for (const shape of stored) this.store(shape);
  }

  /** Returns false if there is no room for it. */
  take(shape: string): boolean {
    if (this.shapes >= MAX_SHAPES) return false;
    const prefixes = prefixesOf(shape);
    // The first one is a variable of the app: those are no dictionary.
    const parent = prefixes.findIndex((prefix) => !this.names.has(prefix)) - 1;
    const below = prefixes[parent];
    if (below !== undefined && (this.names.get(below) ?? 0) >= MAX_NAMES) return false;
    this.store(shape);
    return true;
  }

  private store(shape: string): void {
    this.shapes++;
    let parent: string | null = null;
    for (const prefix of prefixesOf(shape)) {
      if (!this.names.has(prefix)) {
        this.names.set(prefix, 0);
        if (parent !== null) this.names.set(parent, (this.names.get(parent) ?? 0) + 1);
      }
      parent = prefix;
    }
  }
}

/** `a.b["c"]` -> `a`, `a.b`, `a.b["c"]`. Elements of a list are one name. Runs once for each new name: by hand, for speed. */
function prefixesOf(shape: string): string[] {
  const pattern = pathPattern(shape);
  const prefixes: string[] = [];
  let quoted = false;
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at];
    if (quoted && letter === '\\') at++;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && at > 0 && (letter === '.' || letter === '[')) prefixes.push(pattern.slice(0, at));
  }
  prefixes.push(pattern);
  return prefixes;
}
