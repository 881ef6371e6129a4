import { types } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClassifier } from '../../../../src/probes/drivers/v8/node/agent/classify.ts';
import { ShadowTree } from '../../../../src/probes/drivers/v8/tree/shadow-tree.ts';
import { LeafTable } from './leaf-table.ts';

class Money {
  amount = 1;
  static made = 0;
  get double() {
    throw new Error('a getter ran');
  }
}
const own = new Set<object>([Money]);

function treeOf(root: object, maxLeaves = 10_000, scopes: readonly object[] = []) {
  return new ShadowTree(root, {
    classify: createClassifier(types, (maker) => (own.has(maker) ? 'app' : 'runtime')),
    maxLeaves,
    now: () => performance.now(),
    isScope: (value) => scopes.includes(value),
  });
}

function read(tree: ShadowTree): void {
  tree.compare();
  expect(tree.expand(Number.POSITIVE_INFINITY)).toBe(true);
}

/** A tree and its consumer; `look` makes one capture and returns the state. */
function watch(root: object, maxLeaves?: number) {
  const tree = treeOf(root, maxLeaves);
  const table = new LeafTable();
  const look = () => {
    read(tree);
    table.apply(tree.takeUpdate());
    return table.state();
  };
  return { tree, look, table };
}

const stateOf = (root: object, maxLeaves?: number) => watch(root, maxLeaves).look();
const bomb = (): never => {
  throw new Error('code of the app ran');
};

