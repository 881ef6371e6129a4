import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { decodeImmutable } from '../../src/probes/drivers/v8/tree/immutable.ts';

interface Structure {
  set(key: unknown, value: unknown): Structure;
  delete(key: unknown): Structure;
}
/** The used part of Immutable.js; it is installed with the pages that the tests open. */
interface Immutable {
  Map(entries: [unknown, unknown][]): Structure;
  OrderedMap(entries: [unknown, unknown][]): Structure;
  List(items: unknown[]): Structure;
  Set(items: unknown[]): Structure;
  Record(defaults: object): (values?: object) => Structure;
  Seq(items: unknown[]): { map(fn: () => unknown): object };
}

const sizeOf = (decoded: { view: object } | null) => ((decoded?.view ?? new Map()) as Map<unknown, unknown>).size;

const requireOfPages = createRequire(new URL('../pages/package.json', import.meta.url));

describe('structures of Immutable.js', () => {
  const { Map: IMap, OrderedMap, List, Set: ISet, Record: IRecord, Seq } = requireOfPages('immutable') as Immutable;

  it('a map with names is a record', () => {
    const decoded = decodeImmutable(
      IMap([
        ['name', 'Ada'],
        ['age', 36],
      ]),
    );
    expect(decoded?.kind).toBe('record');
    expect([...((decoded?.view ?? []) as Iterable<unknown>)].sort()).toEqual([
      ['age', 36],
      ['name', 'Ada'],
    ]);
  });

  it('a map by ids stays a map', () => {
    expect(
      decodeImmutable(
        IMap([
          [1, 'a'],
          ['odd key', 'b'],
        ]),
      ),
    ).toEqual({
      view: new Map<unknown, unknown>([
        [1, 'a'],
        ['odd key', 'b'],
      ]),
    });
  });

  it('keeps the order of an ordered map', () => {
    const { view } = decodeImmutable(
      OrderedMap([
        ['z', 1],
        ['a', 2],
      ]),
    ) ?? { view: new Map() };
    expect([...(view as Map<unknown, unknown>).keys()]).toEqual(['z', 'a']);
  });

  it('lists and sets are lists', () => {
    expect(decodeImmutable(List([1, 2, 3]))?.view).toEqual([1, 2, 3]);
    expect(decodeImmutable(ISet(['x']))?.view).toEqual(['x']);
    const long = Array.from({ length: 5000 }, (_, at) => at);
    expect(decodeImmutable(List(long))?.view).toEqual(long);
  });

  it('a record shows its fields, those at their defaults too', () => {
    const decoded = decodeImmutable(IRecord({ title: '', done: false })({ title: 'Sleep' }));
    expect(decoded).toEqual({
      view: new Map<unknown, unknown>([
        ['title', 'Sleep'],
        ['done', false],
      ]),
      kind: 'record',
    });
  });

  it('reads maps of every size, and what is left of them, without a call', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `key ${at}`);
    const large = IMap(names.map((name, at) => [name, at]));
    const left = OrderedMap(names.map((name, at) => [name, at])).delete('key 1');
    for (const map of [large, left]) {
      for (const name of ['forEach', '__iterate', 'get', 'entries']) {
        Object.defineProperty(map, name, { value: () => expect.unreachable(name) });
      }
    }
    expect(sizeOf(decodeImmutable(large))).toBe(5000);
    expect(sizeOf(decodeImmutable(left))).toBe(4999);
    expect(sizeOf(decodeImmutable(large, { limit: 100 }))).toBe(100);
  });

  it('leaves what is inside as it is', () => {
    const inner = List([1]);
    expect(decodeImmutable(List([inner]))?.view).toEqual([inner]);
  });

  it('does not run what is lazy', () => {
    const lazy = Seq([1]).map(() => {
      throw new Error('code of the app ran');
    });
    expect(decodeImmutable(lazy)).toBeNull();
  });
});

describe('other objects', () => {
  it.each([[{}], [[]], [new Map()], [new Date(0)]])('%o are none', (value) => {
    expect(decodeImmutable(value)).toBeNull();
  });
});
