import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeafUpdate } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { LeafMerger } from '../../../src/probes/leaf-merger.ts';
import { FlatSource } from '../../../src/probes/v8/browser/flat-source.ts';
import { LeafReader } from '../../support/leaf-reader.ts';

const full = (leaves: Record<string, Scalar>): Extract<LeafUpdate, { kind: 'full' }> => ({
  kind: 'full',
  paths: Object.keys(leaves),
  values: Object.values(leaves),
});

describe('one report of several sources', () => {
  it('adds up what each of them holds', () => {
    const merger = new LeafMerger(100);
    const reader = new LeafReader().apply(
      merger.full(
        new Map([
          ['a', full({ x: 1, y: 2 })],
          ['b', full({ z: 3 })],
        ]),
      ),
    );
    expect(reader.state()).toEqual({ x: 1, y: 2, z: 3 });
    expect(merger.sources).toEqual(['a', 'b']);
  });

  it('keeps the numbers of the sources apart', () => {
    const merger = new LeafMerger(100);
    const reader = new LeafReader().apply(
      merger.full(
        new Map([
          ['a', full({ x: 1, y: 2 })],
          ['b', full({ z: 3 })],
        ]),
      ),
    );
    const update = merger.update(
      new Map<string, Exclude<LeafUpdate, { kind: 'full' }>>([
        ['a', { kind: 'delta', changed: [[1, 20]], added: [[2, 'w', 4]], removed: [0] }],
        ['b', { kind: 'delta', changed: [[0, 30]], added: [[1, 'v', 5]], removed: [] }],
      ]),
    );
    expect(reader.apply(update).state()).toEqual({ y: 20, w: 4, z: 30, v: 5 });
  });

  it('says nothing when nobody does', () => {
    const merger = new LeafMerger(100);
    merger.full(new Map([['a', full({ x: 1 })]]));
    expect(merger.update(new Map([['a', { kind: 'same' }]]))).toEqual({ kind: 'same' });
  });

  it('stops at its limit, counts what it leaves out, and ignores changes of that', () => {
    const merger = new LeafMerger(2);
    const reader = new LeafReader().apply(
      merger.full(
        new Map([
          ['a', full({ x: 1 })],
          ['b', full({ y: 2, z: 3 })],
        ]),
      ),
    );
    expect(reader.state()).toEqual({ x: 1, y: 2 });
    expect(merger.leftOut).toBe(1);
    const update = merger.update(
      new Map<string, Exclude<LeafUpdate, { kind: 'full' }>>([
        ['b', { kind: 'delta', changed: [[1, 9]], added: [[2, 'w', 1]], removed: [] }],
      ]),
    );
    expect(update).toEqual({ kind: 'same' });
    expect(merger.leftOut).toBe(2);
  });

  it('refuses changes of a source that never reported everything', () => {
    expect(() => new LeafMerger(9).update(new Map([['a', { kind: 'same' }]]))).toThrow('a never reported everything');
  });

  it('follows sources that change at random', () => {
    const leaves = fc.dictionary(fc.constantFrom('p', 'q', 'r', 's', 't'), fc.integer({ min: 0, max: 3 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(leaves, leaves, fc.boolean()), { minLength: 1 }), (rounds) => {
        const merger = new LeafMerger(100);
        const sources = [new FlatSource(), new FlatSource()] as const;
        const reader = new LeafReader();
        rounds.forEach(([first, second, wantsAll], round) => {
          const states = [prefixed('a', first), prefixed('b', second)] as const;
          const update =
            round === 0 || wantsAll
              ? merger.full(
                  new Map([
                    ['a', sources[0].full(states[0])],
                    ['b', sources[1].full(states[1])],
                  ]),
                )
              : merger.update(
                  new Map([
                    ['a', sources[0].update(states[0])],
                    ['b', sources[1].update(states[1])],
                  ]),
                );
          expect(reader.apply(update).state()).toEqual(Object.fromEntries([...states[0], ...states[1]]));
        });
      }),
    );
  });
});

function prefixed(source: string, leaves: Record<string, Scalar>): Map<string, Scalar> {
  return new Map(Object.entries(leaves).map(([path, value]) => [`${source}.${path}`, value]));
}