describe('what is shown', () => {
  it.each<[string, object, Record<string, unknown>]>([
    ['scalars', { a: 1, b: 'x', c: true, d: null }, { a: 1, b: 'x', c: true, d: null }],
    ['odd numbers', { a: Number.NaN, b: -0, c: Infinity, d: 12n }, { a: 'NaN', b: -0, c: 'Infinity', d: '12' }],
    ['what is no data', { a: undefined, b: () => 1, c: Symbol('x'), d: 1 }, { d: 1 }],
    ['nested objects', { a: { b: { c: 1 } }, e: {} }, { 'a.b.c': 1 }],
    ['arrays', { a: [1, [2]], e: [] }, { 'a.length': 2, 'a[0]': 1, 'a[1].length': 1, 'a[1][0]': 2, 'e.length': 0 }],
    ['holes', { a: Object.assign([], { 0: 1, 2: 3 }) }, { 'a.length': 3, 'a[0]': 1, 'a[2]': 3 }],
    [
      'maps',
      {
        m: new Map<unknown, unknown>([
          ['a', 1],
          ['odd key', { x: 2 }],
          [1, 'n'],
          ['1', 'dup'],
          [{ k: 3 }, 'by an object'],
          [Symbol('s'), 'no'],
          [null, 'by null'],
        ]),
      },
      {
        ...{ 'm.size': 7, 'm.a': 1, 'm["odd key"].x': 2, 'm["1"]': 'n', 'm.null': 'by null' },
        ...{ 'm[0].key.k': 3, 'm[0].value': 'by an object' },
      },
    ],
    ['sets', { s: new Set(['a', { x: 1 }]) }, { 's.size': 2, 's[0]': 'a', 's[1].x': 1 }],
    ['dates', { d: new Date(0), e: new Date(Number.NaN) }, { d: '1970-01-01T00:00:00.000Z', e: 'Invalid Date' }],
    ['errors and patterns', { e: new TypeError('no'), r: /a+/g }, { e: 'TypeError: no', r: '/a+/' }],
    [
      'boxed values',
      { n: Object(1), s: Object('x'), b: Object(false), i: Object(5n) },
      { n: '1', s: 'x', b: 'false', i: '5' },
    ],
    [
      'bytes',
      { u: new Uint8Array(3), d: new DataView(new ArrayBuffer(2)), b: new ArrayBuffer(4), s: new SharedArrayBuffer(5) },
      {
        u: '[Uint8Array of 3 bytes]',
        d: '[DataView of 2 bytes]',
        b: '[ArrayBuffer of 4 bytes]',
        s: '[SharedArrayBuffer of 5 bytes]',
      },
    ],
    [
      'bytes that are text',
      {
        t: new TextEncoder().encode('north, ü\n2'),
        b: Buffer.from('ferry'),
        n: Uint8Array.of(97, 0),
        u: Uint8Array.of(97, 0xc3, 98),
        c: Buffer.from('\r\n'),
        l: Buffer.alloc(4097, 'x'),
      },
      {
        t: 'north, ü\n2',
        b: 'ferry',
        n: '[Uint8Array of 2 bytes]',
        u: '[Uint8Array of 3 bytes]',
        c: '[Buffer of 2 bytes]',
        l: '[Buffer of 4097 bytes]',
      },
    ],
    ['own classes', { m: new Money() }, { 'm.amount': 1 }],
    ['foreign classes', { u: new URL('http://x'), w: new WeakMap() }, { u: '[URL]', w: '[WeakMap]' }],
    ['promises', { p: Promise.resolve(1), a: 1 }, { a: 1 }],
    ['frozen objects', Object.freeze({ a: Object.freeze([1]) }), { 'a.length': 1, 'a[0]': 1 }],
    ['no prototype', { n: Object.assign(Object.create(null), { toString: 1 }) }, { 'n.toString': 1 }],
    [
      'names of Object.prototype',
      { x: JSON.parse('{"__proto__":1,"constructor":{"prototype":2},"hasOwnProperty":3}') },
      { 'x.__proto__': 1, 'x.constructor.prototype': 2, 'x.hasOwnProperty': 3 },
    ],
    ['hidden properties', Object.defineProperty({ a: 1 }, 'b', { value: 2, enumerable: false }), { a: 1 }],
    ['symbols as names', { [Symbol('x')]: 1, a: 1 }, { a: 1 }],
    ['proxies', { p: new Proxy({ a: 1 }, {}), f: new Proxy(() => 1, {}) }, { p: '[Proxy]' }],
  ])('%s', (_, root, expected) => {
    expect(stateOf(root)).toEqual(new Map(Object.entries(expected)));
  });

  it('shortens long texts and leaves out what has no usable name', () => {
    const state = stateOf({ text: 'x'.repeat(5000), m: new Map([['y'.repeat(2000), 1]]), ['z'.repeat(2000)]: 1 });
    expect([...state.keys()]).toEqual(['text', 'm.size']);
    expect(state.get('text')).toBe(`${'x'.repeat(4096)}… [5000 characters]`);
  });

  it('ends at a depth', () => {
    const root: Record<string, unknown> = {};
    let at = root;
    for (let depth = 0; depth < 50; depth++) {
      const next = {};
      at.x = next;
      at = next;
    }
    at.end = 1;
    const state = stateOf(root);
    expect(state.size).toBe(1);
    expect([...state.values()]).toEqual(['[deeper levels are not read]']);
  });
});

