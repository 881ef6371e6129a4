import { describe, expect, it } from 'vitest';
import { JAVA } from '../../../../src/probes/drivers/jvm/java-platform.ts';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import type { CodeFacts } from '../../../../src/probes/insight/effects/code-facts.ts';
import { isMinor, isOffered } from '../../../../src/probes/insight/methods/action-filter.ts';
import {
  type KnownMethod,
  type KnownParameter,
  knownMethod,
  knownType,
} from '../../../../src/probes/insight/methods/known-method.ts';
import { MethodCatalog } from '../../../../src/probes/insight/methods/method-catalog.ts';
import type { MethodFacts, MethodsAnswer, TypeFacts } from '../../../../src/probes/insight/methods/method-facts.ts';
import { parametersOf, uncapitalised } from '../../../../src/probes/insight/methods/method-parameters.ts';
import { ShapePath } from '../../../../src/probes/insight/methods/shape-path.ts';

const CART_FACTS: TypeFacts = { id: 1, name: 'shop.Cart', hash: 'a1' };
const OF_CART = { lineage: ['shop.Cart'], isValue: false, isEnum: false };
const CART = knownType(CART_FACTS, OF_CART, JAVA_VALUES);
const METHOD_FACTS: MethodFacts = {
  name: 'add',
  key: 'add()V',
  parameters: [],
  returns: { type: 'void', brings: null, holds: null },
  flags: [],
  interfaces: [],
  held: [],
  usesStatics: false,
};
const PARAMETER_FACTS = { name: 'sku', type: 'java.lang.String', isOptional: false, isRest: false };
const known = (facts: MethodFacts): KnownMethod => {
  const method = knownMethod(facts, JAVA_VALUES, new Map());
  if (method === null) throw new Error('a type cannot be understood');
  return method;
};
const METHOD = known(METHOD_FACTS);
const parameterOf = (type: string): KnownParameter => {
  const [parameter] = known({ ...METHOD_FACTS, parameters: [{ ...PARAMETER_FACTS, type }] }).parameters;
  if (parameter === undefined) throw new Error('no parameter');
  return parameter;
};
const PARAMETER = parameterOf('java.lang.String');
const NO_CODE: CodeFacts = { isReset: false, methods: [], members: [], bodies: [], contracts: [] };
const codeOfBytes = (id: number, ...bytes: number[]): CodeFacts['bodies'][number] => ({
  id,
  isOpaque: bytes.length === 0,
  code: Buffer.from(bytes).toString('base64'),
  isStatic: false,
  parameters: 1,
  variables: 2,
  stack: 2,
  handlers: [],
  references: [],
  type: null,
  handled: [],
  closures: [],
  notes: [],
});
/** Code 1 does nothing, 2 writes its argument into a field of its object, 3 cannot be followed. */
const BODIES: CodeFacts['bodies'] = [
  codeOfBytes(1, 177),
  { ...codeOfBytes(2, 42, 27, 181, 0, 1, 177), references: [9] },
  codeOfBytes(3),
];
const FIELD: CodeFacts['members'][number] = {
  ...{ id: 9, owner: 'shop/Cart', name: 'x', descriptor: 'I', isStatic: false, isPlatform: false, isVoid: false },
  ...{ type: null, handled: [], runs: null, gives: null, meets: [], isOpen: true, traits: [], parameters: [] },
  ...{ targets: [], inherited: [], initialisers: [] },
};
const KEYS = ['add()V', 'at(S)V'];
/** The first method of the cart has the first of these codes. */
const codeOf = (...codes: readonly (number | null)[]): CodeFacts => ({
  ...NO_CODE,
  methods: codes.flatMap((code, at) => (code === null ? [] : [[1, KEYS[at] ?? '', code]])),
  bodies: BODIES,
  members: [FIELD],
});
const ANSWER: MethodsAnswer = {
  sequence: 1,
  isReset: true,
  types: [CART_FACTS],
  places: { changed: [{ id: 0, shape: 'shop.carts[*]', isStatic: false, isLarge: false, types: [1] }], order: [0] },
  methods: [
    {
      ...{ ...OF_CART, type: 1, isPart: false },
      methods: [
        METHOD_FACTS,
        { ...METHOD_FACTS, name: 'at', key: 'at(S)V', parameters: [{ ...PARAMETER_FACTS, name: 'index' }] },
      ],
    },
  ],
  definitions: [],
  stamp: null,
  codeVersion: 1,
  code: NO_CODE,
  costMs: 0,
};
const catalogOf = (answer: MethodsAnswer) => {
  const catalog = new MethodCatalog({ platform: JAVA, values: JAVA_VALUES, map: 'map', isOnlyOneFound: true });
  catalog.take(answer);
  return catalog;
};
const NEXT = { ...ANSWER, isReset: false, types: [], places: null, methods: [], definitions: [] };

