import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from './act-harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const kitchen = (method: string, value: unknown) =>
  harness.invoke(`shop.kitchen#${method}`, { [parameterOf(method)]: value });
const parameterOf = (method: string) =>
  ({
    takeItem: 'item',
    takeItems: 'items',
    takePoint: 'point',
    takeAddress: 'address',
    takeCart: 'cart',
    takeNamed: 'named',
  })[method] ?? 'value';
/** The number of entered methods of the kitchen. */
const calls = async () => {
  const { message } = await harness.invoke('shop.kitchen#takeInt', { value: 0 });
  expect(message).toBe('takeInt returned Integer:0');
  return ((await harness.ask({ op: 'calls' })) as number) - 1;
};

describe('values', () => {
  it.each([
    ['takeByte', -128, 'Byte:-128'],
    ['takeShort', 32767, 'Short:32767'],
    ['takeInt', 5, 'Integer:5'],
    ['takeLong', 9007199254740991, 'Long:9007199254740991'],
    ['takeLong', '9223372036854775807', 'Long:9223372036854775807'],
    ['takeFloat', 0.5, 'Float:0.5'],
    ['takeDouble', 2, 'Double:2.0'],
    ['takeChar', 'x', 'Character:x'],
    ['takeFlag', true, 'Boolean:true'],
    ['takeBoxed', 7, 'Integer:7'],
    ['takeText', '[ref] shop', 'String:[ref] shop'],
    ['takeBigDecimal', 1.1, 'BigDecimal:1.1'],
    ['takeBigDecimal', '1.10', 'BigDecimal:1.10'],
    ['takeBigInteger', '123456789012345678901', 'BigInteger:123456789012345678901'],
    ['takeStatus', 'PAID', 'String:PAID'],
    ['takeDate', '2024-05-31', 'LocalDate:2024-05-31'],
    ['takeInstant', '2024-05-31T20:30:00+02:00', 'Instant:2024-05-31T18:30:00Z'],
    ['takeOldDate', '1970-01-01T00:00:01Z', 'Long:1000'],
    ['takeDuration', 'PT90M', 'Duration:PT1H30M'],
    ['takeUuid', '123e4567-e89b-12d3-a456-426614174000', 'UUID:123e4567-e89b-12d3-a456-426614174000'],
    ['takeLocale', 'en-GB', 'Locale:en_GB'],
    ['takeCurrency', 'EUR', 'Currency:EUR'],
    ['takeAny', { a: [1] }, 'LinkedHashMap:{a=[1]}'],
    ['takeInts', [3, 4], 'String:2/3'],
    ['takeOptional', 4, 'Optional:Optional[4]'],
    ['takeOptionalInt', 4, 'OptionalInt:OptionalInt[4]'],
    ['takeNumbers', [1, 2, 3], 'Integer:6'],
    ['takeSet', [2, 2, 1], 'LinkedHashSet:[2, 1]'],
    ['takeQueue', ['a', 'b'], 'String:a'],
    ['takeMap', { a: 1 }, 'LinkedHashMap:{a=1}'],
    ['takeSorted', { 10: 'b', 9: 'a' }, 'TreeMap:{9=a, 10=b}'],
    ['takeItem', { sku: 'a', price: 2.5, status: 'NEW', weight: 3, parts: [{}] }, 'String:a 2.5 NEW 3 1'],
    ['takeItems', [{ sku: 'b' }], 'String:1 b null null 0 0'],
    ['takePoint', { x: 1, y: 2, history: [5] }, 'Point:Point[x=1, y=2, history=[5], note=Optional.empty]'],
    ['takeAddress', { number: 5, street: 'Elm' }, 'String:Elm 5'],
    ['takeCart', { $ref: 'shop.byOwner["odd key"]' }, 'String:bob'],
    ['takeCart', '[ref] shop.carts[0]', 'String:ann'],
    ['takeNamed', { $ref: 'shop.hidden' }, 'String:Hidden'],
  ])('%s(%j)', async (method, value, got) => {
    expect(await kitchen(method, value)).toMatchObject({
      ok: true,
      message: `${method} returned ${got}`,
      rawReturn: got,
    });
  });

  it('takes a constant of an enum of the JDK', async () => {
    expect(await kitchen('takeUnitName', 'SECONDS')).toMatchObject({ ok: true, rawReturn: 'String:SECONDS' });
    expect((await kitchen('takeUnit', 'WEEKS')).message).toContain('value is "WEEKS"; expected one of NANOSECONDS');
  });

  it('what may be left out may be left out', async () => {
    expect((await harness.invoke('shop.kitchen#takeOptional', {})).message).toContain('Optional.empty');
    expect((await harness.invoke('shop.kitchen#takeRest', { first: 'a' })).rawReturn).toBe('String:a0');
    expect((await harness.invoke('shop.kitchen#takeRest', { first: 'a', rest: ['b'] })).rawReturn).toBe('String:a1');
  });

  it.each([
    ['takeByte', 300, 'value is 300; expected a whole number from -128 to 127'],
    ['takeInt', 1.5, 'value is 1.5; expected a whole number'],
    ['takeInt', 3000000000, 'expected a whole number from -2147483648 to 2147483647'],
    ['takeInt', '5', 'value is "5"; expected a whole number'],
    ['takeInt', null, 'value is null'],
    ['takeFloat', 1e300, 'expected a number'],
    ['takeChar', 'xy', 'expected one character'],
    ['takeFlag', 'true', 'expected true or false'],
    ['takeText', 5, 'value is 5; expected text'],
    ['takeBigInteger', '1e999999999', 'expected a whole number'],
    ['takeStatus', 'paid', 'value is "paid"; expected one of NEW, PAID'],
    ['takeDate', '31.5.2024', 'expected a date such as 2024-05-31'],
    ['takeUuid', 'x', 'expected a UUID'],
    ['takeInts', [1, 'x'], 'value[1] is "x"'],
    ['takeNumbers', 5, 'value is 5; expected an array'],
    ['takeNumbers', [1, 2.5], 'value[1] is 2.5'],
    ['takeMap', { a: 'x' }, 'value.a is "x"'],
    ['takeSorted', { x: 'y' }, 'the key "x" of value'],
    ['takeItem', { sku: 'a', colour: 'red' }, 'item has no field colour; it has sku, price, status, parts, weight'],
    ['takeItem', { parts: [{ weight: 'heavy' }] }, 'item.parts[0].weight is "heavy"'],
    ['takeItem', 'a', 'item is "a"; expected an object for an Item'],
    ['takePoint', { x: 1 }, 'point.y is missing'],
    ['takeAddress', { street: 'Elm' }, 'address.number is missing'],
    ['takeAddress', { town: 'Ely' }, 'address takes an Address, made of [street, number]'],
    ['takeNamed', { name: 'x' }, 'named takes a Named, an interface'],
    ['takeCart', { $ref: 'shop.nowhere' }, 'cart names shop.nowhere, which is no object of the state'],
    ['takeCart', { $ref: 'shop.kitchen' }, 'a com.example.act.Kitchen; expected a com.example.act.Cart'],
  ])('%s(%j) is refused before anything ran', async (method, value, message) => {
    const before = await calls();
    const answer = await kitchen(method, value);
    expect(answer).toMatchObject({ refused: 'argument' });
    expect(answer.message).toContain(message);
    expect(await calls()).toBe(before + 1);
  });

  it('makes no object while another value cannot be used', async () => {
    const made = await harness.ask({ op: 'made' });
    const answer = await harness.invoke('shop.kitchen#takeItems', { items: [{ sku: 'a' }, { weight: 'x' }] });
    expect(answer).toMatchObject({ refused: 'argument' });
    expect(await harness.ask({ op: 'made' })).toBe(made);
  });

  it('tells that a constructor threw', async () => {
    expect(await kitchen('takeAddress', { street: 'Elm', number: -1 })).toMatchObject({
      ok: false,
      message: 'making the arguments threw java.lang.IllegalStateException: no such house',
    });
  });
});

