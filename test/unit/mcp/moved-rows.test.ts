import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeLines } from '../../../src/mcp/change-lines.ts';
import { findMoves } from '../../../src/mcp/moved-rows.ts';
import { joinPath, pathPattern } from '../../../src/model/path.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { type KeyChange, KeyList, type StateLook } from '../../../src/model/state-look.ts';
import { cpuTime } from '../../support/cpu-time.ts';
import { finished, mailApp } from './states.ts';

type State = Map<string, Scalar>;

function flatten(value: unknown, path = '', into: State = new Map()): State {
  if (Array.isArray(value)) {
    into.set(`${path}.length`, value.length);
    for (const [at, item] of value.entries()) flatten(item, joinPath(path, at), into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) flatten(item, joinPath(path, name), into);
  } else into.set(path, value as Scalar);
  return into;
}

function changesBetween(before: State, after: State): KeyChange[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
    .filter((change) => !Object.is(change.before, change.after));
}

function keysOf(now: State): KeyList {
  const keys = new KeyList();
  for (const key of now.keys()) keys.add(key, pathPattern(key));
  return keys;
}

const look = (now: State): StateLook => ({
  ...mailApp(),
  keys: keysOf(now),
  get: (key) => now.get(key),
  isShown: (key) => !key.includes('hidden'),
  salience: () => 0.5,
});

const nowOf = (now: State) => ({ get: (key: string) => now.get(key), isReported: () => true, fieldsOf: () => [] });

function told(before: unknown, after: unknown, room = 1500) {
  const now = flatten(after);
  return finished(changeLines(changesBetween(flatten(before), now), look(now), room));
}

const queue = [
  { id: 17, customer: 'Grace', drink: 'tea', status: 'open' },
  { id: 18, customer: 'Ada', drink: 'tea', status: 'open' },
  { id: 19, customer: 'Linus', drink: 'coffee', status: 'open' },
  { id: 20, customer: 'Ken', drink: 'tea', status: 'open' },
];
const shop = (...rows: unknown[]) => ({ shop: { queue: rows } });
const [grace, ada, linus, ken] = queue;

