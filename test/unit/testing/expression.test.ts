import { describe, expect, it } from 'vitest';
import { compilePredicate } from '../../../src/semantic/predicate/predicate.ts';
import { equals } from '../../../src/testing/expression.ts';

describe('the expression for a value', () => {
  it.each<[string, unknown, string]>([
    ['cart.items.length', 2, 'cart.items.length === 2'],
    ['cart.items[0].name', 'a "b"', 'cart.items[0].name === "a \\"b\\""'],
    ['state["odd key"]', true, 'state["odd key"] === true'],
    ['cart?.coupon', undefined, 'cart?.coupon === undefined'],
    ['cart.coupon', null, 'cart.coupon === null'],
    ['a + b', 3, '(a + b) === 3'],
    ['list.at(-1)', -1.5, '(list.at(-1)) === -1.5'],
    ['total', Number.NaN, 'Number.isNaN(total)'],
    ['total', Number.POSITIVE_INFINITY, 'total === Infinity'],
    ['list', [], 'list.length === 0'],
    ['list', [1, { a: 2 }], 'list.length === 2 && list[0] === 1 && list[1].a === 2'],
    ['user', { name: 'Ada', 'e-mail': { ok: true } }, 'user.name === "Ada" && user["e-mail"].ok === true'],
    ['user', {}, 'typeof user === "object"'],
    ['user', Object.assign(Object.create(null), { a: 1 }), 'user.a === 1'],
  ])('%s, %j', (path, expected, expression) => {
    expect(equals(path, expected)).toBe(expression);
    expect(() => compilePredicate(expression)).not.toThrow();
  });

  it.each<[unknown]>([
    [() => 1],
    [10n],
    [Symbol('x')],
    [new Date(0)],
    [/x/],
    [new Map()],
    [[new Set()]],
    [expect.any(String)],
  ])('is not there for what no state holds: %s', (expected) => {
    expect(() => equals('a', expected)).toThrow('with toReach');
  });

  it('is not there for what contains itself', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => equals('a', circle)).toThrow('contains itself');
  });
});
