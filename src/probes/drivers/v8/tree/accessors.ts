/**
 * Properties that are code: reading or writing one may do anything. The daemon judges them with the method that uses
 * them.
 */

export interface Accessor {
  readonly name: string;
  /** The sources of its two functions, or null. */
  readonly get: string | null;
  readonly set: string | null;
}

type Describe = (object: object, name: string) => PropertyDescriptor | undefined;

const NAME = /[A-Za-z_$][\w$]*/g;
const MAX_NAMES = 300;
const MAX_ACCESSORS = 20;
const MAX_SOURCE = 2000;
/** Longer chains do not occur; a Proxy could pretend an endless one. */
const MAX_PROTOTYPES = 16;

const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object;
const { apply } = Reflect;
const functionToString = Function.prototype.toString;

/** Accessors of `holder` that a method with this source may use by name. */
export function accessorsUsed(
  holder: object,
  source: string,
  describe: Describe = (object, name) => getOwnPropertyDescriptor(object, name),
): Accessor[] {
  const found: Accessor[] = [];
  const names = new Set<string>();
  for (const [name] of source.matchAll(NAME)) {
    if (names.size >= MAX_NAMES || found.length >= MAX_ACCESSORS) break;
    if (names.has(name)) continue;
    names.add(name);
    const descriptor = lookUp(holder, name, describe);
    if (descriptor?.get || descriptor?.set)
      found.push({ name, get: sourceOf(descriptor.get), set: sourceOf(descriptor.set) });
  }
  return found;
}

/** Most objects have none: then no source has to be searched for their names. */
export function hasAccessors(holder: object, describe: Describe): boolean {
  let at: object | null = holder;
  for (let depth = 0; at !== null && at !== Object.prototype && depth < MAX_PROTOTYPES; depth++) {
    for (const name of getOwnPropertyNames(at)) {
      const descriptor = describe(at, name);
      if (descriptor?.get || descriptor?.set) return true;
    }
    at = getPrototypeOf(at);
  }
  return false;
}

function lookUp(holder: object, name: string, describe: Describe): PropertyDescriptor | null {
  let at: object | null = holder;
  for (let depth = 0; at !== null && at !== Object.prototype && depth < MAX_PROTOTYPES; depth++) {
    const descriptor = describe(at, name);
    if (descriptor) return descriptor;
    at = getPrototypeOf(at);
  }
  return null;
}

/** A source that is too long to be read counts as unknown. */
function sourceOf(fn: unknown): string | null {
  return typeof fn === 'function' ? apply(functionToString, fn, []).slice(0, MAX_SOURCE) : null;
}
