import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LeafUpdate } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { FlatSource } from '../../../src/probes/support/flat-source.ts';
import { LeafMerger } from '../../../src/probes/support/leaf-merger.ts';
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

  it('keeps room for what comes first, and makes more when it is needed', () => {
    const many = (name: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));
    const merger = new LeafMerger(100, (source) => source === 'screen');
    const report = (state: number, screen: number) =>
      merger.full(
        new Map([
          ['state', full(many('s', state))],
          ['screen', full(many('d', screen))],
        ]),
      );
    const reader = new LeafReader().apply(report(500, 3));
    const count = (name: string) => Object.keys(reader.state()).filter((key) => key.startsWith(name)).length;
    expect([count('s'), count('d'), merger.leftOut]).toEqual([90, 3, 410]);
    const more = Array.from({ length: 20 }, (_, at): [number, string, Scalar] => [3 + at, `d${3 + at}`, at]);
    const delta = { kind: 'delta', changed: [], added: more, removed: [] } as const;
    reader.apply(merger.update(new Map([['screen', { ...delta, changed: [], removed: [] }]])));
    expect([count('s'), count('d'), merger.isSparse]).toEqual([90, 10, true]);
    reader.apply(report(500, 23));
    expect([count('s'), count('d'), merger.isSparse]).toEqual([77, 23, false]);
    reader.apply(report(5, 300));
    expect([count('s'), count('d')]).toEqual([0, 100]);
  });
});

function prefixed(source: string, leaves: Record<string, Scalar>): Map<string, Scalar> {
  return new Map(Object.entries(leaves).map(([path, value]) => [`${source}.${path}`, value]));
}
