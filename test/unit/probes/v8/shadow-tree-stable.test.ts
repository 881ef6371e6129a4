import { types } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClassifier } from '../../../../src/probes/drivers/v8/node/agent/classify.ts';
import type { Classification } from '../../../../src/probes/drivers/v8/tree/classification.ts';
import { ShadowTree, type TreeOptions } from '../../../../src/probes/drivers/v8/tree/shadow-tree.ts';
import { LeafTable } from './leaf-table.ts';

const classifyPlain = createClassifier(types, () => 'app');

function watch(top: Record<string, unknown>, options: Partial<TreeOptions> = {}) {
  const tree = new ShadowTree(top, {
    classify: classifyPlain,
    maxLeaves: 100_000,
    now: () => performance.now(),
    isScope: () => false,
    isStable: (name) => name === 'store',
    ...options,
  });
  const table = new LeafTable();
  const look = () => {
    tree.compare();
    while (!tree.expand(Number.POSITIVE_INFINITY));
    table.apply(tree.takeUpdate());
    return Object.fromEntries(table.state());
  };
  return { tree, look };
}

describe('a stable root', () => {
  const emails = () => [
    { subject: 'a', read: false },
    { subject: 'b', read: false },
  ];

  it('shows objects that were replaced', () => {
    const list = emails();
    const top = { store: { inbox: { emails: list, filter: 'all' } } };
    const { look } = watch(top);
    expect(look()['store.inbox.emails[0].read']).toBe(false);
    top.store = { inbox: { ...top.store.inbox, emails: [{ subject: 'a', read: true }, ...list.slice(1)] } };
    expect(look()).toEqual({
      'store.inbox.emails.length': 2,
      'store.inbox.emails[0].subject': 'a',
      'store.inbox.emails[0].read': true,
      'store.inbox.emails[1].subject': 'b',
      'store.inbox.emails[1].read': false,
      'store.inbox.filter': 'all',
    });
  });

  it('is passed by while it is the same object, and swept in turn', () => {
    const top = { store: { list: emails() }, other: { count: 1 } };
    const { tree, look } = watch(top);
    look();
    (top.store.list[1] as { read: boolean }).read = true;
    top.other.count = 2;
    expect(look()).toMatchObject({ 'other.count': 2, 'store.list[1].read': false });
    tree.sweep(Number.POSITIVE_INFINITY);
    expect(look()['store.list[1].read']).toBe(true);
  });

  it('is swept to its end in small steps', () => {
    const rows = Array.from({ length: 600 }, (_, id) => ({ id, done: false }));
    const { tree, look } = watch({ store: { rows } });
    look();
    for (const row of rows) row.done = true;
    let changed = 0;
    let sweeps = 0;
    while (changed < rows.length) {
      tree.sweep(Number.NEGATIVE_INFINITY);
      sweeps++;
      const update = tree.takeUpdate();
      if (update.kind === 'delta') changed += update.changed.length;
    }
    expect(sweeps).toBeGreaterThan(10);
  });

  it('costs nothing to speak of while nothing changed', () => {
    const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `n${id}`, done: false, price: id / 2 }));
    let looked = 0;
    const { tree, look } = watch(
      { store: { rows } },
      {
        classify: (value): Classification => {
          looked++;
          return classifyPlain(value);
        },
      },
    );
    look();
    const before = looked;
    tree.compare();
    tree.expand(Number.POSITIVE_INFINITY);
    expect(looked).toBe(before);
    expect(tree.takeUpdate()).toEqual({ kind: 'same' });
  });

  it('says how much a limit leaves out, also while it is passed by', () => {
    const { tree, look } = watch(
      { store: { rows: Array.from({ length: 100 }, (_, id) => ({ id })) } },
      { maxLeaves: 40 },
    );
    look();
    const { leafCount, leftOut } = tree;
    expect(leafCount).toBeLessThanOrEqual(40);
    expect(leftOut).toBeGreaterThan(0);
    look();
    expect([tree.leafCount, tree.leftOut]).toEqual([leafCount, leftOut]);
  });
});

