import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLeaves } from '../../../src/probes/support/leaf-check.ts';
import { Engine } from '../../../src/semantic/engine.ts';

describe('what a target sends', () => {
  it('passes when it is an update', () => {
    const updates = [
      { kind: 'same' },
      { kind: 'full', paths: ['a', 'b[0]'], values: [1, 'x'] },
      { kind: 'delta', changed: [[0, null]], added: [[2, 'c', true]], removed: [1] },
    ];
    for (const update of updates) expect(checkLeaves(update, 10)).toEqual(update);
  });

  it('is cut where no agent of ours would have sent it', () => {
    const [long, kept] = ['x'.repeat(50_000), `${'x'.repeat(4096)}… [5000 characters]`];
    const cut = `${'x'.repeat(4096)}… [50000 characters]`;
    expect(checkLeaves({ kind: 'full', paths: ['a', 'b'], values: [long, kept] }, 2)).toMatchObject({
      values: [cut, kept],
    });
    const delta = { kind: 'delta', changed: [[0, long]], added: [[1, 'c', long]], removed: [] };
    expect(checkLeaves(delta, 2)).toMatchObject({ changed: [[0, cut]], added: [[1, 'c', cut]] });
  });

  it('has the names of its roots, where it numbers them', () => {
    const naming = {
      named: (path: string) => path.replace(/^7/, 'shop'),
      reference: (path: string) => `[ref] ${path.replace(/^7/, 'shop')}`,
    };
    const full = { kind: 'full', paths: ['7.open', '7.self'], values: ['[ref] 7', ['7']] };
    expect(checkLeaves(full, 2, naming)).toEqual({
      ...{ kind: 'full', paths: ['shop.open', 'shop.self'] },
      // A text that only looks like a reference is data of the program.
      values: ['[ref] 7', '[ref] shop'],
    });
    const delta = { kind: 'delta', changed: [[0, ['7.a']]], added: [[1, '7.b', ['7']]], removed: [] };
    expect(checkLeaves(delta, 2, naming)).toEqual({
      ...{ kind: 'delta', removed: [] },
      changed: [[0, '[ref] shop.a']],
      added: [[1, 'shop.b', '[ref] shop']],
    });
    for (const wrong of [[], [1], [['7']]])
      expect(() => checkLeaves({ kind: 'full', paths: ['7.a'], values: [wrong] }, 2, naming)).toThrow('malformed');
  });

  it.each([
    [null],
    [{ kind: 'other' }],
    [{ kind: 'full', paths: ['a'], values: [] }],
    [{ kind: 'full', paths: ['a', 'b', 'c'], values: [1, 2, 3] }],
    [{ kind: 'full', paths: [1], values: [1] }],
    [{ kind: 'full', paths: ['a'], values: [{ deep: true }] }],
    [{ kind: 'full', paths: ['a'], values: [['b']] }],
    [{ kind: 'full', paths: ['a'.repeat(30_000)], values: [1] }],
    [{ kind: 'full', paths: ['a'], values: ['x'.repeat(200_000)] }],
    [{ kind: 'delta', changed: [[4e9, 1]], added: [], removed: [] }],
    [{ kind: 'delta', changed: [], added: [[1.5, 'a', 1]], removed: [] }],
    [{ kind: 'delta', changed: [], added: [[-1, 'a', 1]], removed: [] }],
    [{ kind: 'delta', changed: [null], added: [], removed: [] }],
    [{ kind: 'delta', changed: [], added: [], removed: ['x'] }],
    [{ kind: 'delta', changed: [], added: [] }],
  ])('is refused: %j', (update) => {
    expect(() => checkLeaves(update, 2)).toThrow(/malformed|undefined|null/);
  });

  it('never brings the engine down, whatever it is', () => {
    const slot = fc.oneof(fc.nat(20), fc.double());
    const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.object());
    const update = fc.oneof(
      fc.record({ kind: fc.constant('full'), paths: fc.array(fc.string()), values: fc.array(leaf) }),
      fc.record({
        kind: fc.constant('delta'),
        changed: fc.array(fc.tuple(slot, leaf)),
        added: fc.array(fc.tuple(slot, fc.string(), leaf)),
        removed: fc.array(slot),
      }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(update, { maxLength: 8 }), (updates) => {
        const engine = new Engine('app-00000000', 'app', null);
        for (const candidate of updates) {
          let checked: ReturnType<typeof checkLeaves>;
          try {
            checked = checkLeaves(candidate, 50);
          } catch (error) {
            expect(error).toBeInstanceOf(Error);
            continue;
          }
          engine.apply(checked, null);
          for (const key of engine.table.keys()) expect(engine.table.get(key)).not.toBeUndefined();
        }
      }),
    );
  });
});
