/**
 * Objects of the app without a variable, export or global, which only the objects that keep the process alive lead to:
 * the `this` of its arrow functions, receivers of bound functions, objects behind listeners. The tree holds what it
 * shows, so each is released when the search no longer meets it.
 */
import { className } from './classify.ts';
import type { Place, Receivers } from './receivers.ts';
import type { ScopeRegistry } from './scope-registry.ts';
import { moduleName } from './scripts.ts';

const MAX_HELD = 24;
/** The limit per class, as for connections; an object that holds all of them is a better place. */
const MAX_OF_CLASS = 3;
/** Number of consecutive searches that may miss it: it may come and go with the activity of the app. */
const MAX_MISSED = 3;

interface Held {
  readonly name: string;
  readonly kind: string;
  readonly object: object;
  /** The arrow function with this `this`; null if it was reached otherwise. */
  readonly place: Place | null;
  /** No search will meet it: it stays until the daemon is gone. */
  readonly isFromHeap: boolean;
  missed: number;
}

export class HeldObjects {
  private held: Held[] = [];
  private readonly registry: ScopeRegistry;

  constructor(registry: ScopeRegistry) {
    this.registry = registry;
  }

  objects(): object[] {
    return this.held.map(({ object }) => object);
  }

  has(object: object): boolean {
    return this.held.some((held) => held.object === object);
  }

  /** Returns true if it is new. */
  add(object: object, place: Place | null, isFromHeap = false): boolean {
    const known = this.held.find((held) => held.object === object);
    if (known) {
      known.missed = 0;
      return false;
    }
    const type = className(object);
    const kind = type === null || type === 'Object' ? nameOfPlace(place) : lowerCamel(type);
    if (this.held.length >= MAX_HELD || this.held.filter((held) => held.kind === kind).length >= MAX_OF_CLASS)
      return false;
    const origin = place ? `this of an arrow function in ${place.path}` : originOf(isFromHeap);
    const name = this.registry.hold(object, kind, origin, place?.minified ?? false);
    this.held.push({ name, kind, object, place, isFromHeap, missed: 0 });
    return true;
  }

  /** Call it after a complete search that did not start from these objects. */
  settle(met: ReadonlySet<unknown>, receivers: Receivers): void {
    this.held = this.held.filter((held) => {
      const fn = held.place?.fn.deref();
      if (held.isFromHeap || met.has(held.object) || (fn && met.has(fn))) held.missed = 0;
      else {
        held.missed++;
        // Another function was created at the same place: its next call shows whether it is for this object.
        if (held.place && receivers.isMet(held.place)) receivers.watchAgain(held.place);
      }
      if (held.missed <= MAX_MISSED) return true;
      this.registry.release(held.name);
      return false;
    });
  }
}

const originOf = (isFromHeap: boolean) =>
  isFromHeap ? 'an object in the heap' : 'an object that the event loop holds';

function nameOfPlace(place: Place | null): string {
  return place ? moduleName(place.path) : 'held';
}

/** `Mock` -> `mock`, `HTTPServer` -> `httpServer`; compilers add a leading `_`. */
export function lowerCamel(name: string): string {
  const plain = name.replace(/^_+(?=.)/, '');
  return plain.replace(/^(?:[A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (capitals) => capitals.toLowerCase());
}
