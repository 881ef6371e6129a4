import { types } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClassifier } from '../../../../src/probes/drivers/v8/node/agent/classify.ts';
import { ShadowTree } from '../../../../src/probes/drivers/v8/tree/shadow-tree.ts';
import { LeafTable } from './leaf-table.ts';

class Thing {
  [name: string]: unknown;
}

function treeOf(root: object, maxLeaves: number, stable = false) {
  return new ShadowTree(root, {
    isStable: () => stable,
    classify: createClassifier(types, (maker) => (maker === Thing ? 'app' : 'runtime')),
    maxLeaves,
    isScope: () => false,
    now: () => performance.now(),
  });
}

function read(tree: ShadowTree): void {
  tree.compare();
  expect(tree.expand(Number.POSITIVE_INFINITY)).toBe(true);
}

/** A description of a value; built anew each time, so that no two places share an object. */
type Plan =
  | { kind: 'scalar'; value: unknown }
  | { kind: 'date'; time: number }
  | { kind: 'object' | 'bare' | 'thing' | 'map'; entries: [string, Plan][] }
  | { kind: 'array' | 'set'; items: Plan[] };

const name = fc.constantFrom('a', 'b', 'c', 'odd key', '0', '__proto__', 'constructor', '[0]', '');
const scalarPlan = fc.record({
  kind: fc.constant('scalar' as const),
  value: fc.constantFrom(0, -0, 1, 'x', '', true, null, undefined, Number.NaN, 5n, Symbol('s'), () => 1, /r/),
});
const plan = fc.letrec<{ any: Plan }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalarPlan,
    fc.record({ kind: fc.constant('date' as const), time: fc.nat(3) }),
    fc.record({
      kind: fc.constantFrom('object' as const, 'bare' as const, 'thing' as const, 'map' as const),
      entries: fc.array(fc.tuple(name, tie('any')), { maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constantFrom('array' as const, 'set' as const),
      items: fc.array(tie('any'), { maxLength: 4 }),
    }),
  ),
})).any;

function build(from: Plan): unknown {
  switch (from.kind) {
    case 'scalar':
      return from.value;
    case 'date':
      return new Date(from.time);
    case 'array':
      return from.items.map(build);
    case 'set':
      return new Set(from.items.map(build));
    case 'map':
      return new Map(from.entries.map(([key, value]) => [key, build(value)]));
    default: {
      const object = from.kind === 'thing' ? new Thing() : from.kind === 'bare' ? Object.create(null) : {};
      for (const [key, value] of from.entries) define(object, key, build(value));
      return object;
    }
  }
}

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

function dataOf(object: object): unknown[] {
  return Object.values(Object.getOwnPropertyDescriptors(object)).map(({ value }) => value);
}

/** Every container below a value. */
function containers(root: unknown, found = new Set<object>()): object[] {
  if (typeof root !== 'object' || root === null || found.has(root)) return [...found];
  if (root instanceof Date || root instanceof RegExp) {
    found.add(root);
    return [...found];
  }
  found.add(root);
  const children = root instanceof Map || root instanceof Set ? root.values() : dataOf(root);
  for (const child of children) containers(child, found);
  return [...found];
}

const mutation = fc.record({
  where: fc.nat(),
  op: fc.constantFrom(
    'set',
    'set',
    'delete',
    'push',
    'pop',
    'shift',
    'unshift',
    'splice',
    'reverse',
    'clear',
    'reorder',
  ),
  key: name,
  at: fc.nat(4),
  value: plan,
});
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

function mutate(target: object, { op, key, at, value }: Mutation, made: unknown): void {
  if (target instanceof Date) target.setTime(at * 1000);
  else if (target instanceof Map) {
    if (op === 'clear') target.clear();
    else if (op === 'delete') target.delete(key);
    else if (op === 'reorder') {
      const [first] = target;
      if (first) target.delete(first[0]);
      if (first) target.set(...first);
    } else target.set(key, made);
  } else if (target instanceof Set) {
    if (op === 'clear') target.clear();
    else if (op === 'delete' || op === 'shift') target.delete([...target][at % Math.max(1, target.size)]);
    else target.add(made);
  } else if (Array.isArray(target)) {
    if (op === 'push') target.push(made);
    else if (op === 'pop') target.pop();
    else if (op === 'shift') target.shift();
    else if (op === 'unshift') target.unshift(made);
    else if (op === 'splice') target.splice(at, 1, made, build(value));
    else if (op === 'reverse') target.reverse();
    else if (op === 'clear') target.length = 0;
    else if (op === 'delete') delete target[at];
    else target[at] = made;
  } else if (!(target instanceof RegExp)) {
    if (op === 'delete') Reflect.deleteProperty(target, key);
    else if (op === 'clear') for (const own of Object.keys(target)) Reflect.deleteProperty(target, own);
    else if (op === 'reorder') {
      for (const own of Object.keys(target).reverse()) {
        const kept = Object.getOwnPropertyDescriptor(target, own)?.value;
        Reflect.deleteProperty(target, own);
        define(target, own, kept);
      }
    } else if (op === 'pop') Object.defineProperty(target, key, { get: explode, enumerable: true, configurable: true });
    else define(target, key, made);
  }
}