describe('rows that have another place', () => {
  it('are told as that, on one line', () => {
    expect(told(shop(grace, ada, linus, ken), shop(linus, grace, ada, ken)).lines).toEqual([
      'shop.queue: "Linus" moved from [2] to [0]',
    ]);
    expect(told(shop(grace, ada, linus, ken), shop(ken, ada, linus, grace)).lines).toEqual([
      'shop.queue: "Ken" moved from [3] to [0]',
      'shop.queue: "Grace" moved from [0] to [3]',
    ]);
  });

  it('make room, or close the gap', () => {
    expect(told(shop(grace, ada, linus, ken), shop(ada, linus, ken)).lines).toEqual([
      'shop.queue[0] gone: id = 17, customer = "Grace", drink = "tea", status = "open" (the rest moved up)',
      'shop.queue.length: 4 -> 3',
    ]);
    expect(told(shop(grace, ada, linus), shop(grace, ken, ada, linus)).lines).toEqual([
      'shop.queue[1] appeared: id = 20, customer = "Ken", drink = "tea", status = "open" (the rest moved down)',
      'shop.queue.length: 3 -> 4',
    ]);
  });

  it('are told with what else has changed in them', () => {
    expect(told(shop(grace, ada, linus), shop(ada, { ...linus, status: 'ready' })).lines).toEqual([
      'shop.queue[0] gone: id = 17, customer = "Grace", drink = "tea", status = "open" (the rest moved up)',
      'shop.queue[1].status: "open" -> "ready"',
      'shop.queue.length: 3 -> 2',
    ]);
    // The row at the new place has the values that the previous one had there.
    expect(told(shop(grace, linus), shop({ ...linus, drink: 'tea' }, grace)).lines).toEqual([
      'shop.queue: "Grace" moved from [0] to [1]',
      'shop.queue[0].drink: "coffee" -> "tea"',
    ]);
  });

  it('are one line where there are many', () => {
    const many = Array.from({ length: 12 }, (_, id) => ({ id, title: `Task ${id}` }));
    expect(told({ tasks: many }, { tasks: [...many].reverse() }).lines).toEqual([
      'tasks: 11 rows moved: "Task 10" from [10] to [1]; "Task 9" from [9] to [2]; "Task 8" from [8] to [3]',
    ]);
    const odd = many.filter(({ id }) => id % 2 === 1);
    expect(told({ tasks: many }, { tasks: odd }).lines).toEqual([
      'tasks: 6 rows gone: [0] id = 0, title = "Task 0"; [2] id = 2, title = "Task 2"; [4] id = 4, title = "Task 4" (the rest moved up)',
      'tasks.length: 12 -> 6',
    ]);
  });

  it('are called by their id where nothing else tells them apart', () => {
    const rows = [{ uuid: 7, n: 1 }, { uuid: 8, n: 1 }, { uuid: 9, n: 1 }]; // biome-ignore format: short
    expect(told({ rows }, { rows: [rows[2], rows[0], rows[1]] }).lines).toEqual(['rows: uuid 9 moved from [2] to [0]']);
    const named = ['x', 'y', 'z'].map((name) => ({ name }));
    expect(told({ rows: named }, { rows: [named[2], named[0], named[1]] }).lines).toEqual([
      'rows: "z" moved from [2] to [0]',
    ]);
  });

  it('need no id where each comes with all that it has', () => {
    const orders = queue.map(({ id: _, ...order }) => order);
    expect(told({ orders }, { orders: orders.slice(1) }).lines).toEqual([
      'orders[0] gone: customer = "Grace", drink = "tea", status = "open" (the rest moved up)',
      'orders.length: 4 -> 3',
    ]);
    expect(told({ orders }, { orders: [orders[2], orders[0], orders[1], orders[3]] }).lines).toEqual([
      'orders: "Linus" moved from [2] to [0]',
    ]);
    // Each is a step further, at its old place.
    const steps = (...names: string[]) => ({
      orders: names.map((status, at) => ({ customer: `Guest ${at}`, status })),
    });
    expect(told(steps('ready', 'open', 'new'), steps('served', 'ready', 'open')).lines).toEqual([
      'orders[0].status: "ready" -> "served"',
      'orders[1].status: "open" -> "ready"',
      'orders[2].status: "new" -> "open"',
    ]);
  });

  it('may be texts', () => {
    expect(told({ tags: ['red', 'green', 'blue'] }, { tags: ['green', 'blue', 'grey'] }).lines).toEqual([
      'tags[0] gone: "red"',
      'tags[2] appeared: "grey" (the rest moved up)',
    ]);
    expect(told({ tags: ['red', 'green', 'blue'] }, { tags: ['blue', 'red', 'green'] }).lines).toEqual([
      'tags: "blue" moved from [2] to [0]',
    ]);
  });

  it('may be in lists of lists, and below quoted names', () => {
    const boards = (one: unknown[], two: unknown[]) => ({
      'my [0] boards': [
        { id: 'a', cards: one },
        { id: 'b', cards: two },
      ],
    });
    const cards = ['p', 'q', 'r'].map((id) => ({ id, title: `Card ${id}` }));
    expect(told(boards([], cards), boards([], [cards[2], cards[0], cards[1]])).lines).toEqual([
      '["my [0] boards"][1].cards: "Card r" moved from [2] to [0]',
    ]);
    // The list moved, and its content changed.
    const list = (cards: unknown[]) => ({ id: 'c', cards });
    const [one, two] = [{ id: 'a', cards: [] }, { id: 'b', cards: [] }]; // biome-ignore format: short
    expect(told({ all: [one, two, list(cards)] }, { all: [list(cards.toReversed()), one, two] }).lines).toEqual([
      'all: "c" moved from [2] to [0]',
      'all[0].cards: "Card r" moved from [2] to [0]',
      'all[0].cards: "Card p" moved from [0] to [2]',
    ]);
  });

  it.each([
    ['have other values, and not another place', [{ id: 1, name: 'a' }, { id: 2, name: 'b' }], [{ id: 1, name: 'b' }, { id: 2, name: 'a' }]],
    ['are not told apart by what they have in common', [{ name: 'a' }, { name: 'a' }, { name: 'b' }], [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a' }]],
    ['are others', [{ id: 1 }, { id: 2 }], [{ id: 3 }, { id: 4 }]],
  ])('are not those that %s', (_, before, after) => {
    expect(told({ rows: before }, { rows: after }).lines.join()).not.toMatch(/moved/);
  }); // biome-ignore format: a table

  it('are left out with the rest of what is noise', () => {
    const rows = [{ id: 1 }, { id: 2 }, { id: 3 }];
    const { lines, noise } = told({ hidden: rows }, { hidden: [rows[2], rows[0], rows[1]] });
    expect([lines, noise]).toEqual([[], 3]);
    const named = ['Ada', 'Ken'].map((customer, id) => ({ id, customer, hidden: id }));
    expect(told({ rows: named }, { rows: [named[1]] }).lines).toEqual([
      'rows[0] gone: id = 0, customer = "Ada" (the rest moved up)',
      'rows.length: 2 -> 1',
    ]);
  });

  it('cost what has changed', () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `n${id}`, unread: id % 3, from: `f${id}` }));
    const before = flatten({ rows });
    const swapped = flatten({ rows: [rows[1], rows[0], ...rows.slice(2)] });
    const few = changesBetween(before, swapped);
    const asked: string[] = [];
    const get = (key: string) => {
      asked.push(key);
      return swapped.get(key);
    };
    finished(findMoves(few, { ...nowOf(swapped), get }));
    expect(asked.length).toBeLessThan(20);
    const all = flatten({ rows: rows.slice(1) });
    const changes = changesBetween(before, all);
    expect(cpuTime(() => void finished(findMoves(changes, nowOf(all))))).toBeLessThan(1000);
    const { lists, rest } = finished(findMoves(changes, nowOf(all)));
    expect(lists).toMatchObject([{ gone: [{ at: 0 }], moves: [], appeared: [], others: 'up' }]);
    expect(rest.map(({ key }) => key)).toEqual(['rows.length']);
  });
});

