import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globMatcher } from '../../../src/model/glob.ts';

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
  ['**.price', 'xprice', false],
  ['**.price', 'a.b.price[0]', true],
  ['a.**.z', 'a.z', true],
  ['a.**.z', 'a.b[0].c.z', true],
  ['a.**.z', 'a.bz', false],
  ['**.*pilot*', 'tree.nodes["/pilot"]', true],
  ['**.*pilot*', 'tree.nodes["/pilot"].data', true],
  ['**.*1*', 'rows[1]', false],
  ['**.data', 'tree["data"]', false],
  ['**', 'any.thing[0]', true],
  ['', '', true],
  ['', 'a', false],
])('%s matches %s: %s', (pattern, key, isMatch) => {
  expect(globMatcher(pattern)(key)).toBe(isMatch);
});

it('takes no longer for a pattern that means harm', () => {
  const key = `${'a'.repeat(4000)}!`;
  for (const pattern of [`${'*a'.repeat(40)}b`, `${'**a'.repeat(40)}b`, `${'**.'.repeat(40)}b`])
    expect(globMatcher(pattern)(key)).toBe(false);
});

/** What a pattern means, said by a regular expression. Some patterns would keep it busy for ever: only for short ones. */
function meaningOf(pattern: string): RegExp {
  const parts = pattern.match(/\*\*\.|\*+|[^*]/gs) ?? [];
  const source = parts.map((part) => {
    if (part === '**.') return '(?:.*\\.)?';
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^.[\\]]*';
    return part === '?' ? '[^.[\\]]' : part.replace(/[\\^$.+()[\]{}|]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}(?:[.[].*)?$`, 's');
}

it('means the same as a regular expression', () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 9 });
  fc.assert(
    fc.property(text('ab.[]*?*'), fc.array(text('aabb..[]'), { minLength: 1 }), (pattern, keys) => {
      const matcher = globMatcher(pattern);
      // One matcher for all of them: none may leave anything behind for the next.
      expect(keys.filter(matcher)).toEqual(keys.filter((key) => meaningOf(pattern).test(key)));
    }),
    { numRuns: 2000 },
  );
});
