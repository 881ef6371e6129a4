/**
 * Only the inspector can distinguish a Proxy from the object behind it, and every access to one may run code of the
 * app. So objects in variables of the page are read after the daemon has checked them.
 */
import type { TreeNode } from '../../tree/tree-node.ts';
import type { PageClassifier } from './classify.ts';
import { type InstanceJudge, NO_INSTANCES } from './instances.ts';
import { attempt, isFunction, isNative, isObject, own } from './safe.ts';

/** A name of only the sign is as good as any other. */
const PRIVATE = /^(_.|\$(?!data$|state$))/;
const MAX_WAITING = 2000;
/** How many are checked with their content before the first report. */
const MAX_AHEAD = 3000;
const MAX_DEPTH = 5;
/** If the first elements of a list are no Proxies, the others are none. */
const FIRST_ELEMENTS = 20;
const LOOKED_AT_ONCE = 16;

export class Vetting {
  private readonly classifier: PageClassifier;
  private readonly instances: InstanceJudge;
  private readonly vetted = new WeakSet<object>();
  private waiting = new Map<object, number>();
  private offered: [object, number][] = [];
  private ahead = 0;
  /** Known to be no Proxies; their content comes next. */
  private looked: [object, number][] = [];
  /** Number of checks by the daemon. */
  looks = 0;

  constructor(classifier: PageClassifier, instances: InstanceJudge = NO_INSTANCES) {
    this.classifier = classifier;
    this.instances = instances;
  }

  get isWaiting(): boolean {
    return this.waiting.size > 0 || this.looked.length > 0;
  }

  /** For objects of the agent itself. */
  trust(value: object): void {
    this.vetted.add(value);
  }

  /** True if it can be read, because it is no Proxy. False if it is one, or not known yet. */
  isOpen(value: unknown, depth = MAX_DEPTH): boolean {
    return this.allows(value, depth) && !(isObject(value) && this.classifier.blocked.has(value));
  }

  /** False if not yet. */
  allows(value: unknown, depth = 0): boolean {
    // The text of a function decides: that of a Proxy is the one of a built-in.
    if (isFunction(value)) return !isNative(value);
    if (!isObject(value)) return true;
    if (this.isKnown(value)) return true;
    if (this.waiting.size < MAX_WAITING) this.waiting.set(value, depth);
    return false;
  }

  private isKnown(value: object): boolean {
    return this.vetted.has(value) || this.classifier.blocked.has(value);
  }

  readonly mayRead = (value: object, parent: TreeNode, index: number): boolean => {
    // A private field of a library often holds all of its internals.
    if (
      parent.kind === 'fields' &&
      PRIVATE.test(String(parent.keys[index] ?? '')) &&
      !this.instances.isComponent(parent)
    )
      return false;
    if (!this.isKnown(value) && !this.isLateElement(parent, index) && !this.allows(value, MAX_DEPTH)) return false;
    if (!this.classifier.blocked.has(value)) this.instances.judge(value, parent);
    return true;
  };

  /** One of a long list, or a part of one, whose first element is no Proxy. */
  private isLateElement(parent: TreeNode, index: number): boolean {
    let at = index;
    for (let node: TreeNode | null = parent; node; node = node.parent) {
      if (node.kind === 'array' && at >= FIRST_ELEMENTS) {
        const first = own(node.target, 0);
        if (isObject(first) && this.vetted.has(first)) return true;
      }
      at = typeof node.key === 'number' ? node.key : -1;
    }
    return false;
  }

  /** The objects that wait for a check, and the content of checked ones, as far as there is time. */
  offer(isLate: () => boolean = () => false): object[] {
    let done = 0;
    for (const [value, depth] of this.looked) {
      if (this.ahead < MAX_AHEAD) attempt(() => this.lookAhead(value, depth + 1), 'Vetting.lookAhead');
      if (++done % LOOKED_AT_ONCE === 0 && isLate()) break;
    }
    this.looked = this.looked.slice(done);
    this.offered = [...this.waiting];
    this.waiting = new Map();
    return this.offered.map(([value]) => value);
  }

  /** The Proxies among the objects that were offered last, by index. */
  settle(proxies: readonly number[]): void {
    this.looks++;
    for (const at of proxies) {
      const entry = this.offered[at];
      if (entry) this.classifier.blocked.add(entry[0]);
    }
    for (const [value, depth] of this.offered) {
      if (!this.classifier.blocked.has(value)) this.vetted.add(value);
      if (depth < MAX_DEPTH && this.ahead < MAX_AHEAD) this.looked.push([value, depth]);
    }
    this.offered = [];
  }

  private lookAhead(value: object, depth: number): void {
    const inner = this.instances.resolve(value);
    if (inner !== value) {
      // A ref, or a Proxy of a framework: the object behind it is checked in its turn.
      if (isObject(inner) && !this.vetted.has(inner) && ++this.ahead <= MAX_AHEAD) this.allows(inner, depth - 1);
      return;
    }
    const classified = this.classifier.classify(value);
    if (!classified || !('expand' in classified)) return;
    const isList = classified.expand === 'array';
    const children =
      classified.expand === 'map' || classified.expand === 'set'
        ? (value as Map<unknown, unknown> | Set<unknown>).values()
        : fieldsOf(value, isList ? FIRST_ELEMENTS : Number.POSITIVE_INFINITY);
    for (const child of children) {
      if (!isObject(child) || this.vetted.has(child)) continue;
      if (++this.ahead > MAX_AHEAD) return;
      this.allows(child, depth);
    }
  }
}

function* fieldsOf(value: object, limit: number): Generator<unknown, void, void> {
  let count = 0;
  for (const name of Object.keys(value)) {
    if (++count > limit) return;
    yield own(value, name);
  }
}