describe('a place below a numbered root', () => {
  const names = new Map([['7', 'shop']]);
  const named = (shape: string) => {
    const [, id = '', rest = ''] = /^(\d+)(.*)$/.exec(shape) ?? [];
    const name = names.get(id);
    return name === undefined ? null : name + rest;
  };
  const places = (...shapes: string[]) => ({
    changed: shapes.map((shape, id) => ({ id, shape, isStatic: false, isLarge: false, types: [1] })),
    order: shapes.map((_, id) => id),
  });

  it('is shown by its name, also by another one later, and not at all where there is no such root', () => {
    const catalog = new MethodCatalog({ platform: JAVA, values: JAVA_VALUES, map: 'map', isOnlyOneFound: true }, named);
    catalog.take({ ...ANSWER, places: places('7.carts[*]', '8.cart'), code: codeOf(3, 3) });
    expect(catalog.actions.map(({ name }) => name)).toEqual(['shop.carts.add', 'shop.carts.at']);
    names.set('7', 'shop_2');
    catalog.rename();
    expect(catalog.actions.map(({ name }) => name)).toEqual(['shop_2.carts.add', 'shop_2.carts.at']);
    const { binding = '' } = catalog.actions[0] ?? {};
    expect(catalog.plan(binding, { index: 3 }, null)).toMatchObject({ call: { path: 'shop_2.carts[3]' } });
  });
});

describe('shapes', () => {
  it.each([
    ['shop', 1, [], false],
    ['shop.carts[*]', 3, ['index'], false],
    ['shop.users{*}.odd["a.b[*]"].x[*]{*}', 8, ['key', 'index', 'key2'], false],
    ['Direction.NORTH', 2, [], true],
    ['Direction.ALL[*]', 3, ['index'], false],
    ['Store.INSTANCE', 2, [], false],
  ])('%s', (shape, depth, gaps, isConstant) => {
    const path = new ShapePath(shape);
    expect([path.depth, path.gaps.map(({ name }) => name), path.isConstant]).toEqual([depth, gaps, isConstant]);
  });

  it('are filled with what is given', () => {
    const path = new ShapePath('shop.users{*}.carts[*].odd["[*]"]');
    expect(path.fill({ key: 'a b', index: 3 }, 'map')).toEqual({
      path: 'shop.users["a b"].carts[3].odd["[*]"]',
      open: [],
    });
    expect(path.fill({ key: 7 }, 'map')).toMatchObject({
      path: 'shop.users["7"].carts[*].odd["[*]"]',
      open: [{ name: 'index' }],
    });
    expect(path.fill({ key: [] }, 'dictionary')).toBe('key is an array; expected which entry of the dictionary');
    expect(path.fill({ index: '1' }, 'map')).toBe('index is "1"; expected which element of the list, from 0');
  });

  it('give names without gaps', () => {
    expect(new ShapePath('shop.users{*}.cart').nameOf('add')).toBe('shop.users.cart.add');
    expect(new ShapePath('a["b c"]').nameOf('odd-name')).toBe('a["b c"]["odd-name"]');
  });
});

describe('parameters', () => {
  it('are called by their types where the compiler noted no names', () => {
    const types = ['int', 'int', 'java.lang.String', 'boolean', 'java.util.List<shop.Item>'];
    types.push('java.util.Map<java.lang.String,shop.Item>', 'shop.Item', 'shop.Order$Status', 'char');
    const parameters = types.map((type, at) => ({ ...parameterOf(type), name: at === 0 ? 'arg0' : null }));
    expect(parametersOf({ ...METHOD, parameters }).map(({ name }) => name)).toEqual([
      'number',
      'number2',
      'text',
      'flag',
      'list',
      'map',
      'item',
      'status',
      'character',
    ]);
  });

  it('of a property are called as it is', () => {
    expect(['Title', 'URLPath', 'ID', 'x'].map(uncapitalised)).toEqual(['title', 'urlPath', 'id', 'x']);
  });
});