describe('code of the app', () => {
  it('never runs: getters', () => {
    const elements: unknown[] = [1, 2];
    Object.defineProperty(elements, 1, { get: bomb, enumerable: true });
    const bytes = new Uint8Array(3);
    Object.defineProperty(bytes, 'byteLength', { get: bomb });
    class Tagged extends Money {
      get [Symbol.toStringTag]() {
        return bomb();
      }
    }
    own.add(Tagged);
    const boxed = Object(1);
    Object.defineProperty(boxed, Symbol.toStringTag, { get: bomb });
    const root = {
      get a() {
        return bomb();
      },
      b: 1,
      elements,
      bytes,
      boxed,
      tagged: new Tagged(),
      made: Object.create(Object.defineProperty({}, 'constructor', { get: bomb })),
    };
    const { look } = watch(root);
    look();
    expect(look()).toEqual(
      new Map<string, unknown>([
        ['b', 1],
        ['elements.length', 2],
        ['elements[0]', 1],
        ['bytes', '[Uint8Array of 3 bytes]'],
        ['boxed', '1'],
        ['tagged.amount', 1],
      ]),
    );
  });

  it('never runs: a field that becomes an accessor, and back', () => {
    const root: Record<string, unknown> = { a: 1, b: { c: 1 }, d: undefined };
    const { look } = watch(root);
    look();
    for (const key of ['a', 'b', 'd'])
      Object.defineProperty(root, key, { get: bomb, enumerable: true, configurable: true });
    expect(look()).toEqual(new Map());
    for (const key of ['a', 'b', 'd']) Object.defineProperty(root, key, { value: key, enumerable: true });
    expect(look()).toEqual(new Map(Object.entries({ a: 'a', b: 'b', d: 'd' })));
  });

  it('never runs: proxies, as values, prototypes and classes', () => {
    const traps = new Proxy({}, { get: () => bomb });
    const proxy = (target: object) => new Proxy(target, traps);
    const list: unknown[] = [1];
    Object.setPrototypeOf(list, proxy([]));
    class Shop {}
    Shop.prototype.constructor = new Proxy(Shop, traps);
    const root = {
      object: proxy({}),
      list: proxy([]),
      map: proxy(new Map()),
      heir: Object.create(proxy({})),
      heirOfHeir: Object.create(Object.create(proxy({}))),
      odd: list,
      shop: new Shop(),
    };
    const { look } = watch(root);
    look();
    expect(new Set(look().values())).toEqual(new Set(['[Proxy]']));
  });

  it('never runs: own methods of maps, sets and dates', () => {
    const map = Object.assign(new Map([['a', 1]]), { forEach: bomb, entries: bomb, [Symbol.iterator]: bomb });
    const set = Object.assign(new Set([1]), { forEach: bomb, values: bomb });
    const date = Object.assign(new Date(0), { toISOString: bomb, getTime: bomb, valueOf: bomb });
    const object = { toString: bomb, valueOf: bomb, toJSON: bomb };
    expect(stateOf({ map, set, date, object }).size).toBe(5);
  });
});

describe('changes', () => {
  it('reports nothing while nothing changes', () => {
    const tree = treeOf({ a: [1, { b: new Date(0) }], m: new Map([['x', new Set([1])]]), n: Number.NaN });
    read(tree);
    expect(tree.takeUpdate().kind).toBe('full');
    for (let pass = 0; pass < 3; pass++) {
      read(tree);
      expect(tree.takeUpdate()).toEqual({ kind: 'same' });
    }
  });

  it('reports just what changed', () => {
    const root = { a: 1, b: { c: 2, d: 3 }, list: ['x'] };
    const tree = treeOf(root);
    read(tree);
    expect(tree.takeFull()).toEqual({
      kind: 'full',
      paths: ['a', 'b.c', 'b.d', 'list.length', 'list[0]'],
      values: [1, 2, 3, 1, 'x'],
    });
    root.b.c = 9;
    root.list.push('y');
    read(tree);
    expect(tree.takeUpdate()).toEqual({
      kind: 'delta',
      changed: [
        [1, 9],
        [3, 2],
      ],
      added: [[5, 'list[1]', 'y']],
      removed: [],
    });
    Reflect.deleteProperty(root, 'b');
    read(tree);
    expect(tree.takeUpdate()).toEqual({ kind: 'delta', changed: [], added: [], removed: [1, 2] });
  });

  it('keeps slots when keys only change their order or an object is replaced by one of its kind', () => {
    const root: Record<string, unknown> = { a: 1, b: { c: 2 } };
    const tree = treeOf(root);
    read(tree);
    tree.takeFull();
    Reflect.deleteProperty(root, 'a');
    root.a = 1;
    root.b = { c: 3 };
    read(tree);
    expect(tree.takeUpdate()).toEqual({ kind: 'delta', changed: [[1, 3]], added: [], removed: [] });
  });

  it('never uses a slot again, and numbers anew when most are empty', () => {
    const root: { list: number[] } = { list: [] };
    const { tree, look, table } = watch(root);
    look();
    const kinds = new Set<string>();
    for (let round = 0; round < 60; round++) {
      root.list = round % 2 === 0 ? Array.from({ length: 500 }, (_, at) => at) : [];
      read(tree);
      const update = tree.takeUpdate();
      kinds.add(update.kind);
      table.apply(update);
      expect(table.state().size).toBe(round % 2 === 0 ? 501 : 1);
    }
    expect(kinds).toEqual(new Set(['delta', 'full']));
  });

  it('sees a date, a map and a set change in place', () => {
    const root = { d: new Date(0), m: new Map([['a', 1]]), s: new Set([1]) };
    const { look } = watch(root);
    look();
    root.d.setTime(1000);
    root.m.set('b', 2).delete('a');
    root.s.add(2).delete(1);
    expect(look()).toEqual(
      new Map(Object.entries({ d: '1970-01-01T00:00:01.000Z', 'm.size': 1, 'm.b': 2, 's.size': 1, 's[0]': 2 })),
    );
  });

  it('tells a text from an object that reads the same', () => {
    const root: Record<string, unknown> = { r: /a/ };
    const { look } = watch(root);
    look();
    root.r = '/a/';
    look();
    root.r = /b/;
    expect(look().get('r')).toBe('/b/');
    root.r = '/b/';
    look();
    root.r = { x: 1 };
    expect(look()).toEqual(new Map([['r.x', 1]]));
  });
});

