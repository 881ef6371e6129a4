import { describe, expect, it } from 'vitest';
import { isConstant } from '../../../../src/probes/drivers/v8/node/agent/constants.ts';

const numbered: Record<string, unknown> = { Open: 0, Closed: 1, '0': 'Open', '1': 'Closed' };
class Library {
  rows = [{ id: 1 }];
}

describe('a variable holds a constant', () => {
  it.each<[string, string, unknown]>([
    ['an enumeration by numbers', 'status', numbered],
    ['an enumeration by texts', 'types', { ACCESSORY: 'accessory', PLATFORM: 'platform' }],
    ['what is frozen, with all below', 'table', Object.freeze({ a: Object.freeze([1]) })],
    ['a number with a name in capitals', 'MAX_ROWS', 500],
    ['a table with a capital', 'ServerMessages', { hello: { text: 'Hello', level: 'info' } }],
    ['a schema of a library', 'RouteSchema', new Library()],
  ])('%s', (_, name, value) => expect(isConstant({ name, value, isLiteral: false })).toBe(true));

  it.each<[string, string, unknown]>([
    ['a counter', 'hits', 3],
    ['a record', 'cart', { items: ['a'], total: 1 }],
    ['what was frozen and holds what was not', 'store', Object.freeze({ rows: [1] })],
    ['texts by their names', 'titles', { a: 'A', b: 'B' }],
    ['one name', 'flags', { Open: 'yes' }],
    ['a list of numbers', 'sums', { '0': 1, '1': 2 }],
    ['an empty table', 'Cache', {}],
    ['a table with an empty list', 'Registry', { rows: [] }],
    ['a map', 'Sessions', new Map([['a', 1]])],
  ])('not: %s', (_, name, value) => expect(isConstant({ name, value, isLiteral: false })).toBe(false));

  it('when a module of a package exports it, and has no function that uses it', () => {
    const value = { serializedName: 'Blob', type: { name: 'Composite' } };
    expect(isConstant({ name: 'blob', value, isLiteral: true })).toBe(true);
    expect(isConstant({ name: 'blob', value, isLiteral: false })).toBe(false);
    expect(isConstant({ name: 'blob', value: { list: [] }, isLiteral: true })).toBe(false);
  });
});
