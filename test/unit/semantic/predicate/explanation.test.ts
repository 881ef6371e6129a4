import { describe, expect, it } from 'vitest';
import { compilePredicate } from '../../../../src/semantic/predicate/predicate.ts';
import { viewOf } from './view-of.ts';

const shop = {
  cart: { total: 12, limit: 10, note: 'x'.repeat(500), items: [{ total: 5 }, { total: 7 }] },
  inbox: { unread: 3, loading: false },
  user: { name: 'Ada' },
};

const explained: [expression: string, explanation: string][] = [
  ['cart.total > 10', 'cart.total is 12, and 12 > 10 is true.'],
  ['inbox.unread === 0', 'inbox.unread is 3; expected === 0.'],
  ['cart.total < cart.limit', 'cart.total is 12 and cart.limit is 10; expected cart.total < cart.limit.'],
  ['0 === inbox.unread', 'inbox.unread is 3; expected 0 === inbox.unread.'],
  ['inbox.unread === "3"', 'inbox.unread is 3; expected === "3", but one is a number and the other a string.'],
  ['user.name === "Bob"', 'user.name is "Ada"; expected === "Bob".'],
  ['1 === 2', '1 === 2 is false.'],
  [
    'cart.totl > 10',
    'cart.totl is undefined: there is no such key. Nearest keys: cart.total, cart.items[0].total. Expected > 10.',
  ],
  [
    'cart.totl !== 10',
    'cart.totl is undefined: there is no such key. Nearest keys: cart.total, cart.items[0].total. undefined !== 10 is true.',
  ],
  [
    '!cart.totl',
    'cart.totl is undefined: there is no such key. Nearest keys: cart.total, cart.items[0].total. So !cart.totl is true.',
  ],
  [
    'crt.total === 12',
    'crt is undefined: there is no such key. Nearest keys: cart.total, cart.items[0].total. ' +
      'The predicate could not be evaluated: ' +
      'TypeError: cannot read "total" of crt, which is undefined (write ?. if it may be absent).',
  ],
  [
    'context.veiw',
    'context.veiw is undefined: there is no such key. Nearest keys: context.view. That counts as false.',
  ],
  ['inbox.loading', 'inbox.loading is false.'],
  ['inbox.unread', 'inbox.unread is 3, which counts as true.'],
  ['!inbox.loading', 'inbox.loading is false, so !inbox.loading is true.'],
  ['!(inbox.unread > 0)', 'inbox.unread is 3, and 3 > 0 is true. So !(inbox.unread > 0) is false.'],
  ['inbox.loading && cart.total > 1', 'The left side of && is false: inbox.loading is false.'],
  ['cart.total > 1 && inbox.unread === 0', 'The right side of && is false: inbox.unread is 3; expected === 0.'],
  [
    'cart.total > 1 && inbox.unread > 0',
    'Both sides of && are true: cart.total is 12, and 12 > 1 is true. inbox.unread is 3, and 3 > 0 is true.',
  ],
  ['cart.total > 1 && inbox.unread === 0 && user.name', 'Part 2 of 3 is false: inbox.unread is 3; expected === 0.'],
  ['cart.total === 12 || user.name', 'The left side of || is true: cart.total is 12, and 12 === 12 is true.'],
  [
    'cart.total === 1 || inbox.unread === 0',
    'Neither side of || is true: cart.total is 12; expected === 1. inbox.unread is 3; expected === 0.',
  ],
  ['user.name.includes("x")', 'user.name.includes("x") is false (user.name is "Ada").'],
  [
    'cart.items.some(item => item.total > 9)',
    'cart.items.some(item => item.total > 9) is false (cart.items[0].total is 5, cart.items[1].total is 7).',
  ],
  ['cart.items.length * 2 > 5', 'cart.items.length * 2 is 4 (cart.items.length is 2); expected > 5.'],
  ['inbox', 'inbox is {"unread":3,"loading":false}, which counts as true.'],
];

describe('explanation', () => {
  it.each(explained)('%s', (expression, expected) => {
    expect(compilePredicate(expression).evaluate(viewOf(shop)).explanation).toBe(expected);
  });

  it('shortens long strings and stays short itself', () => {
    const { explanation } = compilePredicate('cart.note === "y"').evaluate(viewOf(shop));
    expect(explanation).toBe(`cart.note is "${'x'.repeat(79)}…"; expected === "y".`);
    const many = Array.from({ length: 100 }, (_, index) => `cart.note === "${index}"`).join(' || ');
    expect(compilePredicate(many).evaluate(viewOf(shop)).explanation.length).toBeLessThan(1600);
  });

  it('names a property that all elements lack once', () => {
    const { explanation } = compilePredicate('cart.items.every(item => item.totl > 1)').evaluate(viewOf(shop));
    expect(explanation.match(/no such key/g)).toHaveLength(1);
  });

  it('says so when nothing is near', () => {
    const { explanation } = compilePredicate('qqqqqqq').evaluate(viewOf(shop));
    expect(explanation).toBe('qqqqqqq is undefined: there is no such key. That counts as false.');
  });
});