describe('objects at several places', () => {
  const large = () => ({ deep: { x: 1 } });

  it('shows a small record everywhere and a larger thing once', () => {
    const record = { x: 1 };
    const thing = large();
    expect(stateOf({ a: record, b: record, c: thing, d: thing })).toEqual(
      new Map(Object.entries({ 'a.x': 1, 'b.x': 1, 'c.deep.x': 1, d: '[ref] c' })),
    );
  });

  it('ends at a cycle', () => {
    const root: Record<string, unknown> = { a: {} };
    root.self = root;
    (root.a as Record<string, unknown>).up = root;
    expect(stateOf(root)).toEqual(new Map(Object.entries({ self: '[ref] ', 'a.up': '[ref] ' })));
  });

  it('shows an object in its new place in the very capture in which it moved', () => {
    const thing = large();
    const root: Record<string, unknown> = { a: 1, b: thing };
    const { look } = watch(root);
    look();
    root.a = thing;
    root.b = 2;
    expect(look()).toEqual(new Map(Object.entries({ 'a.deep.x': 1, b: 2 })));
  });

  it('shows the elements of a list of different things rightly after it moved up', () => {
    const list: unknown[] = [[1], large(), large(), 3];
    const { look } = watch({ list });
    look();
    list.shift();
    expect(look()).toEqual(stateOf({ list }));
  });

  it('brings a reference up to date when what it refers to moves or goes', () => {
    const [one, two] = [large(), large()];
    const root: { list: unknown[]; selected: unknown } = { list: [one, two], selected: { it: two } };
    const { look } = watch(root);
    expect(look().get('selected.it')).toBe('[ref] list[1]');
    root.list = [two];
    expect(look().get('selected.it')).toBe('[ref] list[0]');
    root.list = [];
    expect(look()).toEqual(new Map(Object.entries({ 'list.length': 0, 'selected.it.deep.x': 1 })));
  });

  it('shows a variable that names the same object as another once', () => {
    const thing = large();
    const scope = { a: thing, b: thing };
    const tree = treeOf(scope, 100, [scope]);
    read(tree);
    expect(tree.takeFull().paths).toEqual(['a.deep.x']);
  });
});

