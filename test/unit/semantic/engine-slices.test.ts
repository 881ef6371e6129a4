/** Events while a capture is labelled in steps: corrections, other roots, an abandoned capture. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LeafUpdate } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { learn } from '../../../src/semantic/learn.ts';
import type { Change } from '../../../src/semantic/state-table.ts';
import { weighedNames } from './weighed.ts';

const ROWS = 30;
const FIELDS = ['a', 'b', 'c'];
const LABELS = ['rows[*].a', 'rows[*].b', 'rows[*].c', 'rows[*].d', 'top', 'alone'];

const correction = fc.record({
  from: fc.constantFrom(...FIELDS.map((field) => `rows[*].${field}`), 'top'),
  to: fc.constantFrom(...LABELS),
  row: fc.nat(ROWS - 1),
});
const event = fc.record({
  full: fc.boolean(),
  rows: fc.integer({ min: 1, max: ROWS }),
  value: fc.nat(3),
  /** The number of steps before the corrections. */
  at: fc.nat(12),
  corrections: fc.array(correction, { maxLength: 3 }),
  drop: fc.boolean(),
  mangled: fc.boolean(),
});

function leavesOf(rows: number, value: number): Map<string, Scalar> {
  const leaves = new Map<string, Scalar>([['top', value]]);
  for (let row = 0; row < rows; row++)
    for (const field of FIELDS) leaves.set(`rows[${row}].${field}`, `${field}${row % 2 === 0 ? value : ''}`);
  return leaves;
}

class Slots {
  private known = new Map<string, { slot: number; value: Scalar }>();
  private next = 0;

  report(leaves: Map<string, Scalar>, full: boolean): LeafUpdate {
    if (full) {
      this.known = new Map([...leaves].map(([path, value], slot) => [path, { slot, value }]));
      this.next = leaves.size;
      return { kind: 'full', paths: [...leaves.keys()], values: [...leaves.values()] };
    }
    const gone = [...this.known].filter(([path]) => !leaves.has(path));
    for (const [path] of gone) this.known.delete(path);
    const fresh = [...leaves].filter(([path]) => !this.known.has(path));
    const changed = [...this.known].flatMap(([path, entry]): [number, Scalar][] => {
      const value = leaves.get(path) ?? null;
      if (entry.value === value) return [];
      entry.value = value;
      return [[entry.slot, value]];
    });
    const added = fresh.map(([path, value]): [number, string, Scalar] => {
      const slot = this.next++;
      this.known.set(path, { slot, value });
      return [slot, path, value];
    });
    return { kind: 'delta', changed, added, removed: gone.map(([, { slot }]) => slot) };
  }
}

const stateOf = ({ table }: Engine) => new Map([...table.keys()].map((key) => [key, table.get(key)]));

const namesOf = (engine: Engine) => new Map([...engine.table.keys()].map((key) => [engine.rawPathOf(key), key]));

function expectTold(before: ReadonlyMap<string, Scalar | undefined>, changes: readonly Change[], engine: Engine): void {
  const after = new Map(before);
  for (const { key, before: old, after: value } of changes) {
    expect([key, after.get(key)]).toEqual([key, old]);
    if (value === undefined) after.delete(key);
    else after.set(key, value);
  }
  expect(after).toEqual(stateOf(engine));
  expect(new Set(changes.map(({ key }) => key)).size).toBe(changes.length);
}

it('tells exactly what changed, and gives every key the name that a person said', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 6 }), (events) => {
      const engine = new Engine('shop-00000000', 'shop', null);
      const probe = new Slots();
      let leaves = leavesOf(3, 0);
      engine.apply(probe.report(leaves, true), null);
      let wantsAll = false;
      for (const { full, rows, value, at, corrections, drop, mangled } of events) {
        const before = stateOf(engine);
        leaves = leavesOf(rows, value);
        const roots = [{ name: 'top', origin: '', mangled }];
        const steps = engine.prepare(probe.report(leaves, full || wantsAll), roots);
        let step = steps.next();
        for (let count = 0; count < at && !step.done; count++) step = steps.next();
        for (const { from, to, row } of corrections) {
          const index = `[${row}]`;
          const observed_key = [...before.keys()].find((key) => engine.rawPathOf(key) === from.replace('[*]', index));
          if (observed_key === undefined) continue;
          const correct_label = to.replace('[*]', index);
          learn(
            engine,
            { raw: [], named: new Map() },
            {
              feedback_type: 'label_correction',
              schema_version: engine.schema.schema_version,
              capture_id: '',
              corrections: [{ observed_key, correct_label, correct_type: 'string', confidence: 1 }],
            },
            'key-1',
          );
        }
        expect(stateOf(engine)).toEqual(before);
        wantsAll = drop && !step.done;
        if (wantsAll) continue;
        while (!step.done) step = steps.next();
        expectTold(before, step.value(), engine);
        expect(new Set(engine.keyList().keys)).toEqual(new Set(stateOf(engine).keys()));
      }
      const before = stateOf(engine);
      expectTold(before, engine.apply(probe.report(leaves, wantsAll), null), engine);
      // As if it had been so from the start.
      const { labels } = engine.schema;
      const fresh = new Engine('shop-00000000', 'shop', structuredClone({ ...engine.schema, labels: { ...labels } }));
      fresh.apply({ kind: 'full', paths: [...leaves.keys()], values: [...leaves.values()] }, null);
      expect(namesOf(engine)).toEqual(namesOf(fresh));
      expect(engine.salience.found().names ?? 0).toBeCloseTo(weighedNames(engine), 2);
      for (const key of engine.table.keys()) {
        const path = engine.rawPathOf(key) ?? '';
        const said = [labels[path], labels[path.replace(/\[\d+\]/, '[*]')]].find((entry) => entry?.confirmed);
        if (said) expect([path, key]).toEqual([path, said.label.replace('[*]', /\[\d+\]/.exec(path)?.[0] ?? '')]);
      }
      expect(engine.table.size).toBe(leaves.size);
    }),
    { numRuns: 60 },
  );
});
