/** Objects of classes that the search met before it met any variable of the app: those nearest to the event loop first. */
import type * as UtilModule from 'node:util';
import { constructorOf } from './classify.ts';
import { isNative, quietValue } from './quiet.ts';
import type { Owner } from './scripts.ts';

const MAX_INSTANCES = 300;

/** What every process has many of: to ask whose a class is costs as much as to look at a function. */
const RUNTIME_CLASSES =
  /^(?:(?:Readable|Writable)State|Timeout|Immediate|TimersList|Pipe|TCP|TTY|BufferList|Object|Function|Map|Set|Promise|Date|Error)$/;

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** Of a class that has more, one that holds them all is a better place to look. */
const FEW_OF_CLASS = 3;
/** How many objects of the heap are looked at between two pauses. */
const AT_ONCE = 2000;

export interface HeapLook {
  ownerOf(maker: object): Owner | null;
  /** No more may be spent on it. */
  isSpent(): boolean;
}

export interface Taken {
  readonly app: readonly object[];
  readonly library: readonly object[];
  /** Of the app's classes, and nothing but a look through the heap has shown them. */
  readonly heap: readonly object[];
}

export class Instances {
  private app = new Set<object>();
  private library = new Set<object>();
  private heap: object[] = [];
  /** Of the heap: classes that have few objects, and these. */
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

  /** All objects of the process, by their class; only those of classes that have few are of use. */
  *sortHeap(all: readonly object[]): Generator<void, void, void> {
    const classes = new Map<object, object[]>();
    for (const [at, object] of all.entries()) {
      if (at % AT_ONCE === 0) yield;
      if (typeof object === 'function' || this.types.isProxy(object)) continue;
      const prototype: object | null = getPrototypeOf(object);
      if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) continue;
      const objects = classes.get(prototype);
      if (objects && objects.length > FEW_OF_CLASS) continue;
      // A prototype of a class that extends this one is no object of it.
      if (ownKeys(object).includes('constructor')) continue;
      if (objects) objects.push(object);
      else classes.set(prototype, [object]);
    }
    this.few = [...classes].filter(([, objects]) => objects.length <= FEW_OF_CLASS);
    this.few.sort(([, one], [, other]) => one.length - other.length || fieldsOf(other) - fieldsOf(one));
  }

  /** Those of the app's classes; those that are the only one of their class first, and of these the ones with most fields. */
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
    // Not what the next object inherits from.
    if (ownKeys(object).includes('constructor')) return;
    const maker = constructorOf(object);
    if (maker === null || RUNTIME_CLASSES.test(nameOf(maker))) return;
    const owner = this.ownerOf(maker);
    if (owner === 'app') this.app.add(object);
    // Of libraries, what something listens to: the others are parts of these.
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