describe('overloads', () => {
  it.each([
    [{ id: 4 }, 'number 4'],
    [{ name: 'x' }, 'name x'],
    [{ name: 'x', limit: 2 }, 'name x limit 2'],
  ])('%j', async (args, got) => {
    expect((await harness.invoke('shop.carts[*]#find', { index: 0, ...args })).rawReturn).toBe(got);
  });

  it('names all of them when none fits', async () => {
    const answer = await harness.invoke('shop.carts[*]#find', { index: 0, limit: 2 });
    expect(answer).toMatchObject({ refused: 'argument' });
    expect(answer.message).toBe(
      'given limit; expected find(int id) -> String, find(String name) -> String, find(String name, int limit) -> String',
    );
  });

  it.each([
    [5, 'int'],
    [5000000000, 'long'],
    [0.5, 'double'],
    ['x', 'text'],
    [['x'], 'list'],
    [{ a: 1 }, 'any'],
  ])('chooses by the value where the names are the same: %j', async (value, got) => {
    expect((await harness.invoke('shop.chooser#pick', { value })).rawReturn).toBe(got);
  });

  it('refuses what two fit equally well', async () => {
    const answer = await harness.invoke('shop.chooser#either', { one: 1, other: 1 });
    expect(answer).toMatchObject({ refused: 'argument' });
    expect(answer.message).toContain('these values fit several: either(int one, long other)');
  });
});

