/**
 * Finds objects that only the `this` of arrow functions leads to, as in most servers written as classes. The arrow
 * functions that the search reaches are watched, a few at a time, until each was called once.
 */

import { usesOuterThis } from './arrow-source.ts';
import { quietValue } from './quiet.ts';
import type { CallWatcher, FunctionView } from './reflecting.ts';
import { scriptPath } from './scripts.ts';
import { textOf } from './search-queue.ts';

/** More would slow down a call that meets them all: each costs it about 0.5 ms. */
const MAX_WATCHED = 8;
const MAX_PLACES = 300;

const { getPrototypeOf } = Object;

/** The place of an arrow function in the source: a breakpoint of the inspector is for all functions created there. */
export interface Place {
  readonly path: string;
  readonly minified: boolean;
  /** The last one of them that was met. */
  fn: WeakRef<object>;
  isTimer: boolean;
  /** A server calls it for each request: its object is the heart of the server. */
  isHandler: boolean;
  /** An object of the surrounding class was met: probably the one. */
  isKnown: boolean;
  /** The walk in which one was last met. */
  metIn: number;
  /** How often it was watched in vain. */
  rounds: number;
  isDone: boolean;
  /** Ends the watch; null if it is not watched. */
  stop: (() => void) | null;
}

interface Hit {
  readonly place: Place;
  readonly receiver: WeakRef<object>;
}

export class Receivers {
  private readonly watcher: CallWatcher;
  private readonly places = new Map<string, Place>();
  /** The places of functions that were met; null if they use no outer `this`. */
  private readonly placeOf = new WeakMap<object, Place | null>();
  private hits: Hit[] = [];
  private walk = 0;
  private isWaiting = false;
  /** The walk that met a handler of requests which needs no object. */
  private plainIn = -1;

  constructor(watcher: CallWatcher) {
    this.watcher = watcher;
  }

  beginWalk(): void {
    this.walk++;
  }

  /** Called for each function of the app that the search meets, or of a library that handles requests. */
  note(fn: object, view: FunctionView | null, isHandler = false): void {
    if (!this.watcher.canWatchCalls) return;
    let place = this.placeOf.get(fn);
    if (place === undefined && view) {
      place = this.findPlace(fn, view);
      this.placeOf.set(fn, place);
    }
    if (isHandler && place === null) this.plainIn = this.walk;
    if (!place) return;
    place.isHandler ||= isHandler;
    // The first one met in a walk represents all, unless the known one is met, too.
    if (place.metIn !== this.walk && place.fn.deref() === undefined) place.fn = new WeakRef(fn);
    place.metIn = this.walk;
  }

  /** Marks functions that are called by the clock. */
  noteTimers(fns: readonly unknown[]): void {
    for (const fn of fns) {
      const place = typeof fn === 'function' ? this.placeOf.get(fn) : null;
      if (place) place.isTimer = true;
    }
  }

  /** `met`: objects that the search has met. */
  noteObjects(met: Iterable<unknown>): void {
    const open = this.openHandlers.filter(({ isKnown }) => !isKnown);
    if (open.length === 0) return;
    const sources = [...classesOf(met)].map(textOf);
    for (const place of open) place.isKnown = isWithin(place, sources);
  }

  /**
   * True if the handler of a server's requests has an object that was not found yet, and no other handler works without
   * one.
   */
  get isBlind(): boolean {
    return this.plainIn !== this.walk && this.openHandlers.some(({ isKnown }) => !isKnown);
  }

  private get openHandlers(): Place[] {
    return [...this.places.values()].filter((place) => place.isHandler && !place.isDone && this.isMet(place));
  }

  /** True if a function of this place was met in the last walk. */
  isMet(place: Place): boolean {
    return place.metIn === this.walk;
  }

  watchAgain(place: Place): void {
    place.isDone = false;
  }

  takeHits(): { place: Place; receiver: object }[] {
    const taken = this.hits.flatMap(({ place, receiver }) => {
      const object = receiver.deref();
      return object ? [{ place, receiver: object }] : [];
    });
    this.hits = [];
    return taken;
  }

  /**
   * Watches the next ones in turn. `shown`: classes with an object in the state; their arrow functions probably lead to
   * known objects, and come last. `rotate`: functions that were not called are replaced by others.
   */
  watch(shown: ReadonlySet<object>, rotate: boolean): void {
    const open = [...this.places.values()].filter((place) => !place.isDone && place.fn.deref());
    if (rotate) for (const place of open) this.giveWay(place, open.length);
    const sources = open.length === 0 ? [] : [...shown].map(textOf);
    const unknown = open.filter((place) => !place.isKnown && !isWithin(place, sources));
    this.isWaiting = unknown.some(({ isHandler }) => !isHandler || this.isBlind);
    const order = [...unknown, ...open.filter((place) => !unknown.includes(place))];
    order.sort((one, other) => one.rounds - other.rounds);
    let count = open.filter(({ stop }) => stop !== null).length;
    for (const place of order) {
      if (count >= MAX_WATCHED) return;
      if (place.stop === null && this.begin(place)) count++;
    }
  }

  /** The event that reveals more state, or null. */
  waitsFor(hasServer: boolean): string | null {
    const watched = [...this.places.values()].filter(({ stop }) => stop !== null);
    if (!this.isWaiting || watched.length === 0) return null;
    if (watched.every(({ isTimer }) => isTimer)) return 'the next call of a timer';
    return hasServer ? 'the next request of this server' : 'the next event of this program';
  }

  private findPlace(fn: object, { script, line, column }: FunctionView): Place | null {
    const key = `${script.id}:${line}:${column}`;
    const known = this.places.get(key);
    if (known) return known;
    if (this.places.size >= MAX_PLACES || !usesOuterThis(textOf(fn))) return null;
    const place: Place = {
      path: scriptPath(script),
      minified: script.minified,
      fn: new WeakRef(fn),
      isTimer: false,
      isHandler: false,
      isKnown: false,
      metIn: this.walk,
      rounds: 0,
      isDone: false,
      stop: null,
    };
    this.places.set(key, place);
    return place;
  }

  private begin(place: Place): boolean {
    const fn = place.fn.deref();
    if (!fn) return false;
    place.stop = this.watcher.watchCall(fn, (receiver) => {
      place.stop = null;
      place.isDone = true;
      if (typeof receiver === 'object' && receiver !== null) this.hits.push({ place, receiver: new WeakRef(receiver) });
    });
    if (place.stop === null) place.isDone = true;
    return place.stop !== null;
  }

  private giveWay(place: Place, open: number): void {
    if (place.stop === null || open <= MAX_WATCHED) return;
    place.stop();
    place.stop = null;
    place.rounds++;
  }
}

function classesOf(met: Iterable<unknown>): Set<object> {
  const prototypes = new Set<object>();
  for (const object of met) {
    if (typeof object !== 'object' || object === null) continue;
    const prototype: object | null = getPrototypeOf(object);
    // A prototype is no object of its class.
    if (prototype !== null && prototype !== Object.prototype && quietValue(object, 'constructor') === undefined)
      prototypes.add(prototype);
  }
  const makers = new Set<object>();
  for (const prototype of prototypes) {
    const maker = quietValue(prototype, 'constructor');
    if (typeof maker === 'function') makers.add(maker);
  }
  return makers;
}

function isWithin(place: Place, sources: readonly string[]): boolean {
  const fn = place.fn.deref();
  const source = fn ? textOf(fn) : '';
  return sources.some((text) => text.includes(source));
}