describe('the moves of a list', () => {
  const row = fc.record({ id: fc.integer({ min: 0, max: 12 }), text: fc.constantFrom('a', 'b', 'c'), n: fc.nat(2) });
  const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 10 });

  it('make the new one of the old one', () => {
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const [old, now] = [flatten({ rows: before }), flatten({ rows: after })];
        const { lists, rest } = finished(findMoves(changesBetween(old, now), nowOf(now)));
        const [moved] = lists;
        if (!moved) return;
        // Rows by id only: removed ones, inserted ones, and the others in their order.
        const taken = new Set([...moved.gone, ...moved.moves.map(({ from }) => from)].map(({ at }) => at));
        const put = new Map([
          ...moved.appeared.map(({ at }) => [at, after[at]?.id] as const),
          ...moved.moves.map(({ from, to }) => [to.at, before[from.at]?.id] as const),
        ]);
        const others = before.filter((_, at) => !taken.has(at)).map(({ id }) => id);
        const made = after.map((_, at) => (put.has(at) ? put.get(at) : others.shift()));
        expect(made).toEqual(after.map(({ id }) => id));
        expect(others).toEqual([]);
        // And each remaining change belongs to the row of that id.
        for (const { key, before: was, after: is } of rest) {
          const [, at, field] = /^rows\[(\d+)\]\.(text|n)$/.exec(key) ?? [];
          if (field !== 'text' && field !== 'n') continue;
          const own = after[Number(at)];
          expect(was).toEqual(before.find(({ id }) => id === own?.id)?.[field]);
          expect(is).toEqual(own?.[field]);
        }
      }),
    );
  });
});
