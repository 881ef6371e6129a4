import { describe, expect, it } from 'vitest';
import {
  assignLabels,
  camelName,
  freeName,
  isMinified,
  type Labelled,
} from '../../../../../src/probes/drivers/v8/page/state/naming.ts';

const root = (kind: string, names: string[] | null, wanted = ''): Labelled => ({ kind, names, wanted, mangled: false });

describe('labels of roots', () => {
  it.each<[string, Labelled[], string[]]>([
    ['a single store is shown without a prefix', [root('redux', ['inbox'])], ['']],
    ['a store with a name stands under it', [root('pinia', ['lines'], 'cart')], ['cart']],
    [
      'numbered ones take no field of theirs from others',
      [root('redux', ['a']), root('zustand', ['a']), root('zustand', ['b']), root('globals', ['b', 'c'])],
      ['', 'store', 'store2', ''],
    ],
    ['what has no fields needs a name', [root('redux', null)], ['redux']],
    ['two stores whose names differ', [root('redux', ['inbox']), root('zustand', ['items'])], ['', '']],
    ['the later of two that collide', [root('redux', ['items']), root('zustand', ['items'])], ['', 'zustand']],
    ['several unnamed stores are numbered', [root('zustand', ['a']), root('zustand', ['b'])], ['store', 'store2']],
    [
      'one that has a name does not count among the unnamed',
      [root('zustand', ['a']), root('zustand', ['b'], 'preferences')],
      ['', 'preferences'],
    ],
    ['a name that is taken by a hidden root', [root('redux', ['cart']), root('pinia', [], 'cart')], ['', 'pinia.cart']],
    ['a name that is no identifier', [root('pinia', [], 'my cart')], ['["my cart"]']],
    ['fields that the daemon shows itself', [root('redux', ['main', 'inbox'])], ['redux']],
    ['a name that the daemon shows itself', [root('pinia', ['open'], 'tabs')], ['pinia.tabs']],
    [
      'two of the same name',
      [root('mobx', [], 'todoStore'), root('ember', [], 'todoStore')],
      ['todoStore', 'ember.todoStore'],
    ],
  ])('%s', (_, roots, labels) => {
    expect(assignLabels(roots)).toEqual(labels);
  });

  it('reserve nothing for roots without a meaning', () => {
    expect(assignLabels([{ ...root('closures', ['items']), mangled: true }, root('redux', ['items'])])).toEqual([
      '',
      '',
    ]);
  });
});

describe('names', () => {
  it.each([
    ['Total', 'total'],
    ['Your cart:', 'yourCart'],
    ['Items in stock (all)', 'itemsInStockAll'],
    ['new-track', 'newTrack'],
    ['lastAction', 'lastAction'],
    ['42', null],
    ['x', null],
    ['', null],
    ['One two three four five six seven eight nine', null],
  ])('of "%s" is %s', (text, name) => {
    expect(camelName(text)).toBe(name);
  });

  it.each([
    ['t', true],
    ['Xe', true],
    ['$e', true],
    ['tR3', true],
    ['', true],
    ['App', false],
    ['Nav', false],
    ['row', false],
    ['cart', false],
    ['Invoice', false],
  ])('"%s" comes from a minifier: %s', (name, minified) => {
    expect(isMinified(name)).toBe(minified);
  });

  it('get the first number that is free', () => {
    expect(freeName('store', new Set())).toBe('store');
    expect(freeName('store', new Set(['store', 'store2']))).toBe('store3');
  });
});