function explode(): never {
  throw new Error('a getter ran');
}

const script = fc.array(fc.array(mutation, { maxLength: 4 }), { maxLength: 8 });

describe('a shadow tree that lives through any changes', () => {
  it('tells the same as one that sees the objects for the first time', () => {
    fc.assert(
      fc.property(plan, script, (start, captures) => {
        const root = { state: build(start) };
        const tree = treeOf(root, 100_000);
        const table = new LeafTable();
        for (const mutations of [[], ...captures]) {
          for (const step of mutations) {
            const all = containers(root);
            const target = all[step.where % all.length];
            if (target && (target !== root || step.op === 'set'))
              if (target === root) root.state = build(step.value);
              else mutate(target, step, build(step.value));
          }
          read(tree);
          table.apply(tree.takeUpdate());
          const fresh = treeOf(root, 100_000);
          read(fresh);
          const full = new LeafTable();
          full.apply(fresh.takeFull());
          expect(table.state()).toEqual(full.state());
          expect(tree.leafCount).toBe(full.state().size);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('tells the same when it passes by what should not change, once all of it was swept', () => {
    fc.assert(
      fc.property(plan, script, (start, captures) => {
        const root = { state: build(start) };
        const tree = treeOf(root, 100_000, true);
        const table = new LeafTable();
        for (const mutations of captures) {
          for (const step of mutations) {
            const all = containers(root.state);
            const target = all[step.where % Math.max(1, all.length)];
            if (target) mutate(target, step, build(step.value));
          }
          read(tree);
          // To the end of the current round, then a whole one; new objects are read in between.
          for (let round = 0; round < 2; round++) {
            tree.sweep(Number.POSITIVE_INFINITY);
            expect(tree.expand(Number.POSITIVE_INFINITY)).toBe(true);
          }
          table.apply(tree.takeUpdate());
          const full = new LeafTable();
          const fresh = treeOf(root, 100_000);
          read(fresh);
          full.apply(fresh.takeFull());
          expect(table.state()).toEqual(full.state());
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tells the same in full as in changes, at any time', () => {
    fc.assert(
      fc.property(plan, script, fc.array(fc.boolean()), (start, captures, fulls) => {
        const root = { state: build(start) };
        const tree = treeOf(root, 100_000);
        const table = new LeafTable();
        captures.forEach((mutations, at) => {
          for (const step of mutations) {
            const all = containers(root.state);
            const target = all[step.where % Math.max(1, all.length)];
            if (target) mutate(target, step, build(step.value));
          }
          read(tree);
          table.apply(fulls[at] ? tree.takeFull() : tree.takeUpdate());
          const full = new LeafTable();
          const fresh = treeOf(root, 100_000);
          read(fresh);
          full.apply(fresh.takeFull());
          expect(table.state()).toEqual(full.state());
        });
      }),
      { numRuns: 200 },
    );
  });

  it('ends, keeps to its limit and does not throw when objects are shared and form rings', () => {
    const link = fc.record({ from: fc.nat(), to: fc.nat(), key: name });
    fc.assert(
      fc.property(
        plan,
        fc.array(fc.array(fc.record({ step: mutation, link }), { maxLength: 5 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 60 }),
        (start, captures, maxLeaves) => {
          const root = { state: build(start) };
          const tree = treeOf(root, maxLeaves);
          const table = new LeafTable();
          for (const changes of [[], ...captures]) {
            for (const { step, link: wanted } of changes) {
              const all = containers(root);
              const target = all[step.where % all.length];
              if (target) mutate(target, step, all[wanted.to % all.length]);
            }
            read(tree);
            table.apply(tree.takeUpdate());
            expect(tree.leafCount).toBeLessThanOrEqual(maxLeaves);
            expect(table.size).toBe(tree.leafCount);
            // The updated state equals a full report.
            const full = new LeafTable();
            const before = table.entries();
            full.apply(tree.takeFull());
            expect(full.entries()).toEqual(before);
            table.copy(full);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
