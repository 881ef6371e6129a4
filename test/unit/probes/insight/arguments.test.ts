/** Conversions of JSON for parameter types of real programs; the programs in test/jvm and test/clr test the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLR_VALUES } from '../../../../src/probes/drivers/clr/clr-values.ts';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import { chooseOverload, isNarrower, type Overload } from '../../../../src/probes/insight/arguments/choose-overload.ts';
import { UnfitValueError } from '../../../../src/probes/insight/arguments/made-value.ts';
import { type TypeDefinition, typeDefinition } from '../../../../src/probes/insight/arguments/type-definition.ts';
import { parseType, type TypeUse } from '../../../../src/probes/insight/arguments/type-text.ts';
import { ValuePlanner } from '../../../../src/probes/insight/arguments/value-planner.ts';
import type { ValueTable } from '../../../../src/probes/insight/arguments/value-table.ts';
import { RecordedFacts } from '../../../support/recorded-facts.ts';

const DEFINITIONS = new Map<string, TypeDefinition>(
  [
    {
      name: 'shop.Box',
      hash: null,
      kind: 'class' as const,
      lineage: ['shop.Box'],
      variables: ['T'],
      constructors: [{ key: '()V', parameters: [] }],
      members: [{ name: 'inside', type: 'T:java.lang.Object' }],
    },
  ].map((each) => [each.name, typeDefinition.parse(each)]),
);
for (const name of ['java-shop', 'csharp-shop-mono-mcs'])
  for (const definition of new RecordedFacts(name).all.definitions) DEFINITIONS.set(definition.name, definition);

const NAMED = { name: 'com.example.act.Cart', lineage: ['com.example.act.Cart', 'java.lang.Comparable'] };
const KNOWN = {
  definition: (key: string) => DEFINITIONS.get(key),
  named: (path: string) => (path === 'shop.cart' ? NAMED : null),
};
const use = (text: string): TypeUse => {
  const parsed = parseType(text);
  if (parsed === null) throw new Error(`no type: ${text}`);
  return parsed;
};
const plan = (table: ValueTable, json: unknown, type: string) =>
  new ValuePlanner(table, KNOWN).plan(json, use(type), 'value');
const java = (json: unknown, type: string) => plan(JAVA_VALUES, json, type);
const clr = (json: unknown, type: string) => plan(CLR_VALUES, json, type);

describe('types', () => {
  it.each([
    ['int[][]', 'int[][]'],
    ['java.util.Map<java.lang.String,java.util.List<shop.Order$Item>>', 'Map<String, List<Item>>'],
    ['shop.Shop$1', 'Shop$1'],
    ['T:java.lang.Comparable', 'Comparable'],
  ])('of Java: %s', (text, spoken) => {
    expect(JAVA_VALUES.spoken(use(text))).toBe(spoken);
  });

  it.each([
    ['System.Int32?', 'int?'],
    ['System.Collections.Generic.List<System.String[]>', 'List<string[]>'],
    ['System.ValueTuple<System.Int32,Shop.Outer+Inner>', '(int, Inner)'],
  ])('of .NET: %s', (text, spoken) => {
    expect(CLR_VALUES.spoken(use(text))).toBe(spoken);
  });

  it.each(['', '<', 'a<', 'a<b', 'a<b>>', 'a<>', '[]', 'a[', 'a,b', `${'a<'.repeat(50)}b${'>'.repeat(50)}`])(
    'is not understood: %s',
    (text) => {
      expect(parseType(text)).toBeNull();
    },
  );

  it('are understood or not, whatever a target tells', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '<', '>', ',', '[', ']', '?', ':') }), (text) => {
        parseType(text);
      }),
    );
  });
});

describe('values', () => {
  it.each([
    [1e20, 'java.math.BigInteger', '100000000000000000000'],
    ['1.50e3', 'long', '1500'],
    ['12e-1', 'java.math.BigDecimal', '1.2'],
    [1e-7, 'java.math.BigDecimal', '0.0000001'],
    [-0.5, 'float', '-0.5'],
  ])('numbers are told as their digits: %j as %s', (json, type, digits) => {
    expect(java(json, type).value).toMatchObject({ is: 'call', of: [{ is: 'json', json: digits }] });
  });

  it.each([
    [`1${'0'.repeat(2000)}`, 'java.math.BigInteger'],
    ['1e5000', 'java.math.BigInteger'],
    ['9223372036854775808', 'long'],
    ['0x10', 'long'],
    ['2024-05-31T25', 'java.time.Instant'],
    ['euro', 'java.util.Currency'],
  ])('%j is no %s', (json, type) => {
    expect(() => java(json, type)).toThrow(UnfitValueError);
  });

  it('what only the platform can tell is refused in the same words', () => {
    expect(java('XYZ', 'java.util.Currency').value).toMatchObject({
      owner: 'java.util.Currency',
      by: 'getInstance',
      otherwise: 'value is "XYZ"; expected a currency such as EUR',
    });
  });

  it('a type variable is what the type that is used says', () => {
    expect(java({ inside: 5 }, 'shop.Box<java.lang.Integer>').value).toMatchObject({
      is: 'new',
      set: [['inside', { owner: 'java.lang.Integer' }]],
    });
    expect(() => java({ inside: 'x' }, 'shop.Box<java.lang.Integer>')).toThrow('value.inside is "x"');
    expect(java({ inside: 'x' }, 'shop.Box').value).toMatchObject({ set: [['inside', { is: 'json', json: 'x' }]] });
  });

  it('an object that is named must be of the type', () => {
    expect(java({ $ref: 'shop.cart' }, 'com.example.act.Cart').value).toMatchObject({
      is: 'object',
      path: 'shop.cart',
    });
    expect(() => java({ $ref: 'shop.cart' }, 'com.example.act.Item')).toThrow(
      'value names shop.cart, a com.example.act.Cart; expected a com.example.act.Item',
    );
    expect(java('[ref] shop.cart', 'java.lang.Object').value).toEqual({ is: 'json', json: '[ref] shop.cart' });
  });

  it('names what it would have to know', () => {
    const planner = new ValuePlanner(JAVA_VALUES, { definition: () => undefined, named: () => undefined });
    expect(() => planner.plan({ $ref: 'a.b' }, use('shop.Cart'), 'cart')).toThrow(UnfitValueError);
    expect(() => planner.plan([{}], use('java.util.List<shop.Item>'), 'items')).toThrow(UnfitValueError);
    expect([...planner.unknown.paths, ...planner.unknown.types]).toEqual(['a.b', 'shop.Item']);
  });

  it('flags of .NET may be given together, by name', () => {
    expect(clr('Read, write', 'Example.Rights').value).toEqual({ is: 'constant', constant: '3' });
    expect(() => clr('New, Paid', 'Example.Status')).toThrow('expected one of New, Paid');
  });

  it('what cannot hold null refuses it', () => {
    expect(() => java({ a: null }, 'java.util.TreeMap<java.lang.String,java.lang.Integer>')).toThrow(
      'cannot hold null',
    );
    expect(java([null], 'java.util.List<java.lang.Integer>').value).toMatchObject({ of: [null] });
    expect(() => clr(null, 'Example.Status')).toThrow('value is null; expected one of New, Paid');
    expect(clr(null, 'Example.Status?').value).toBeNull();
  });

  it('deep JSON is refused', () => {
    let deep: unknown = [];
    for (let at = 0; at < 100; at++) deep = [deep];
    const type = `${'java.util.List<'.repeat(10)}java.lang.Object${'>'.repeat(10)}`;
    expect(() => java(deep, type)).not.toThrow();
    expect(() => java({ parts: deep }, 'com.example.act.Item')).toThrow(UnfitValueError);
  });

  const TYPES = [...DEFINITIONS.keys(), ...JAVA_VALUES.scalars.keys(), ...CLR_VALUES.scalars.keys(), 'int[]'];
  it.each([
    ['Java', JAVA_VALUES],
    ['.NET', CLR_VALUES],
  ])('random JSON is taken or refused: %s', (_name, table) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(...TYPES), (json, type) => {
        try {
          expect(plan(table, json, type).cost).toBeGreaterThanOrEqual(0);
        } catch (error) {
          if (!(error instanceof UnfitValueError)) throw error;
          expect(error.message).toMatch(/^(?:value|the key )/);
        }
      }),
    );
  });
});

describe('overloads', () => {
  const overload = (...types: string[]): Overload => ({
    signature: `f(${types.join(', ')})`,
    parameters: types.map((type, at) => ({ name: `p${at}`, use: use(type), leftOut: null })),
  });
  const choose = (table: ValueTable, json: unknown, ...types: string[]) =>
    chooseOverload(
      types.map((type) => overload(type)),
      { p0: json },
      new ValuePlanner(table, KNOWN),
      (one, other) => isNarrower(one, other, table, KNOWN),
    ).overload.signature;

  it.each([
    [5, ['long', 'int', 'double'], 'f(int)'],
    [5, ['java.lang.Integer', 'int'], 'f(int)'],
    [0.5, ['float', 'double'], 'f(double)'],
    ['x', ['java.lang.Object', 'java.lang.String', 'java.lang.CharSequence'], 'f(java.lang.String)'],
    ['5', ['long', 'java.lang.Object'], 'f(java.lang.Object)'],
    ['2024-05-31', ['java.util.Currency', 'java.time.LocalDate'], 'f(java.time.LocalDate)'],
    [['x'], ['java.util.Collection', 'java.util.List', 'java.lang.Iterable'], 'f(java.util.List)'],
    [{ $ref: 'shop.cart' }, ['com.example.act.Item', 'com.example.act.Cart'], 'f(com.example.act.Cart)'],
    [{ $ref: 'shop.cart' }, ['java.lang.Object', 'com.example.act.Cart'], 'f(com.example.act.Cart)'],
  ])('of Java: %j for %j', (json, types, chosen) => {
    expect(choose(JAVA_VALUES, json, ...types)).toBe(chosen);
  });

  it.each([
    [5, ['System.UInt64', 'System.Int64'], 'f(System.Int64)'],
    ['5', ['System.Int64', 'System.Object'], 'f(System.Int64)'],
    [
      [1],
      ['System.Collections.Generic.IEnumerable<System.Int32>', 'System.Collections.Generic.IList<System.Int32>'],
      'f(System.Collections.Generic.IList<System.Int32>)',
    ],
  ])('of .NET: %j for %j', (json, types, chosen) => {
    expect(choose(CLR_VALUES, json, ...types)).toBe(chosen);
  });

  it('that fit equally well are refused', () => {
    expect(() => choose(JAVA_VALUES, [1], 'java.util.Set', 'java.util.HashSet')).not.toThrow();
    expect(() => choose(JAVA_VALUES, 'UTC', 'java.time.ZoneId', 'java.nio.charset.Charset')).toThrow(
      'these values fit several: f(java.time.ZoneId), f(java.nio.charset.Charset)',
    );
  });

  it('are told where none takes what was given', () => {
    expect(() =>
      chooseOverload([overload('int')], { other: 1 }, new ValuePlanner(JAVA_VALUES, KNOWN), () => false),
    ).toThrow('given other; expected f(int)');
  });
});