describe('limits', () => {
  it('reads no more leaves than allowed and counts the others', () => {
    const tree = treeOf({ list: Array.from({ length: 1000 }, (_, at) => at), a: 1, b: { c: 1 } }, 100);
    read(tree);
    expect(tree.leafCount).toBeLessThanOrEqual(100);
    expect(tree.leftOut).toBeGreaterThanOrEqual(950);
    // One list does not hide the rest.
    expect(tree.takeFull().paths).toEqual(expect.arrayContaining(['a', 'b.c', 'list.length', 'list[0]']));
  });

  it.each<[string, (count: number) => object]>([
    ['map', (count) => new Map(Array.from({ length: count }, (_, at) => [`k${at}`, at]))],
    ['set', (count) => new Set(Array.from({ length: count }, (_, at) => at))],
    ['object', (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))],
  ])('keeps room beside a huge %s', (_, make) => {
    const root = { huge: make(1000), after: { a: 1 } };
    const tree = treeOf(root, 100);
    read(tree);
    expect(tree.leafCount).toBeLessThanOrEqual(100);
    expect(tree.leftOut).toBeGreaterThanOrEqual(900);
    expect(tree.takeFull().paths).toContain('after.a');
    read(tree);
    expect(tree.takeUpdate()).toEqual({ kind: 'same' });
  });

  it('reads all of a deep root before the rest of a long one', () => {
    const deep = (depth: number): object => (depth === 0 ? { end: true } : { below: deep(depth - 1), at: depth });
    const rows = new Map(Array.from({ length: 5000 }, (_, at) => [`row${at}`, { id: at, name: `n${at}` }]));
    const tree = treeOf({ rows, deep: deep(20) }, 2000);
    read(tree);
    const { paths } = tree.takeFull();
    expect(paths).toContain(`deep.${'below.'.repeat(20)}end`);
    expect(paths).toEqual(expect.arrayContaining(['rows.row0.id', 'rows.row400.name']));
    expect(tree.leafCount + tree.leftOut).toBeGreaterThan(5000);
  });

  it('keeps room for what comes later, and uses it', () => {
    const root: Record<string, unknown> = { rows: Array.from({ length: 5000 }, (_, id) => ({ id, name: `n${id}` })) };
    const { tree, look } = watch(root, 2000);
    look();
    expect(tree.leafCount).toBeLessThanOrEqual(1700);
    root.later = Array.from({ length: 90 }, (_, id) => ({ id, done: false }));
    expect(look().get('later[89].done')).toBe(false);
  });

  it('does not keep what it cut when that is gone', () => {
    const root: Record<string, unknown> = {};
    const tree = treeOf(root, 300);
    for (let round = 0; round < 50; round++) {
      root.rows = new Map(Array.from({ length: 500 }, (_, at) => [`${round} ${at}`, { at }]));
      read(tree);
    }
    root.rows = null;
    read(tree);
    expect([tree.leafCount, tree.leftOut, tree.waiting]).toEqual([1, 0, 0]);
  });

  it('goes on where it was interrupted, and compares meanwhile what it has', () => {
    const root = { list: Array.from({ length: 3000 }, (_, at) => ({ at })), first: 1 };
    const tree = treeOf(root, 10_000);
    tree.compare();
    expect(tree.expand(0)).toBe(false);
    expect(tree.waiting).toBeGreaterThan(0);
    const table = new LeafTable();
    table.apply(tree.takeUpdate());
    expect(table.state().get('first')).toBe(1);
    root.first = 2;
    tree.compare();
    while (!tree.expand(0)) {
      // Until it is complete.
    }
    table.apply(tree.takeUpdate());
    expect(table.state().get('first')).toBe(2);
    expect(table.state().get('list[2999].at')).toBe(2999);
    expect(table.state()).toEqual(stateOf(root, 10_000));
  });

  it('bounds the memory for objects without any leaf', () => {
    const empty = (depth: number): object =>
      depth === 0 ? {} : Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`k${at}`, empty(depth - 1)]));
    const tree = treeOf(empty(4), 200);
    read(tree);
    expect(tree.structureVersion).toBeLessThanOrEqual(201);
    expect(tree.leftOut).toBeGreaterThan(0);
  });

  it('uses the room that becomes free', () => {
    const root: Record<string, unknown> = { a: 1, b: 2, c: 3, d: 4 };
    const { look } = watch({ root, rest: { x: 1 } }, 4);
    expect(look().size).toBeLessThanOrEqual(4);
    for (const key of ['a', 'b', 'c']) delete root[key];
    expect(look().get('rest.x')).toBe(1);
  });

  it('reads in slices', () => {
    const root = { list: Array.from({ length: 1000 }, (_, at) => ({ at })) };
    const tree = treeOf(root);
    let slices = 1;
    tree.compare();
    while (!tree.expand(0)) slices++;
    expect(slices).toBeGreaterThan(5);
    expect(tree.leafCount).toBe(1001);
  });
});