describe('which methods are offered', () => {
  const isShown = (facts: Partial<KnownMethod>, type = CART) => isOffered(type, { ...METHOD, ...facts });

  it.each<[string, boolean, Partial<KnownMethod>]>([
    ['add', true, {}],
    ['toString', false, { name: 'toString' }],
    ['access$000', false, { name: 'access$000' }],
    ['a hook without code', false, { flags: ['empty'] }],
    ['a plain getter', false, { flags: ['getter'] }],
    ['what a library declares', false, { flags: ['outside'] }],
    ['what a listener of the app declares', false, { interfaces: ['TickListener'] }],
    ['what another interface of the app declares', true, { interfaces: ['Basket'] }],
    ['what is given an event', false, { parameters: [{ ...PARAMETER, json: 'object', isEvent: true }] }],
    ['what is given a visitor', false, { parameters: [{ ...PARAMETER, json: 'object', text: 'Visitor<Cart>' }] }],
    ['a static tool', false, { flags: ['static'] }],
    ['a static method on assignable fields', true, { flags: ['static'], usesStatics: true }],
    ['a static method on a table', true, { flags: ['static'], held: ['java.util.Map'] }],
    [
      'a static method on a logger',
      false,
      { flags: ['static'], held: ['org.slf4j.Logger', 'java.util.regex.Pattern'] },
    ],
    ['access to a singleton', false, { flags: ['static', 'own-type'], usesStatics: true }],
    ['a property', true, { name: 'Clone', flags: ['property'], parameters: [PARAMETER] }],
  ])('%s: %s', (_what, isThere, facts) => {
    expect(isShown(facts)).toBe(isThere);
  });

  it('knows what is worth little', () => {
    const returns = { text: 'String', json: 'string' } as const;
    expect(isMinor(CART, { ...METHOD, name: 'toJson', returns })).toBe(true);
    expect(isMinor(CART, { ...METHOD, name: 'total', returns })).toBe(false);
    expect(isMinor(CART, { ...METHOD, name: 'Initialize' })).toBe(true);
    expect(isMinor({ ...CART, isValue: true }, { ...METHOD, returns })).toBe(true);
    expect(isMinor({ ...CART, name: 'Shop$1' }, METHOD)).toBe(true);
  });
});