describe('where it is called', () => {
  it('goes to the element, the entry, or the class', async () => {
    await harness.invoke('shop.carts[*]#addItem', { index: 1, sku: 'a', quantity: 2 });
    expect((await harness.invoke('shop.byOwner{*}#getTotal', { key: 'odd key' })).rawReturn).toBe(2);
    expect(
      (await harness.invoke('shop.archive{*}{*}#under', { key: '2024', key2: 'may', key_argument: 'k' })).rawReturn,
    ).toBe('kold');
    expect((await harness.invoke('Statics#raise', { by: 2 })).rawReturn).toBe(5);
  });

  it('says what is not there', async () => {
    expect(await harness.invoke('shop.carts[*]#getTotal', { index: 7 })).toMatchObject({
      refused: 'gone',
      message: 'there is no shop.carts[7]',
    });
    expect(await harness.invoke('shop.carts[*]#getTotal', {})).toMatchObject({ refused: 'argument' });
    expect(await harness.invoke('shop.carts[*]#getTotal', { index: -1 })).toMatchObject({ refused: 'argument' });
    expect(await harness.invoke('shop.carts[*]#getTotal', {})).toMatchObject({
      refused: 'argument',
      message: 'index is missing; expected which element of the list, from 0',
    });
    expect(await harness.invoke('shop.carts[*]#internal', { index: 0 })).toMatchObject({ refused: 'gone' });
    expect(await harness.invoke('shop.hidden#secret', {})).toMatchObject({ refused: 'gone' });
  });

  it('tells the class, the object and the thread', async () => {
    const { context } = await harness.invoke('shop.carts[*]#setOpen', { index: 0, open: false });
    expect(context).toEqual({
      class: 'com.example.act.Cart',
      method: 'setOpen',
      signature: '(Z)V',
      instance: expect.stringMatching(/^Cart@[0-9a-f]+$/),
      thread: 'substrate-call',
    });
    expect((await harness.invoke('shop.trouble#contextLoader', {})).rawReturn).toBe('true');
  });
});

describe('what belongs to the event thread of AWT', () => {
  it('is called there', async () => {
    const answer = await harness.invoke('shop.grid#isOnEventThread', {});
    expect(answer).toMatchObject({ ok: true, rawReturn: true });
    expect(answer.context?.thread).toMatch(/^AWT-EventQueue/);
  });

  it('is told of when it holds the event thread up, and what waits behind it never runs', async () => {
    expect((await harness.invoke('shop.grid#block', {}, 900)).message).toMatch(
      /^block is still running after 900 ms in thread AWT-EventQueue/,
    );
    expect(await harness.invoke('shop.grid#isOnEventThread', {}, 900)).toMatchObject({
      refused: 'busy',
      message: 'the event thread has been busy for 900 ms',
    });
    await harness.ask({ op: 'releaseGrid' });
    await expect.poll(async () => (await harness.invoke('shop.grid#isOnEventThread', {}, 900)).ok).toBe(true);
  });
});