describe('holders', () => {
  const pathsOf = (tree: ShadowTree) => [...tree.holders].map((node) => tree.segmentsOf(node).join('.'));

  it('are the objects with methods, as long as they are there', () => {
    const root: Record<string, unknown> = {
      money: new Money(),
      tools: { run() {} },
      plain: { a: 1 },
      list: [new Money()],
    };
    const tree = treeOf(root);
    read(tree);
    expect(new Set(pathsOf(tree))).toEqual(new Set(['money', 'tools', 'list.0']));
    root.money = null;
    read(tree);
    expect(new Set(pathsOf(tree))).toEqual(new Set(['tools', 'list.0']));
  });

  it('follow when an object is replaced by one of a class', () => {
    const root: Record<string, unknown> = { a: { amount: 2 } };
    const tree = treeOf(root);
    read(tree);
    expect(pathsOf(tree)).toEqual([]);
    root.a = new Money();
    read(tree);
    expect(pathsOf(tree)).toEqual(['a']);
  });

  it('raise the version when an object gets its first function', () => {
    const plain: Record<string, unknown> = { a: 1 };
    const tree = treeOf({ plain });
    read(tree);
    const before = tree.structureVersion;
    read(tree);
    expect(tree.structureVersion).toBe(before);
    plain.run = () => 1;
    read(tree);
    expect(tree.structureVersion).toBeGreaterThan(before);
    expect(pathsOf(tree)).toEqual(['plain']);
  });
});

describe('overlays', () => {
  it('show hidden variables as fields, and only for the object that they belong to', () => {
    const root: Record<string, unknown> = { counter: { step: 1, next() {} } };
    const { tree, look } = watch(root);
    look();
    const node = tree.find(['counter']);
    if (!node) throw new Error('not found');
    const variables = { count: 5 };
    tree.setOverlay(node, variables);
    expect(look()).toEqual(new Map(Object.entries({ 'counter.step': 1, 'counter.count': 5 })));
    variables.count = 6;
    expect(look().get('counter.count')).toBe(6);
    root.counter = { step: 2, next() {} };
    expect(look()).toEqual(new Map([['counter.step', 2]]));
    expect(node.dead).toBe(true);
  });

  it('are found by path', () => {
    const { tree, look } = watch({ a: [{ b: { c: 1 } }], m: new Map([['k', { x: { y: 1 } }]]) });
    look();
    const node = tree.find(['a', 0, 'b']);
    expect(node && tree.segmentsOf(node)).toEqual(['a', 0, 'b']);
    expect(tree.find(['m', 'k', 'x'])?.target).toEqual({ y: 1 });
    for (const path of [['a', 1], ['a', '0'], ['a', 0, 'b', 'c'], ['m', 0], ['x'], ['a', 'length'], ['__proto__']])
      expect(tree.find(path)).toBeNull();
    expect(tree.find([])).toBe(tree.root);
  });
});