describe('new objects', () => {
  it('are read in parts when they are long, and come out the same', () => {
    const top = {
      list: Array.from({ length: 5000 }, (_, id) => ({ id })),
      byName: Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, at])),
    };
    const { tree } = watch(top);
    tree.compare();
    let parts = 1;
    while (!tree.expand(Number.NEGATIVE_INFINITY)) parts++;
    expect(parts).toBeGreaterThan(10);
    const { paths } = tree.takeFull();
    expect(paths).toHaveLength(5000 + 1 + 3000);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.slice(0, 3)).toEqual(['list.length', 'list[0].id', 'list[1].id']);
  });

  it('are all seen when a root comes later', () => {
    const top: Record<string, unknown> = { first: { a: 1 } };
    const { tree, look } = watch(top);
    look();
    top.second = { b: 2 };
    tree.placeRoots();
    tree.expand(Number.POSITIVE_INFINITY);
    expect(tree.showsRoot('second')).toBe(true);
    expect(look()).toEqual({ 'first.a': 1, 'second.b': 2 });
  });
});

describe('values that stand around others', () => {
  class Ref {
    value: unknown;
    constructor(value: unknown) {
      this.value = value;
    }
  }
  const resolve = (value: object): unknown => (value instanceof Ref ? value.value : value);

  it('are read as what they hold, and followed', () => {
    const count = new Ref(1);
    const user = new Ref({ name: 'Ada' });
    const { look } = watch({ setup: { count, user } }, { resolve });
    expect(look()).toEqual({ 'setup.count': 1, 'setup.user.name': 'Ada' });
    count.value = 2;
    user.value = { name: 'Grace' };
    expect(look()).toEqual({ 'setup.count': 2, 'setup.user.name': 'Grace' });
    user.value = null;
    expect(look()).toEqual({ 'setup.count': 2, 'setup.user': null });
  });

  it('a Map that stands for fields has no size, and may have a field of that name', () => {
    const fields = new Map<string, unknown>([
      ['size', 'L'],
      ['price', 3],
    ]);
    const { look } = watch(
      { item: fields },
      { classify: (value) => (value === fields ? { expand: 'record' } : classifyPlain(value)) },
    );
    expect(look()).toEqual({ 'item.size': 'L', 'item.price': 3 });
  });
});

describe('objects that anybody could have made', () => {
  it('are read when they may be', () => {
    const allowed = new Set<object>();
    const inner = { secret: 1 };
    const top = { globals: { inner, plain: 2 } };
    const { look } = watch(top, { isGuarded: (name) => name === 'globals', mayRead: (value) => allowed.has(value) });
    expect(look()).toEqual({ 'globals.plain': 2 });
    allowed.add(inner);
    expect(look()).toEqual({ 'globals.inner.secret': 1, 'globals.plain': 2 });
  });
});

describe('references', () => {
  it('name the place as people see it', () => {
    const shared = { list: [1] };
    const { look } = watch({ site__redux: { a: shared, b: { again: shared } } }, { labelOf: () => '' });
    expect(look()['site__redux.b.again']).toBe('[ref] a');
  });
});

describe('objects that take long to compare', () => {
  it('rest for some passes when they are long, and only then', () => {
    let time = 0;
    const now = () => {
      time += 3;
      return time;
    };
    const top = { small: { a: 1 }, rows: Array.from({ length: 600 }, () => 1) };
    const { look } = watch(top, { now, restMs: 1 });
    look();
    top.small.a = 2;
    top.rows[599] = 2;
    expect(look()).toMatchObject({ 'small.a': 2, 'rows[599]': 1 });
    for (let pass = 0; pass < 10; pass++) look();
    expect(look()).toMatchObject({ 'rows[599]': 2 });
  });
});
