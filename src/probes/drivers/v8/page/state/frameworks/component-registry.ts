/**
 * State of components, under readable names. Each search lists the components anew; between searches the values are
 * read through objects that stay the same while a component lives.
 */

import type { Found, Method } from '../found.ts';
import { isLibraryId } from '../generated.ts';
import { freeName, isMinified } from '../naming.ts';
import { attempt, isObject } from '../safe.ts';

const MAX_COMPONENTS = 500;
const MAX_UNNAMED = 100;
const MAX_GUESSED = 500;
/** From this level on, the content of a component is checked with it. */
const AHEAD = 1;
/** Components that are processed without checking the clock. */
const AT_ONCE = 16;
/** Parts of libraries, whose state is only about their look. */
const WIDGETS = /^(?:mui)?TouchRipple|^reactAutosuggest|^(?:Autosuggest|Autowhatever|AutoSizer|CellMeasurer)$/i;
/** Fields that libraries use internally. */
const BOOKKEEPING = new Set(['instanceProps']);

export interface ComponentSlot {
  /** Null if nothing names it. */
  readonly name: string | null;
  /** The name comes from the text beside the value. */
  readonly isGuessed?: boolean;
  read(): unknown;
}

/** A component may hold a Proxy of the app, which must not be read. */
export interface ComponentGuard {
  /** True if it is known to be none. */
  isOpen(value: unknown, depth?: number): boolean;
  /** True if its kind is known. */
  allows(value: unknown): boolean;
  trust(value: object): void;
}

export interface ComponentState {
  /** An object that stays the same while it lives. */
  readonly identity: object;
  /** Empty if nothing names it. */
  readonly name: string;
  /** The name comes from the elements that it shows. */
  readonly isGuessed?: boolean;
  /** One of a list of its kind. */
  readonly listed: boolean;
  readonly slots: readonly ComponentSlot[];
  methods?(): Method[];
}

interface ShownSlot {
  readonly key: string;
  read(): unknown;
  /** Its last value. */
  given: unknown;
}

interface Shown {
  /** Its key below `components`; empty for elements of a list. */
  readonly key: string;
  readonly component: ComponentState;
  readonly target: Record<string, unknown>;
  readonly slots: ShownSlot[];
}

export class ComponentRegistry {
  readonly view: Record<string, unknown> = Object.create(null);
  /** Objects of this registry: they represent variables, not data of the app. */
  readonly holders = new WeakSet<object>([this.view]);
  leftOut = 0;
  private readonly origin: string;
  private readonly guard: ComponentGuard;
  private next: ComponentState[] = [];
  private shown: Shown[] = [];
  private unnamed: Found[] = [];
  private readonly guessed = new Set<string>();
  /** The first name of each: the source of a name may change while it lives. */
  private readonly names = new WeakMap<object, string>();

  constructor(origin: string, guard: ComponentGuard) {
    this.origin = origin;
    this.guard = guard;
    guard.trust(this.view);
  }

  beginSearch(): void {
    this.next = [];
  }

  get isFull(): boolean {
    return this.next.length >= MAX_COMPONENTS;
  }

  add(component: ComponentState): void {
    if (component.slots.length === 0 || WIDGETS.test(component.name)) return;
    if (this.isFull) this.leftOut++;
    else this.next.push(this.withFirstName(component));
  }

  private withFirstName(component: ComponentState): ComponentState {
    const { identity, name } = component;
    const first = this.names.get(identity) ?? name;
    if (first !== '') this.names.set(identity, first);
    return first === name ? component : { ...component, name: first };
  }

  /** Yields where it can be interrupted, before anything shown is removed. */
  *endSearch(add: (found: Found) => void): Generator<void, void, void> {
    // Everything is known before anything is read: an object that several components hold belongs to the first.
    for (const [at, { slots }] of this.next.entries()) {
      for (const { read } of slots) this.guard.isOpen(attempt(read, 'ComponentRegistry.ahead'), AHEAD);
      if (at % AT_ONCE === 0) yield;
    }
    for (const found of this.showAll()) add(found);
  }

  private showAll(): Found[] {
    for (const name of Object.keys(this.view)) delete this.view[name];
    this.shown = [];
    this.unnamed = [];
    this.guessed.clear();
    const taken = new Set<string>();
    const lists = new Map<string, unknown[]>();
    for (const component of this.next) {
      if (component.name === '') this.addUnnamed(component);
      else this.show(component, taken, lists);
    }
    const found: Found[] = this.shown.length > 0 ? [this.asFound()] : [];
    return [...found, ...this.unnamed];
  }

