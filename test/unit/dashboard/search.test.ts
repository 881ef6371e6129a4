import { expect, it } from 'vitest';
import { matcherFor, pieces } from '../../../src/dashboard/state/search.ts';

const finds = (query: string, key: string, value: string | number | null = 'espresso', inValues = false) =>
  matcherFor(query, inValues)?.(key, value);

it('looks for nothing where nothing is asked', () => {
  expect(matcherFor('  ', true)).toBeNull();
});

it('finds a part of a key, whatever the case, with no character meaning anything else', () => {
  expect(finds('ITEMS[0', 'cart.items[0].name')).toBe(true);
  expect(finds('cart.i', 'cartxitems')).toBe(false);
  expect(finds('$(', 'a$(b')).toBe(true);
});

it('takes a text with * or ? for a pattern of whole keys', () => {
  expect(finds('cart.items[*].name', 'cart.items[12].name')).toBe(true);
  expect(finds('items[*].name', 'cart.items[12].name')).toBe(false);
  expect(finds('**.name', 'cart.items[12].name')).toBe(true);
});

it('looks into values only where that is wanted', () => {
  expect(finds('presso', 'drink')).toBe(false);
  expect(finds('presso', 'drink', 'Espresso', true)).toBe(true);
  expect(finds('42', 'answer', 42, true)).toBe(true);
  expect(finds('null', 'answer', null, true)).toBe(true);
});

const marked = (path: string, name: string, query: string) =>
  pieces(path, name, query)
    .map(({ text, isMatch }) => (isMatch ? `<${text}>` : text))
    .join('');

it('highlights what was found in the step that is shown', () => {
  expect(marked('cart.items', 'items', 'TEM')).toBe('i<tem>s');
  expect(marked('a.banana', 'banana', 'an')).toBe('b<an><an>a');
  expect(marked('cart.items', 'items', '')).toBe('items');
});

it('highlights the end of what begins in the steps before', () => {
  expect(marked('rows[12]', '[12]', 'rows[1')).toBe('<[1>2]');
  expect(marked('rows[12].name', 'name', 'rows[1')).toBe('name');
});
