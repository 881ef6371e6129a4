/** Objects of classes that the search met before any variable of the app: those nearest to the event loop first. */
import type * as UtilModule from 'node:util';
import { constructorOf } from './classify.ts';
import { isNative, quietValue } from './quiet.ts';
import type { Owner } from './scripts.ts';

const MAX_INSTANCES = 300;

/** Classes with many objects in every process: finding the owner of a class costs as much as inspecting a function. */
const RUNTIME_CLASSES =
  /^(?:(?:Readable|Writable)State|Timeout|Immediate|TimersList|Pipe|TCP|TTY|BufferList|Object|Function|Map|Set|Promise|Date|Error)$/;

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** If a class has more objects, one that holds them all is a better place. */
const FEW_OF_CLASS = 3;
/** Objects of the heap between two pauses. */
const AT_ONCE = 2000;

export interface HeapLook {
  ownerOf(maker: object): Owner | null;
  /** True when the budget is used up. */
  isSpent(): boolean;
}

export interface Taken {
  readonly app: readonly object[];
  readonly library: readonly object[];
  /** Objects of the app's classes that only a heap scan has found. */
  readonly heap: readonly object[];
}

export class Instances {
  private app = new Set<object>();
  private library = new Set<object>();
  private heap: object[] = [];
  /** From the heap: classes with few objects, and these. */
  private few: [object, object[]][] = [];
  private readonly ownerOf: (maker: object) => Owner | null;
  private readonly types: Pick<typeof UtilModule.types, 'isProxy'>;

  constructor(ownerOf: (maker: object) => Owner | null, types: Pick<typeof UtilModule.types, 'isProxy'>) {
    this.ownerOf = ownerOf;
    this.types = types;
  }

  clear(): void {
    this.app = new Set();
    this.library = new Set();
    this.heap = [];
  }

  /** Sorts all objects of the process by class; only those of classes with few objects are useful. */
  *sortHeap(all: readonly object[]): Generator<void, void, void> {
    const classes = new Map<object, object[]>();
    for (const [at, object] of all.entries()) {
      if (at % AT_ONCE === 0) yield;
      if (typeof object === 'function' || this.types.isProxy(object)) continue;
      const prototype: object | null = getPrototypeOf(object);
      if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) continue;
      const objects = classes.get(prototype);
      if (objects && objects.length > FEW_OF_CLASS) continue;
      // The prototype of a class that extends this one is no object of it.
      if (ownKeys(object).includes('constructor')) continue;
      if (objects) objects.push(object);
      else classes.set(prototype, [object]);
    }
    this.few = [...classes].filter(([, objects]) => objects.length <= FEW_OF_CLASS);
    this.few.sort(([, one], [, other]) => one.length - other.length || fieldsOf(other) - fieldsOf(one));
  }

  /** Objects of the app's classes: first those that are the only one of their class, those with most fields first. */
  *noteHeap({ ownerOf, isSpent }: HeapLook): Generator<void, void, void> {
    const few = this.few;
    this.few = [];
    for (const [prototype, objects] of few) {
      if (isSpent() || this.heap.length >= MAX_INSTANCES) return;
      const maker: unknown = this.types.isProxy(prototype) ? null : quietValue(prototype, 'constructor');
      if (typeof maker !== 'function' || RUNTIME_CLASSES.test(nameOf(maker)) || isNative(maker)) continue;
      if (ownerOf(maker) === 'app') this.heap.push(...objects);
      yield;
    }
  }

  note(object: object): void {
    const prototype: unknown = getPrototypeOf(object);
    if (prototype === null || prototype === Object.prototype) return;
    if (this.app.size + this.library.size >= MAX_INSTANCES) return;
    // It is a prototype.
    if (ownKeys(object).includes('constructor')) return;
    const maker = constructorOf(object);
    if (maker === null || RUNTIME_CLASSES.test(nameOf(maker))) return;
    const owner = this.ownerOf(maker);
    if (owner === 'app') this.app.add(object);
    // For libraries only objects with listeners: the others are parts of these.
    else if (owner === 'library' && quietValue(object, '_events') !== undefined) this.library.add(object);
  }

  take(): Taken {
    const taken = { app: [...this.app], library: [...this.library], heap: this.heap };
    this.clear();
    return taken;
  }
}

const fieldsOf = ([object]: readonly object[]) => (object ? ownKeys(object).length : 0);

function nameOf(maker: object): string {
  const name: unknown = getOwnPropertyDescriptor(maker, 'name')?.value;
  return typeof name === 'string' ? name : '';
}
