import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../../src/client/index.ts';
import { completions } from '../../../src/dashboard/predicate/completions.ts';
import { exampleFor, examples } from '../../../src/dashboard/predicate/examples.ts';
import { mentionedKeys } from '../../../src/dashboard/predicate/mentioned-keys.ts';
import { Paced } from '../../../src/dashboard/predicate/paced.ts';
import { givenBy } from '../../../src/dashboard/shell/route.ts';
import { compilePredicate } from '../../../src/semantic/predicate/predicate.ts';
import { until } from '../../support/real-processes.ts';

const values = new Map<string, Scalar>([
  ['cart.items[0].name', 'apple'],
  ['cart.items[0].price', 2],
  ['cart.items.length', 1],
  ['cart.total', 6],
  ['rates["odd key"]', 7],
  ['settings.dark', false],
  ['settings.password', '[redacted]'],
  ['settings.currency', 'EUR'],
  ['cart.coupon', null],
]);

describe('completions of an expression', () => {
  const keysFor = (text: string, caret = text.length) => completions(text, caret, values.keys()).map(({ key }) => key);

  it('are the keys that begin like the word at the caret', () => {
    expect(keysFor('cart.t')).toEqual(['cart.total']);
    expect(keysFor('1 < CART.items[0')).toEqual(['cart.items[0].name', 'cart.items[0].price']);
    expect(keysFor('rates["od')).toEqual(['rates["odd key"]']);
    expect(keysFor('curr')).toEqual(['settings.currency']);
    expect(keysFor('cart.total > ')).toEqual([]);
    expect(keysFor('')).toEqual([]);
    expect(keysFor('cart.total')).toEqual([]);
  });

  it('go into the place of that word alone', () => {
    const text = 'cart.t > 1 && settings.dark';
    expect(completions(text, 6, values.keys())[0]).toMatchObject({
      text: 'cart.total > 1 && settings.dark',
      caret: 10,
    });
  });

  it('never throw, are few, and keep what stands around', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.array(fc.string()), (text, at, keys) => {
        const caret = at % (text.length + 1);
        const found = completions(text, caret, keys);
        expect(found.length).toBeLessThanOrEqual(8);
        for (const { text: completed, caret: after } of found) {
          expect(completed.slice(after)).toBe(text.slice(caret));
          expect(keys.some((key) => completed.slice(0, after).endsWith(key))).toBe(true);
        }
      }),
    );
  });
});

describe('examples', () => {
  it('speak of real keys, compile, and show no placeholder', () => {
    const found = examples(values);
    expect(found).toEqual([
      'cart.items.every(item => item.price >= 0)',
      'cart.items.length > 0',
      'cart.total >= 6',
      '!settings.dark',
      'settings.currency === "EUR"',
    ]);
    for (const expression of found) expect(() => compilePredicate(expression)).not.toThrow();
  });

  it('compile whatever the keys and values are', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z]{2}(\.[a-z]{2}|\[0\])*$/), scalar)), (entries) => {
        for (const expression of examples(new Map(entries.map(([key, value]) => [`k${key}`, value]))))
          expect(() => compilePredicate(expression)).not.toThrow();
      }),
    );
  });
});

describe('the keys that an expression speaks of', () => {
  it('are found as they are in the state', () => {
    expect(mentionedKeys('cart.total > 5 && !settings.dark', values)).toEqual(['cart.total', 'settings.dark']);
    expect(mentionedKeys('cart?.items[0]?.name.length > 1', values)).toEqual(['cart.items[0].name']);
    expect(mentionedKeys('state["rates[\\"odd key\\"]"] === "cart.total"', values)).toEqual(['rates["odd key"]']);
    expect(mentionedKeys('nothing.here', values)).toEqual([]);
  });
});

describe('the example for an action', () => {
  it('is about what the action belongs to, and rather about how many there are', () => {
    const values = new Map<string, Scalar>([
      ['menu.tea', 2],
      ['shop.name', 'Grind'],
      ['shop.queue.length', 1],
    ]);
    expect(exampleFor('shop.placeOrder', values)).toBe('shop.queue.length > 0');
    expect(exampleFor('menu.setTea', values)).toBe('menu.tea >= 2');
    expect(exampleFor('elsewhere.run', values)).toBe('menu.tea >= 2');
    expect(exampleFor('shop.placeOrder', new Map())).toBeUndefined();
  });
});

describe('an expression that somebody came with', () => {
  it('is read from the address', () => {
    expect(givenBy('#/app/42/verify', 'expression')).toBeNull();
    expect(givenBy(`#/app/42/verify?expression=${encodeURIComponent('a > 1 && b === "?"')}`, 'expression')).toBe(
      'a > 1 && b === "?"',
    );
  });
});

describe('paced work', () => {
  it('runs one at a time, and once more for all that was asked meanwhile', async () => {
    let [running, most, runs] = [0, 0, 0];
    const paced = new Paced(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      runs++;
    }, 1);
    for (let count = 0; count < 100; count++) paced.ask();
    await until('the second run', () => runs === 2);
    expect(most).toBe(1);
    paced.ask();
    await until('the third run', () => runs === 3);
    paced.stop();
    paced.ask();
    // Another request, sent later and as fast, has run by the time at which this one would have.
    let others = 0;
    const other = new Paced(async () => {
      others++;
    }, 1);
    other.ask();
    await until('the other', () => others === 1);
    other.ask();
    await until('the other again', () => others === 2);
    other.stop();
    expect(runs).toBe(3);
  });
});
