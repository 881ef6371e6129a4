import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globMatcher } from '../../../src/model/glob.ts';
import { flawOfGlobs, KeyFilter, splitGlobs } from '../../../src/model/key-filter.ts';
import { joinPath } from '../../../src/model/path.ts';
import { cpuTime } from '../../support/cpu-time.ts';

it.each([
  ['a', ['a']],
  ['inbox.**,cart.total', ['inbox.**', 'cart.total']],
  ['a["x,y"].b,c', ['a["x,y"].b', 'c']],
  ['a["x\\",y"].b,c', ['a["x\\",y"].b', 'c']],
  ['a["]",","],b', ['a["]",","]', 'b']],
  ['a[0,1],b', ['a[0,1]', 'b']],
  [' a , b ,', ['a', 'b']],
  ['a["x,y', ['a["x,y']],
  ['', []],
])('%s is %j', (text, globs) => {
  expect(splitGlobs(text)).toEqual(globs);
});

it('reads back any keys that are joined with commas', () => {
  const key = fc
    .array(fc.oneof(fc.string(), fc.nat(20)), { minLength: 1, maxLength: 4 })
    .map((path) => path.reduce<string>(joinPath, ''));
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), (keys) => {
      expect(splitGlobs(keys.join())).toEqual(keys);
    }),
  );
});

it('means what its globs mean, each time it is asked', () => {
  const globs = ['cart.items[*].name', 'rows[12]', 'a?c', '**.total'];
  const filter = new KeyFilter(globs);
  const keys = ['cart.items[0].name', 'cart.items[0].price', 'rows[12].x', 'rows[1].x', 'abc', 'a.c', 'x.y.total'];
  const expected = keys.map((key) => globs.some((glob) => globMatcher(glob)(key)));
  expect(keys.map((key) => filter.matches(key))).toEqual(expected);
  expect(keys.map((key) => filter.matches(key))).toEqual(expected);
  expect(expected).toEqual([true, false, true, false, true, false, true]);
});

it('refuses what is too much', () => {
  expect(flawOfGlobs(Array(51).fill('a').join())).toContain('1 to 50');
  expect(flawOfGlobs('a'.repeat(501))).toContain('500');
  expect(flawOfGlobs(' , ')).toContain('1 to 50');
  expect(flawOfGlobs('a["x,y"]')).toBeNull();
});

it('takes bounded time for globs that mean harm', () => {
  const filter = new KeyFilter(Array(16).fill(`${'**a'.repeat(160)}b`));
  const keys = Array.from({ length: 200 }, (_, at) => `${'a'.repeat(100)}["${at}"]`);
  const took = cpuTime(() => {
    for (const key of keys) expect(filter.matches(key)).toBe(false);
  });
  expect(took).toBeLessThan(5000);
});