  private asFound(): Found {
    return {
      kind: 'components',
      id: '',
      wanted: 'components',
      origin: this.origin,
      identity: this.view,
      stable: false,
      mangled: false,
      guessed: () => [...this.guessed].slice(0, MAX_GUESSED),
      read: () => {
        this.refresh();
        return this.view;
      },
      methods: () => this.methods(),
    };
  }

  private methods(): Method[] {
    return this.shown.flatMap(({ key, component }) =>
      key === '' ? [] : (component.methods?.() ?? []).map((method) => ({ ...method, name: `${key}.${method.name}` })),
    );
  }

  private refresh(): void {
    for (const { target, slots } of this.shown) {
      for (const slot of slots) {
        const value = attempt(slot.read, 'ComponentRegistry.read');
        if (slot.given === value) continue;
        slot.given = value;
        target[slot.key] = stateOf(value);
      }
    }
  }

  private show(component: ComponentState, taken: Set<string>, lists: Map<string, unknown[]>): void {
    const { name, listed, slots } = component;
    const [only] = slots;
    // A single object without a name: its fields become those of the component.
    if (
      only &&
      slots.length === 1 &&
      only.name === null &&
      !listed &&
      this.isPlain(attempt(() => only.read(), 'ComponentRegistry.only'))
    ) {
      const key = take(name, taken);
      if (component.isGuessed) this.guessed.add(key);
      this.shown.push({ key, component, target: this.view, slots: [{ key, read: only.read, given: undefined }] });
      return;
    }
    const target: Record<string, unknown> = Object.create(null);
    this.hold(target);
    const used = new Set<string>();
    const guessed: string[] = [];
    const named = slots
      .filter((slot) => slot.name === null || !BOOKKEEPING.has(slot.name))
      .map((slot) => {
        const key = take(slot.name ?? 'state', used);
        if (slot.isGuessed && slot.name !== null) guessed.push(key);
        return { key, read: slot.read, given: undefined };
      });
    const list = lists.get(name) ?? [];
    if (!listed || list.length === 0) {
      const key = take(name, taken);
      if (component.isGuessed) this.guessed.add(key);
      else for (const slot of guessed) this.guessed.add(`${key}.${slot}`);
      this.view[key] = listed ? list : target;
      this.shown.push({ key: listed ? '' : key, component, target, slots: named });
    } else this.shown.push({ key: '', component, target, slots: named });
    if (!listed) return;
    lists.set(name, list);
    this.hold(list);
    list.push(target);
  }

  private hold(holder: object): void {
    this.holders.add(holder);
    this.guard.trust(holder);
  }

  private isPlain(value: unknown): boolean {
    return isObject(value) && this.guard.isOpen(value) && Object.getPrototypeOf(value) === Object.prototype;
  }

  /** Each value on its own: the engine shows the names inside it, and makes the rest opaque. */
  private addUnnamed({ identity, slots }: ComponentState): void {
    for (const [at, { name, read }] of slots.entries()) {
      if (this.unnamed.length >= MAX_UNNAMED) {
        this.leftOut++;
        return;
      }
      this.unnamed.push({
        kind: 'unnamed',
        id: '',
        wanted: name ?? '',
        origin: this.origin,
        identity: slotIdentity(identity, at),
        stable: false,
        mangled: name === null || isMinified(name),
        read: steady(() => stateOf(read()), this.guard.allows),
      });
    }
  }
}

const identities = new WeakMap<object, object[]>();

function slotIdentity(component: object, at: number): object {
  const known = identities.get(component) ?? [];
  identities.set(component, known);
  const identity = known[at] ?? {};
  known[at] = identity;
  return identity;
}

function take(name: string, taken: Set<string>): string {
  const free = freeName(name, taken);
  taken.add(free);
  return free;
}

/** An id generated by a library is no state: it differs after each load. */
function stateOf(value: unknown): unknown {
  return typeof value === 'string' && isLibraryId(value) ? undefined : value;
}

/** The old value stays until the kind of the new value is known. */
export function steady(read: () => unknown, allows: (value: unknown) => boolean): () => unknown {
  let last: unknown;
  return () => {
    const value = read();
    if (allows(value)) last = value;
    return last;
  };
}
