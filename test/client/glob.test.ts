import { expect, it } from 'vitest';
import { globMatcher } from '../../src/client/glob.ts';

it.each([
  ['cart', 'cart', true],
  ['cart', 'cart.items[0].name', true],
  ['cart', 'cartridge', false],
  ['cart.*', 'cart.total', true],
  ['cart.*', 'cart.items[0].name', true],
  ['cart.items[*].name', 'cart.items[12].name', true],
  ['cart.items[*].name', 'cart.items[12].price', false],
  ['*.total', 'cart.total', true],
  ['*.total', 'shop.cart.total', false],
  ['**.total', 'shop.cart.total', true],
  ['**.total', 'total', true],
  ['**token**', 'settings.apiToken', false],
  ['**oken**', 'settings.apiToken', true],
  ['rates["odd key"]', 'rates["odd key"]', true],
  ['a?c', 'abc', true],
  ['a?c', 'a.c', false],
  ['a+b(c)', 'a+b(c)', true],
])('%s matches %s: %s', (pattern, key, isMatch) => {
  expect(globMatcher(pattern)(key)).toBe(isMatch);
});