describe('what comes of it', () => {
  it('a method without a result ran', async () => {
    expect(await harness.invoke('shop.hidden#main', { ignored: [] })).toMatchObject({
      ok: true,
      message: 'main ran',
      rawReturn: null,
    });
  });

  it('a value is called by a name that everybody knows', async () => {
    expect((await harness.invoke('shop.trouble#fixed', {})).message).toBe('fixed returned a List');
    expect((await harness.invoke('shop.trouble#bulk', {})).message).toBe('bulk returned a Bulk');
  });

  it('a number out of range is told the range', async () => {
    expect((await harness.invoke('shop.trouble#echo', { value: 1e20 })).message).toBe(
      'value is 100000000000000000000; expected a whole number from -9223372036854775808 to 9223372036854775807',
    );
  });

  it('an exception is a result', async () => {
    expect(await harness.invoke('shop.trouble#fail', { why: 'no stock' })).toMatchObject({
      ok: false,
      message: 'fail threw java.lang.IllegalStateException: no stock',
      rawReturn: {
        exception: 'java.lang.IllegalStateException',
        message: 'no stock',
        at: expect.stringMatching(/^com\.example\.act\.Trouble\.fail\(Trouble\.java:\d+\)$/),
      },
    });
    expect((await harness.invoke('shop.trouble#overflow', {})).message).toBe(
      'overflow threw java.lang.StackOverflowError',
    );
  });

  it('an exception of the app is not asked what it is about', async () => {
    expect((await harness.invoke('shop.trouble#failOddly', {})).message).toMatch(/Odd: the real words$/);
    expect((await harness.invoke('shop.trouble#oddAsked', {})).rawReturn).toBe(0);
  });

  it('what a future brings is waited for', async () => {
    expect((await harness.invoke('shop.trouble#later', {})).message).toBe('later returned at last');
    expect((await harness.invoke('shop.trouble#laterFails', {})).message).toContain('IllegalStateException: sold out');
    expect(await harness.invoke('shop.trouble#never', {}, 900)).toMatchObject({
      ok: true,
      message: 'never returned a CompletableFuture that is not done after 900 ms',
    });
  });

  it('a method that takes too long is interrupted', async () => {
    const answer = await harness.invoke('shop.trouble#nap', { ms: 60_000 }, 900);
    expect(answer).toMatchObject({ ok: false, running: 0 });
    expect(answer.message).toMatch(
      /^nap had not come back after 900 ms, at com\.example\.act\.Trouble\.nap\(Trouble\.java:\d+\); it was interrupted and stopped$/,
    );
  });

  it('a method that takes too long goes on, unless it may be interrupted', async () => {
    const request = { op: 'invoke', binding: 'method:shop.trouble#nap', args: { ms: 2500 }, timeoutMs: 900 };
    expect(await harness.ask({ ...request, interrupt: false })).toMatchObject({
      ok: false,
      running: 1,
      message: expect.stringMatching(
        /^nap is still running after 900 ms in thread substrate-call at .*Trouble\.nap.*\)$/,
      ),
    });
    await expect.poll(async () => (await harness.invoke('shop.trouble#oddAsked', {})).running).toBe(0);
  });

  it('a method that is deaf to interrupts is told of, counted and left alone', async () => {
    const answer = await harness.invoke('shop.trouble#spin', {}, 900);
    expect(answer).toMatchObject({ ok: false, running: 1 });
    expect(answer.message).toMatch(
      /^spin is still running after 900 ms in thread substrate-call at com\.example\.act\.Trouble\.spin\(.*\); it was interrupted and did not stop$/,
    );
    await harness.invoke('shop.trouble#release', {});
    await expect.poll(async () => (await harness.invoke('shop.trouble#oddAsked', {})).running).toBe(0);
  });

  it('no more than 32 calls run at a time, and those that wait for a lock for ever count', async () => {
    expect(await harness.ask({ op: 'rush', calls: 40, binding: 'method:shop.trouble#locked' })).toEqual({
      '32 earlier calls are still running': 8,
    });
    await expect.poll(async () => (await harness.invoke('shop.trouble#oddAsked', {})).running).toBe(0);
  });

  it('a large result is told in part', async () => {
    const { ok, rawReturn } = await harness.invoke('shop.trouble#bulk', {});
    expect(ok).toBe(true);
    expect(Object.keys(rawReturn as object)).toEqual(['small', 'large']);
  });
});
