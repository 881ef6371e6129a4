import { describe, expect, it } from 'vitest';
import { PageClassifier } from '../../../../../src/probes/drivers/v8/page/state/classify.ts';
import { looksLikeData } from '../../../../../src/probes/drivers/v8/page/state/evidence.ts';
import {
  isKnownBundle,
  isSameScope,
  scopesOf,
  withNames,
} from '../../../../../src/probes/drivers/v8/page/state/scopes.ts';
import { Vetting } from '../../../../../src/probes/drivers/v8/page/state/vetting.ts';

const bomb = (): never => {
  throw new Error('code of the app ran');
};
const trapped = (target: object) =>
  new Proxy(target, { get: bomb, ownKeys: bomb, has: bomb, getPrototypeOf: bomb, getOwnPropertyDescriptor: bomb });

describe('the app’s data beside the constants of libraries', () => {
  class Account {
    holder = 'Ada';
  }

  it.each<[string, object, boolean]>([
    ['a list of records', [{ id: 1, title: 'Tea' }], true],
    ['a record of several kinds', { holder: 'Ada', balance: 120, frozen: false }, true],
    ['records by id', new Map([['a', { id: 1, title: 'Tea' }]]), true],
    ['a table of flags', { children: true, dangerouslySetInnerHTML: true, key: true }, false],
    ['a table of texts', { focus: 'focusin', blur: 'focusout' }, false],
    ['fields that wait', { lView: null, parent: null, recomputing: false }, false],
    ['a list of texts', ['ngOnInit', 'ngOnDestroy'], false],
    ['what has no names', { a: 1, b: 'x', c: {} }, false],
    ['a toolbox', { version: '1.0', parse: () => 1, print: () => 2 }, false],
    ['an object of a class', new Account(), false],
    ['an element of React', { $$typeof: Symbol.for('react.element'), type: 'div', props: { id: 'x' } }, false],
  ])('in a crowd: %s', (_, value, expected) => {
    expect(looksLikeData(value, new PageClassifier(), true)).toBe(expected);
  });

  it('is believed more readily where the app is among itself', () => {
    expect(looksLikeData(new Account(), new PageClassifier(), false)).toBe(true);
    expect(looksLikeData({ theme: 'dark' }, new PageClassifier(), false)).toBe(true);
  });
});

it.each([
  { _declarationLView: [], _declarationTContainer: {}, elementRef: {} },
  { _lContainer: [], _hostTNode: {}, _hostLView: [] },
  { bindingStartIndex: 27, blueprint: [] },
  { directiveStart: 1, directiveEnd: 2, tView: {} },
])('what Angular makes its views of is no state: %j', (inner) => {
  expect(new PageClassifier().classify(inner)).toBeNull();
});

describe('objects that may be Proxies', () => {
  it('are allowed after a look, with what they hold', () => {
    const inner = { b: 1 };
    const outer = { inner };
    const vetting = new Vetting(new PageClassifier());
    expect(vetting.allows(outer)).toBe(false);
    expect(vetting.offer()).toEqual([outer]);
    vetting.settle([]);
    expect(vetting.allows(outer)).toBe(true);
    expect(vetting.offer()).toEqual([inner]);
    vetting.settle([]);
    expect(vetting.offer()).toEqual([]);
    expect(vetting.isWaiting).toBe(false);
    expect(vetting.allows(inner)).toBe(true);
  });

  it('are never touched when they are some', () => {
    const proxy = trapped({ secret: 1 });
    const classifier = new PageClassifier();
    const vetting = new Vetting(classifier);
    vetting.allows({ proxy });
    vetting.offer();
    vetting.settle([]);
    expect(vetting.offer()).toHaveLength(1);
    vetting.settle([0]);
    expect(vetting.allows(proxy)).toBe(true);
    expect(classifier.classify(proxy)).toEqual({ text: '[Proxy]', live: false });
  });

  it('are told from functions by their text alone', () => {
    const vetting = new Vetting(new PageClassifier());
    expect(vetting.allows(() => 1)).toBe(true);
    expect(vetting.allows(trapped(() => 1))).toBe(false);
    expect(vetting.isWaiting).toBe(false);
  });
});

describe('scopes', () => {
  const list = (...scopes: object[]) => ({ ...scopes }) as object;

  it('are read in both forms that V8 has, without the global one', () => {
    const variables = { count: 1 };
    expect([...scopesOf(list(variables, globalThis))].map((scope) => withNames(scope).names)).toEqual([['count']]);
    const described = list(
      { description: 'Closure', object: variables },
      { description: 'Global', object: globalThis },
    );
    expect([...scopesOf(described)].map((scope) => withNames(scope).names)).toEqual([['count']]);
  });

  it('are known again by the objects that they hold', () => {
    const state = { a: 1 };
    const [first] = [...scopesOf(list({ state, count: 1 }))].map(withNames);
    const [again] = [...scopesOf(list({ state, count: 2 }))].map(withNames);
    const [other] = [...scopesOf(list({ state: { a: 1 }, count: 1 }))].map(withNames);
    expect(first && again && isSameScope(first, again)).toBe(true);
    expect(first && other && isSameScope(first, other)).toBe(false);
  });

  it('of a bundle are known again without a list of their names', () => {
    const parts = Array.from({ length: 500 }, (_, at) => [`part${at}`, { at }]);
    const copy = (more: object) => ({ at: 0, variables: { ...Object.fromEntries(parts), ...more } });
    const known = withNames(copy({ count: 1 }));
    expect(isKnownBundle(known, copy({ count: 2 }))).toBe(true);
    expect(isKnownBundle(known, { at: 0, variables: { part0: {} } })).toBe(false);
    const alike = Object.fromEntries(parts.map(([name]) => [name, {}]));
    expect(isKnownBundle(known, { at: 0, variables: alike })).toBe(false);
  });
});
