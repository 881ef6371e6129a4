import { expect, it } from 'vitest';
import { globMatcher } from '../../../src/model/glob.ts';
import { pathPattern } from '../../../src/model/path.ts';
import { unmatchedGlobs } from '../../../src/model/unmatched-globs.ts';

const KEYS = [
  'cart.items[0].name',
  'cart.items[1].name',
  'cart.total',
  'store["a b"].price',
  'jmx["java.lang:type=Memory"].heap.used',
  'user.name',
];

function unmatched(globs: readonly string[], keys: readonly string[] = KEYS) {
  const chosen = keys.filter((key) => globs.some((glob) => globMatcher(glob)(key)));
  const steps = unmatchedGlobs(globs, chosen, new Map(keys.map((key) => [pathPattern(key), null])));
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

it.each([
  [['cart.**', 'jmx.**', 'store.*.price'], []],
  [
    ['crat.**', 'crat.*'],
    [['cart'], expect.anything()],
  ],
  [['cart.itmes[*].name'], [['cart.items[*].name', 'user.name']]],
  [['cart.itmes[3]'], [['cart.items[*]']]],
  [['**.pirce'], [['store["a b"].price']]],
  [
    ['cart.total', 'cart.totl', 'nothing.like.it'],
    [['cart.total'], []],
  ],
  [['usr'], [['user']]],
  [['**'], []],
])('%j: %j', (globs, nearest) => {
  expect(unmatched(globs).map((one) => one.nearest)).toEqual(nearest);
});

it('has nothing to name where there are no keys', () => {
  expect(unmatched(['**', '*', 'a'], [])).toEqual(['**', '*', 'a'].map((glob) => ({ glob, nearest: [] })));
});