describe('the catalog', () => {
  it('tells of methods before their effects are known, and asks for these', () => {
    const catalog = catalogOf(ANSWER);
    expect(catalog.actions.map(({ name, effect }) => [name, effect])).toEqual([
      ['shop.carts.add', 'unjudged'],
      ['shop.carts.at', 'unjudged'],
    ]);
    const methods = KEYS.map((key) => [1, key]);
    const nothing = { types: [], wantsStamp: false, bodies: [], members: [], contracts: [] };
    expect(catalog.question()).toEqual({ sequence: 1, ...nothing, methods, enough: 1998 });
    expect(catalog.isSettled).toBe(false);
    catalog.take({ ...NEXT, code: codeOf(2, 2) });
    expect(catalog.actions.map(({ effect }) => effect)).toEqual(['own-state', 'setter']);
    expect(catalog.isSettled).toBe(true);
  });

  it('asks for the code of an action that somebody waits for before that of others, until it is known', () => {
    const catalog = catalogOf(ANSWER);
    expect(catalog.isAwaited).toBe(false);
    catalog.judgeFirst(catalog.methodsOf('method:shop.carts[*]#at'));
    expect(catalog.isAwaited).toBe(true);
    expect(catalog.question().methods).toEqual([[1, 'at(S)V']]);
    catalog.take({ ...NEXT, code: codeOf(null, 2) });
    expect(catalog.actions.map(({ effect }) => effect)).toEqual(['unjudged', 'setter']);
    expect(catalog.isAwaited).toBe(false);
    expect(catalog.question().methods).toEqual([[1, 'add()V']]);
  });

  it('judges other methods than those of its actions, when it is asked to', () => {
    const catalog = catalogOf({ ...ANSWER, code: codeOf(2, 2) });
    expect(catalog.isSettled).toBe(true);
    const key = [7, 'health()J'] as const;
    catalog.judgeAlso([key]);
    expect(catalog.isSettled).toBe(false);
    expect(catalog.worstOf([key])).toBeNull();
    expect(catalog.question().methods).toEqual([key]);
    const before = catalog.judgedCount;
    catalog.take({ ...NEXT, code: { ...NO_CODE, methods: [[7, 'health()J', 1]] } });
    expect(catalog.worstOf([key])).toBe('none');
    expect(catalog.judgedCount).toBe(before + 1);
    expect(catalog.worstOf([key, [1, 'add()V']])).toBe('own-state');
  });

  it('waits for no action that is not there, or that cannot be judged', () => {
    const catalog = catalogOf(ANSWER);
    catalog.judgeFirst(catalog.methodsOf('method:shop#gone'));
    expect(catalog.isAwaited).toBe(false);
    catalog.judgeFirst(catalog.methodsOf('method:shop.carts[*]#at'));
    catalog.judgeFirst([]);
    expect(catalog.question().methods).toHaveLength(2);
  });

  it('leaves out what changes nothing and brings nothing', () => {
    const catalog = catalogOf({ ...ANSWER, code: codeOf(1, 3) });
    expect(catalog.actions.map(({ name }) => name)).toEqual(['shop.carts.at']);
  });

  it('keeps what was told until it is told anew for code that was loaded', () => {
    const catalog = catalogOf({ ...ANSWER, code: codeOf(2, 2) });
    const before = catalog.actions;
    catalog.take({ ...NEXT, codeVersion: 2 });
    expect(catalog.actions).toBe(before);
    expect(catalog.question().methods).toHaveLength(2);
    catalog.take({ ...NEXT, codeVersion: 2, code: codeOf(null, 3) });
    expect(catalog.actions.map(({ effect }) => effect)).toEqual(['own-state', 'unknown']);
  });

  it('keeps the list from before until the next one is whole', () => {
    const catalog = catalogOf(ANSWER);
    const before = catalog.actions;
    const more = { id: 1, shape: 'shop.last', isStatic: false, isLarge: false, types: [1, 2] };
    const other = { ...CART_FACTS, id: 2 };
    catalog.take({ ...NEXT, types: [other], places: { changed: [more], order: [0, 1] } });
    expect(catalog.actions).toBe(before);
    expect(catalog.question().types).toEqual([2]);
    catalog.take({ ...NEXT, methods: [{ ...OF_CART, type: 2, isPart: false, methods: [] }] });
    expect(catalog.actions).toHaveLength(4);
    catalog.take({ ...NEXT, places: { changed: [], order: [0] } });
    expect(catalog.actions).toHaveLength(2);
  });

  it('shows what needs an object only where the state shows one', () => {
    const take = { ...METHOD_FACTS, parameters: [{ ...PARAMETER_FACTS, type: 'shop.Named' }] };
    const methods = [{ ...OF_CART, type: 1, isPart: false, methods: [take] }];
    const lineage = ['shop.Cart', 'shop.Named'];
    expect(catalogOf({ ...ANSWER, methods }).actions).toHaveLength(0);
    const shown = methods.map((each) => ({ ...each, lineage }));
    expect(catalogOf({ ...ANSWER, methods: shown }).actions).toHaveLength(1);
  });

  it('says how to call a method', () => {
    const catalog = catalogOf(ANSWER);
    const signature = 'at(String index_argument) -> void';
    expect(catalog.plan('method:shop.carts[*]#at', { index: 2, index_argument: 'a' }, null)).toEqual({
      call: {
        path: 'shop.carts[2]',
        open: [],
        method: 'at',
        choices: [{ type: 1, key: 'at(S)V', signature, values: [{ is: 'json', json: 'a' }] }],
      },
    });
    expect(catalog.plan('method:shop.carts[*]#gone', {}, null)).toBeNull();
    expect(catalog.plan('method:shop.carts[*]#add', {}, null)).toMatchObject({
      call: { path: 'shop.carts[*]', open: ['index'] },
    });
    expect(catalog.plan('method:shop.carts[*]#add', { index: -1 }, null)).toEqual({
      refusal: 'index is -1; expected which element of the list, from 0',
    });
  });
});

it('a target cannot make the daemon keep ever more: it is heard until there is far more than any program has', () => {
  const catalog = catalogOf(ANSWER);
  const flood = (from: number) =>
    catalog.take({ ...NEXT, types: Array.from({ length: 20_000 }, (_, at) => ({ ...CART_FACTS, id: from + at })) });
  const rounds = Array.from({ length: 20 }, (_, round) => 2 + round * 20_000);
  expect(() => rounds.forEach(flood)).toThrow('too many methods');
  expect(catalog.actions.length).toBe(2);
});
