import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeafRoot, LeafUpdate } from '../../../src/model/leaves.ts';
import { joinPath, pathPattern } from '../../../src/model/path.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { hasSecretName } from '../../../src/semantic/labels.ts';
import { opaqueKey } from '../../../src/semantic/opaque.ts';
import { judgeName, redact } from '../../../src/semantic/redact.ts';
import type { Change } from '../../../src/semantic/state-table.ts';
import { weighedNames } from './weighed.ts';

type State = Map<string, Scalar | undefined>;
const APP = 'shop-00000000';

const name = fc.constantFrom(
  'a',
  'items',
  'odd key',
  '__proto__',
  'constructor',
  'password',
  'token',
  '[0]',
  'e',
  'userName',
);
const scalar: fc.Arbitrary<Scalar> = fc.constantFrom(
  0,
  1,
  -1.5,
  'x',
  'y',
  '',
  true,
  false,
  null,
  'Bearer abcdef123456',
);
const tree = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

function flatten(value: unknown, path: string, into: Map<string, Scalar>): void {
  if (Array.isArray(value)) {
    into.set(joinPath(path, 'length'), value.length);
    value.forEach((item, at) => {
      flatten(item, joinPath(path, at), into);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) flatten(child, joinPath(path, key), into);
  } else if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    into.set(path, value);
}

/** The simplest probe: remembers its slots and reports differences. */
class ReferenceProbe {
  private slots = new Map<string, { slot: number; value: Scalar }>();
  private nextSlot = 0;

  report(state: Map<string, Scalar>, full: boolean): LeafUpdate {
    if (full) {
      this.slots = new Map([...state].map(([path, value], slot) => [path, { slot, value }]));
      this.nextSlot = state.size;
      return { kind: 'full', paths: [...state.keys()], values: [...state.values()] };
    }
    const changed: [number, Scalar][] = [];
    const added: [number, string, Scalar][] = [];
    const removed: number[] = [];
    for (const [path, { slot }] of this.slots) {
      if (state.has(path)) continue;
      removed.push(slot);
      this.slots.delete(path);
    }
    for (const [path, value] of state) {
      const known = this.slots.get(path);
      if (!known) {
        const slot = this.nextSlot++;
        this.slots.set(path, { slot, value });
        added.push([slot, path, value]);
      } else if (!Object.is(known.value, value)) {
        known.value = value;
        changed.push([known.slot, value]);
      }
    }
    return changed.length + added.length + removed.length === 0
      ? { kind: 'same' }
      : { kind: 'delta', changed, added, removed };
  }
}

const flat = (value: unknown) => {
  const state = new Map<string, Scalar>();
  flatten(value, 'state', state);
  return state;
};
const stateOf = ({ table }: Engine): State => new Map([...table.keys()].map((key) => [key, table.get(key)]));
const entryOf = (engine: Engine) => [...engine.table.keys()].map((key) => engine.table.slotOf(key));

function applied(before: State, changes: readonly Change[]): State {
  const after = new Map(before);
  for (const { key, before: old, after: value } of changes) {
    expect(after.get(key)).toBe(old);
    if (value === undefined) after.delete(key);
    else after.set(key, value);
  }
  return after;
}

function ended<Result>(steps: Generator<void, Result, void>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** Confidence as a sum over all keys, from the labels alone. */
const captures = fc.array(fc.record({ state: tree, full: fc.boolean() }), { minLength: 1, maxLength: 8 });

describe('the engine over any captures', () => {
  it('holds what a new engine would hold, and reports exactly what changed', () => {
    fc.assert(
      fc.property(captures, (steps) => {
        const engine = new Engine(APP, 'shop', null);
        const probe = new ReferenceProbe();
        for (const [at, { state, full }] of steps.entries()) {
          const leaves = flat(state);
          const before = stateOf(engine);
          const confidence = engine.confidence();
          const take = ended(engine.prepare(probe.report(leaves, full || at === 0), null));
          expect([stateOf(engine), engine.confidence()]).toEqual([before, confidence]);
          const changes = take();
          const now = stateOf(engine);
          expect(applied(before, changes)).toEqual(now);
          expect(new Set(changes.map(({ key }) => key)).size).toBe(changes.length);
          const listed = engine.keyList();
          expect(new Set(listed.keys)).toEqual(new Set(now.keys()));
          for (const [pattern, places] of listed.places)
            for (const place of places) expect(pathPattern(listed.keys[place] ?? '')).toBe(pattern);

          const fresh = new Engine(APP, 'shop', null);
          fresh.apply({ kind: 'full', paths: [...leaves.keys()], values: [...leaves.values()] }, null);
          expect(now).toEqual(stateOf(fresh));
          // `password["odd key"]`: such a name may be a secret itself.
          const shown = [...leaves.keys()].map((path) => (hasSecretName(path) ? opaqueKey(APP, path) : path));
          expect(new Set(now.keys())).toEqual(new Set(shown));
          expect(engine.salience.found().names ?? 0).toBeCloseTo(weighedNames(engine), 2);
          for (const [key, value] of now) if (value !== undefined) expect(redact(value, judgeName(key))).toBe(value);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the order of the keys that stay', () => {
    fc.assert(
      fc.property(captures, (steps) => {
        const engine = new Engine(APP, 'shop', null);
        const probe = new ReferenceProbe();
        for (const [at, { state }] of steps.entries()) {
          const before = [...engine.table.keys()];
          engine.apply(probe.report(flat(state), at === 0), null);
          const stay = before.filter((key) => engine.table.has(key));
          const order = [...engine.table.keys()].filter((key) => stay.includes(key));
          // A key that was removed and added again within one capture is a new one.
          expect(order).toEqual(stay);
          const slots = entryOf(engine);
          expect(slots).toEqual([...slots].sort((a = 0, b = 0) => a - b));
        }
      }),
    );
  });

  it('reports exactly what changed when names collide, roots change and a person confirms labels', () => {
    const event = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('capture' as const), state: tree, full: fc.boolean() }) },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('roots' as const),
          mangled: fc.subarray(['a', 'items', 'e', 'state', 'userName']),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('confirm' as const),
          pick: fc.nat(),
          label: fc.constantFrom('a.userName', 'items.length', 'x', 'items[*].a', 'user.pin'),
          confidence: fc.constantFrom(0.5, 1),
        }),
      },
    );
    /** Several roots with the same names below them. */
    const spread = (state: unknown) => {
      const leaves = new Map<string, Scalar>();
      for (const root of ['a', 'e', 'items', 'userName']) flatten(state, root, leaves);
      return leaves;
    };
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const engine = new Engine(APP, 'shop', null);
        const probe = new ReferenceProbe();
        let leaves = new Map<string, Scalar>();
        for (const step of events) {
          const before = stateOf(engine);
          let changes: Change[] = [];
          if (step.kind === 'capture') {
            leaves = spread(step.state);
            changes = engine.apply(probe.report(leaves, step.full), null);
          } else if (step.kind === 'roots') {
            const roots = step.mangled.map((root): LeafRoot => ({ name: root, origin: '', mangled: true }));
            changes = engine.apply({ kind: 'same' }, roots);
          } else {
            const shapes = Object.keys(engine.schema.labels);
            const shape = shapes[step.pick % Math.max(1, shapes.length)];
            if (shape === undefined) continue;
            const { label, confidence } = step;
            engine.schema.labels[shape] = { label, type: 'string', confidence, confirmed: true };
            engine.relabelSoon();
            changes = engine.apply({ kind: 'same' }, null);
          }
          const now = stateOf(engine);
          expect(applied(before, changes)).toEqual(now);
          expect(new Set(entryOf(engine)).size).toBe(engine.table.size);
          expect(engine.table.size).toBeLessThanOrEqual(leaves.size);
          for (const key of now.keys()) expect(leaves.has(engine.rawPathOf(key) ?? '')).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is as sure of names as a sum over all keys', () => {
    fc.assert(
      fc.property(captures, (steps) => {
        const engine = new Engine(APP, 'shop', null);
        const probe = new ReferenceProbe();
        for (const [at, { state, full }] of steps.entries()) {
          engine.apply(probe.report(flat(state), full || at === 0), null);
          const [shape] = Object.keys(engine.schema.labels);
          if (shape !== undefined && at % 2 === 1) {
            engine.schema.labels[shape] = { label: `known${at}`, type: 'string', confidence: 0.4, confirmed: true };
            engine.relabelSoon();
            engine.apply({ kind: 'same' }, null);
          }
          expect(engine.salience.found().names ?? 0).toBeCloseTo(weighedNames(engine), 2);
        }
      }),
    );
  });
});
