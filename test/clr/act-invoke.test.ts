import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, RUNTIMES, removeCompiled, startHarness } from './act-harness.ts';

const PARAMETERS: Readonly<Record<string, string>> = {
  TakeItem: 'item',
  TakeItems: 'items',
  TakePoint: 'point',
  TakeAddress: 'address',
  TakeCart: 'cart',
  TakeNamed: 'named',
};

afterAll(removeCompiled);

describe.each(RUNTIMES)('calls on $runtime', (setting) => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await startHarness(setting);
  });
  afterAll(() => harness?.stop());

  const kitchen = (method: string, value: unknown) =>
    harness.invoke(`shop.kitchen#${method}`, { [PARAMETERS[method] ?? 'value']: value });
  /** The number of entered methods of the kitchen. */
  const calls = () => harness.ask({ op: 'kitchenCalls' });

  describe('values', () => {
    it.each([
      ['TakeSByte', -128, 'SByte:-128'],
      ['TakeByte', 255, 'Byte:255'],
      ['TakeShort', 32767, 'Int16:32767'],
      ['TakeUShort', 65535, 'UInt16:65535'],
      ['TakeInt', 5, 'Int32:5'],
      ['TakeUInt', 4294967295, 'UInt32:4294967295'],
      ['TakeLong', 9007199254740991, 'Int64:9007199254740991'],
      ['TakeLong', '9223372036854775807', 'Int64:9223372036854775807'],
      ['TakeULong', '18446744073709551615', 'UInt64:18446744073709551615'],
      ['TakeFloat', 0.5, 'Single:0.5'],
      ['TakeDouble', 2, 'Double:2'],
      ['TakeDouble', 1e300, 'Double:1E+300'],
      ['TakeDecimal', 1.1, 'Decimal:1.1'],
      ['TakeDecimal', '1.10', 'Decimal:1.10'],
      ['TakeChar', 'x', 'Char:x'],
      ['TakeFlag', true, 'Boolean:True'],
      ['TakeText', '[ref] shop', 'String:[ref] shop'],
      ['TakeMaybe', 7, 'Int32:7'],
      ['TakeMaybe', null, 'null'],
      ['TakeStatus', 'Paid', 'Status:Paid'],
      ['TakeStatus', 'paid', 'Status:Paid'],
      ['TakeStatus', 1, 'Status:Paid'],
      ['TakeRights', 'Read, Write', 'Rights:Read, Write'],
      ['TakeMaybeStatus', 'New', 'Status:New'],
      ['TakeDateTime', '2024-05-31T18:30:00', 'String:2024-05-31T18:30:00.0000000'],
      ['TakeDateTime', '2024-05-31', 'String:2024-05-31T00:00:00.0000000'],
      ['TakeMoment', '2024-05-31T20:30:00+02:00', 'String:2024-05-31T18:30:00.0000000Z'],
      ['TakeSpan', '01:30:00', 'TimeSpan:01:30:00'],
      ['TakeGuid', '123e4567-e89b-12d3-a456-426614174000', 'Guid:123e4567-e89b-12d3-a456-426614174000'],
      ['TakeUri', 'https://example.com/', 'Uri:https://example.com/'],
      ['TakeVersion', '1.2.3', 'Version:1.2.3'],
      ['TakeAny', 'anything', 'String:anything'],
      ['TakeInts', [3, 4], 'String:Int32[] 3,4'],
      ['TakeList', [1, 2, 3], 'String:List`1 1,2,3'],
      ['TakeIList', ['a', null], 'String:List`1 a,'],
      ['TakeSequence', ['a', 'b'], 'String:List`1 a,b'],
      ['TakeReadOnly', [5], 'String:List`1 5'],
      ['TakeSet', [2, 2, 1], 'String:List`1 1,2'],
      ['TakeQueue', ['a', 'b'], 'String:a'],
      ['TakePlain', [1, 'x'], 'String:List`1 1,x'],
      ['TakeMap', { a: 1 }, 'String:List`1 a1'],
      ['TakeNumbered', { 10: 'b' }, 'String:List`1 10b'],
      ['TakeSorted', { 10: 'b', 9: 'a' }, 'String:List`1 a,b'],
      ['TakeTuple', [1, 'x'], 'String:1x'],
      ['TakeItem', { sku: 'a', Price: 2.5, state: 'New', weight: 3, parts: [{}] }, 'String:a 2.5 New 3 1'],
      ['TakeItem', { state: null }, 'String: 0 none 0 0'],
      ['TakeItems', [{ sku: 'b' }], 'String:1 b 0 none 0 0'],
      ['TakePoint', { X: 1, y: 2 }, 'String:1/2'],
      ['TakeAddress', { number: 5, street: 'Elm' }, 'String:Elm 5 Ely'],
      ['TakeAddress', { number: 5, street: 'Elm', town: 'Bath', note: '!' }, 'String:Elm 5 Bath!'],
      ['TakeCart', { $ref: 'shop.byOwner["odd key"]' }, 'String:bob'],
      ['TakeCart', '[ref] shop.carts[0]', 'String:ann'],
      ['TakeCart', null, 'null'],
      ['TakeNamed', { $ref: 'shop.hidden' }, 'String:hidden'],
    ])('%s(%j)', async (method, value, got) => {
      expect(await kitchen(method, value)).toMatchObject({
        ok: true,
        message: `${method} returned ${got}`,
        rawReturn: got,
      });
    });

    it('takes a constant of an enum of .NET', async () => {
      expect(await kitchen('TakeDay', 'friday')).toMatchObject({ ok: true, rawReturn: 'Friday' });
      expect((await kitchen('TakeDay', 'Freitag')).message).toContain('value is "Freitag"; expected one of Sunday');
    });

    it('what may be left out may be left out', async () => {
      expect((await harness.invoke('shop.kitchen#TakeRest', { first: 'a' })).rawReturn).toBe('String:a0');
      expect((await harness.invoke('shop.kitchen#TakeRest', { first: 'a', rest: ['b'] })).rawReturn).toBe('String:a1');
      expect((await harness.invoke('shop.kitchen#TakeDefaults', { first: 'a' })).rawReturn).toBe('String:a7Paid1.516');
      expect(
        (await harness.invoke('shop.kitchen#TakeDefaults', { first: 'a', second: 8, third: 'New' })).rawReturn,
      ).toBe('String:a8New1.516');
      expect((await harness.invoke('shop.kitchen#TakeToken', { value: 1 })).rawReturn).toBe('String:1 True True');
    });

    it.each([
      ['TakeSByte', 300, 'value is 300; expected a whole number from -128 to 127'],
      ['TakeByte', -1, 'value is -1; expected a whole number from 0 to 255'],
      ['TakeInt', 1.5, 'value is 1.5; expected a whole number from -2147483648 to 2147483647'],
      ['TakeInt', 3000000000, 'value is 3000000000; expected a whole number from -2147483648 to 2147483647'],
      ['TakeInt', '5', 'value is "5"; expected a whole number from -2147483648 to 2147483647'],
      ['TakeInt', null, 'value is null; expected a whole number from -2147483648 to 2147483647'],
      ['TakeULong', -1, 'value is -1; expected a whole number from 0 to 18446744073709551615'],
      ['TakeLong', 1e300, 'expected a whole number from -9223372036854775808 to 9223372036854775807'],
      ['TakeFloat', 1e300, 'value is 1e+300; expected a number'],
      ['TakeDecimal', 1e300, 'value is 1e+300; expected a number'],
      ['TakeChar', 'xy', 'value is "xy"; expected one character'],
      ['TakeFlag', 'true', 'value is "true"; expected true or false'],
      ['TakeText', 5, 'value is 5; expected text'],
      ['TakeMaybe', 'x', 'value is "x"; expected a whole number from -2147483648 to 2147483647'],
      ['TakeStatus', 'Sold', 'value is "Sold"; expected one of New, Paid'],
      ['TakeStatus', 7, 'value is 7; expected one of New, Paid'],
      ['TakeStatus', 'New, Paid', 'value is "New, Paid"; expected one of New, Paid'],
      ['TakeRights', 'Read, Sing', 'expected one of None, Read, Write'],
      ['TakeDateTime', '31.5.2024', 'expected a date and time such as 2024-05-31T18:30:00'],
      ['TakeMoment', 'now', 'expected a moment such as 2024-05-31T18:30:00+02:00'],
      ['TakeSpan', 'long', 'expected a duration such as 01:30:00'],
      ['TakeGuid', 'x', 'expected a GUID such as 123e4567-e89b-12d3-a456-426614174000'],
      ['TakeUri', 'nowhere', 'expected an address such as https://example.com/'],
      ['TakeVersion', 'one', 'expected a version such as 1.2.3'],
      ['TakeInts', [1, 'x'], 'value[1] is "x"; expected a whole number'],
      ['TakeList', 5, 'value is 5; expected an array'],
      ['TakeList', [1, 2.5], 'value[1] is 2.5; expected a whole number'],
      ['TakeMap', [1], 'value is an array; expected an object'],
      ['TakeMap', { a: 'x' }, 'value.a is "x"; expected a whole number'],
      ['TakeNumbered', { x: 'y' }, 'the key "x" of value is "x"; expected a whole number'],
      ['TakeTuple', [1], 'value is an array of 1; expected an array of 2'],
      ['TakeTuple', 'x', 'value is "x"; expected an array of 2'],
      ['TakeItem', { sku: 'a', colour: 'red' }, 'item has no member colour; it has Sku, Price, State, Parts, weight'],
      ['TakeItem', { parts: [{ weight: 'heavy' }] }, 'item.parts[0].weight is "heavy"'],
      ['TakeItem', { fixed: 'a' }, 'item has no member fixed'],
      ['TakeItem', 'a', 'item is "a"; expected an object for an Item'],
      ['TakeAddress', { street: 'Elm' }, 'address.number is missing'],
      ['TakeAddress', { city: 'Ely' }, 'address has no member city; it has Note, street, number, town'],
      [
        'TakeNamed',
        { name: 'x' },
        'named takes an INamed, an interface: name an object of the state, {"$ref": "its path"}',
      ],
      ['TakeCart', { $ref: 'shop.nowhere' }, 'cart names shop.nowhere, which is no object of the state'],
      ['TakeCart', { $ref: 'Statics' }, 'cart names Statics, which is no object of the state'],
      ['TakeCart', { $ref: 'shop.kitchen' }, 'cart names shop.kitchen, an Example.Kitchen; expected an Example.Cart'],
    ])('%s(%j) is refused before anything ran', async (method, value, message) => {
      const before = await calls();
      const answer = await kitchen(method, value);
      expect(answer).toMatchObject({ refused: 'argument' });
      expect(answer.message).toContain(message);
      expect(await calls()).toBe(before);
    });

    it('makes no object while another value cannot be used', async () => {
      const made = await harness.ask({ op: 'made' });
      const answer = await harness.invoke('shop.kitchen#TakeItems', { items: [{ sku: 'a' }, { weight: 'x' }] });
      expect(answer).toMatchObject({ refused: 'argument' });
      expect(await harness.ask({ op: 'made' })).toBe(made);
    });

    it('tells that a constructor threw', async () => {
      expect(await kitchen('TakeAddress', { street: 'Elm', number: -1 })).toMatchObject({
        ok: false,
        message: 'making the arguments threw System.InvalidOperationException: no such house',
      });
    });
  });

  describe('overloads', () => {
    it.each([
      [{ id: 4 }, 'number 4'],
      [{ name: 'x' }, 'name x'],
      [{ name: 'x', limit: 2 }, 'name x limit 2'],
    ])('%j', async (args, got) => {
      expect((await harness.invoke('shop.carts[*]#Find', { index: 0, ...args })).rawReturn).toBe(got);
    });

    it('names all of them when none fits', async () => {
      expect(await harness.invoke('shop.carts[*]#Find', { index: 0, limit: 2 })).toMatchObject({
        refused: 'argument',
        message:
          'given limit; expected Find(int id) -> string, Find(string name) -> string, Find(string name, int limit) -> string',
      });
    });

    it.each([
      [5, 'int'],
      [5000000000, 'long'],
      [0.5, 'double'],
      ['x', 'text'],
      [['x'], 'list'],
      [{ a: 1 }, 'any'],
    ])('chooses by the value where the names are the same: %j', async (value, got) => {
      expect((await harness.invoke('shop.chooser#Pick', { value })).rawReturn).toBe(got);
    });

    it('refuses what two fit equally well', async () => {
      const answer = await harness.invoke('shop.chooser#Either', { one: 1, other: 1 });
      expect(answer).toMatchObject({ refused: 'argument' });
      expect(answer.message).toContain('these values fit several: Either(int one, long other)');
    });
  });

  describe('where it is called', () => {
    it('goes to the element, the entry, the property or the type', async () => {
      await harness.invoke('shop.carts[*]#AddItem', { index: 1, sku: 'a', quantity: 2 });
      expect((await harness.invoke('shop.byOwner{*}#GetTotal', { key: 'odd key' })).rawReturn).toBe(2);
      expect(
        (await harness.invoke('shop.archive{*}{*}#Under', { key: '2024', key2: 'may', key_argument: 'k' })).rawReturn,
      ).toBe('kold');
      expect((await harness.invoke('Statics#Raise', { by: 2 })).rawReturn).toBe(5);
      expect(await harness.invoke('Statics#setMode', { mode: 'night' })).toMatchObject({ message: 'setMode ran' });
    });

    it('says what is not there', async () => {
      expect(await harness.invoke('shop.carts[*]#GetTotal', { index: 7 })).toMatchObject({
        refused: 'gone',
        message: 'there is no shop.carts[7]',
      });
      expect(await harness.invoke('shop.carts[*]#GetTotal', {})).toMatchObject({
        refused: 'argument',
        message: 'index is missing; expected which element of the list, from 0',
      });
      expect(await harness.invoke('shop.carts[*]#GetTotal', { index: -1 })).toMatchObject({
        refused: 'argument',
        message: 'index is -1; expected which element of the list, from 0',
      });
      expect(await harness.invoke('shop.byOwner{*}#GetTotal', { key: [] })).toMatchObject({
        refused: 'argument',
        message: 'key is an array; expected which entry of the dictionary',
      });
      const call = { path: 'shop.carts[0]', open: [], method: 'Internal', choices: [] };
      expect(await harness.invoke('shop.carts[*]#Internal', { index: 0 })).toMatchObject({ refused: 'gone' });
      expect(await harness.ask({ op: 'invoke', call, timeoutMs: 1000 })).toMatchObject({
        refused: 'gone',
        message: 'shop.carts[0] is an Example.Cart and has no method Internal',
      });
      expect(await harness.invoke('nothing', {})).toMatchObject({ refused: 'gone' });
    });

    it('tells the class, the object and the thread', async () => {
      const { context } = await harness.invoke('shop.carts[*]#setTitle', { index: 0, title: 'mine' });
      expect(context).toEqual({
        class: 'Example.Cart',
        method: 'set_Title',
        signature: 'setTitle(string title) -> void',
        instance: expect.stringMatching(/^Cart@[0-9a-f]+$/),
        thread: 'substrate-call',
      });
      expect((await harness.invoke('Statics#Raise', { by: 0 })).context).toMatchObject({ instance: null });
    });
  });

  describe('what belongs to a thread', () => {
    beforeAll(() => harness.ask({ op: 'begin' }));

    it('is called there', async () => {
      const answer = await harness.invoke('shop.grid#IsOnOwnThread', { ignored: 0 });
      expect(answer).toMatchObject({ ok: true, rawReturn: true, context: { thread: 'window' } });
      expect((await harness.invoke('shop.grid#Fail', { why: 'no row' })).message).toBe(
        'Fail threw System.InvalidOperationException: no row',
      );
    });

    it('is told of when it holds the thread up, and what waits behind it never runs', async () => {
      expect(await harness.invoke('shop.grid#Block', { ignored: 0 }, 900)).toMatchObject({
        ok: false,
        message: 'Block is still running after 900 ms in thread window',
      });
      expect(await harness.invoke('shop.grid#IsOnOwnThread', { ignored: 0 }, 900)).toMatchObject({
        refused: 'busy',
        message: 'the thread of its window has been busy for 900 ms',
      });
      await harness.ask({ op: 'release' });
      await expect.poll(async () => (await harness.invoke('shop.grid#IsOnOwnThread', { ignored: 0 })).ok).toBe(true);
    });
  });

  it('says when the thread takes no more work', async () => {
    await harness.ask({ op: 'begin' });
    expect(await harness.invoke('shop.grid#Close', {})).toMatchObject({ ok: true, message: 'Close ran' });
    expect(await harness.invoke('shop.grid#IsOnOwnThread', { ignored: 0 })).toMatchObject({
      refused: 'gone',
      message: 'it could not be handed over: System.InvalidOperationException: closed',
    });
  });

  describe('what comes of it', () => {
    it('a value is told by itself, an object by its type', async () => {
      expect((await harness.invoke('shop.trouble#Listed', {})).message).toBe('Listed returned a List<string>');
      expect((await harness.invoke('shop.trouble#GetBulk', {})).message).toBe('GetBulk returned a Bulk');
      expect(await harness.invoke('shop.trouble#Nothing', { value: 1 })).toMatchObject({
        message: 'Nothing returned null',
        rawReturn: null,
      });
      expect((await harness.invoke('shop.trouble#Sequence', { count: 2 })).message).toBe(
        'Sequence returned a sequence',
      );
    });

    it('an exception is a result', async () => {
      expect(await harness.invoke('shop.trouble#Fail', { why: 'no stock' })).toMatchObject({
        ok: false,
        message: 'Fail threw System.InvalidOperationException: no stock',
        rawReturn: {
          exception: 'System.InvalidOperationException',
          message: 'no stock',
          at: 'Example.Trouble.Fail',
        },
      });
      expect((await harness.invoke('shop.trouble#FailTwice', { why: 'inner' })).message).toBe(
        'FailTwice threw System.InvalidOperationException: inner',
      );
    });

    it('an exception of the app says what it wants to, or nothing', async () => {
      expect((await harness.invoke('shop.trouble#FailOddly', { why: 'x' })).message).toBe(
        'FailOddly threw Example.Odd: odd x',
      );
      expect((await harness.invoke('shop.trouble#FailOddly', { why: 'mute' })).message).toBe(
        'FailOddly threw Example.Odd',
      );
    });

    it('what a task or another awaitable brings is waited for', async () => {
      expect(await harness.invoke('shop.trouble#LaterAsync', { what: 'at last' })).toMatchObject({
        message: 'LaterAsync returned at last',
        rawReturn: 'at last',
      });
      expect((await harness.invoke('shop.trouble#WaitAsync', { what: '' })).message).toBe('WaitAsync ran');
      expect((await harness.invoke('shop.trouble#QuickAsync', { value: 3 })).rawReturn).toBe(3);
      expect((await harness.invoke('shop.trouble#Promised', { what: 'kept' })).message).toBe('Promised returned kept');
    });

    it('what it fails with, too', async () => {
      expect(await harness.invoke('shop.trouble#LaterFailsAsync', { why: 'sold out' })).toMatchObject({
        ok: false,
        message: 'LaterFailsAsync threw System.InvalidOperationException: sold out',
        rawReturn: { at: 'Example.Trouble.LaterFailsAsync' },
      });
      expect((await harness.invoke('shop.trouble#CancelledAsync', { value: 1 })).message).toMatch(
        /^CancelledAsync threw System\.Threading\.Tasks\.TaskCanceledException: /,
      );
      expect((await harness.invoke('shop.trouble#Promised', { what: 'broken' })).message).toBe(
        'Promised threw System.InvalidOperationException: promise broken',
      );
    });

    it('a task that is not done in time is told of, and holds no thread', async () => {
      expect(await harness.invoke('shop.trouble#NeverAsync', { value: 1 }, 900)).toMatchObject({
        ok: false,
        message: 'NeverAsync is still running after 900 ms',
      });
      await expect.poll(async () => (await harness.invoke('shop.trouble#Echo', { value: 1 })).running).toBe(0);
    });

    it('a method that takes a token is told to stop when the time is over', async () => {
      expect(await harness.invoke('shop.trouble#Wait', {}, 900)).toMatchObject({
        ok: false,
        message: 'Wait had not come back after 900 ms; it was cancelled and stopped',
      });
      expect((await harness.invoke('shop.trouble#StopAsync', {}, 900)).message).toBe(
        'StopAsync had not come back after 900 ms; it was cancelled and stopped',
      );
      expect((await harness.invoke('shop.trouble#DeafAsync', {}, 900)).message).toBe(
        'DeafAsync is still running after 900 ms; it was cancelled and did not stop',
      );
    });

    it('a method that takes a token is left alone unless it may be stopped', async () => {
      const request = { op: 'invoke', binding: 'method:shop.trouble#StopAsync', args: {}, timeoutMs: 900 };
      expect(await harness.ask({ ...request, interrupt: false })).toMatchObject({
        ok: false,
        message: 'StopAsync is still running after 900 ms',
      });
    });

    it('a method that does not come back is told of, counted and left alone', async () => {
      expect(await harness.invoke('shop.trouble#Spin', {}, 900)).toMatchObject({
        ok: false,
        message: 'Spin is still running after 900 ms in thread substrate-call',
        running: 1,
      });
      await harness.invoke('shop.trouble#Release', {});
      await expect.poll(async () => (await harness.invoke('shop.trouble#Echo', { value: 1 })).running).toBe(0);
    });

    it('no more than 32 calls run at a time', async () => {
      expect(await harness.ask({ op: 'rush', calls: 40, binding: 'method:shop.trouble#Locked' })).toEqual({
        '32 earlier calls are still running': 8,
      });
      await expect.poll(async () => (await harness.invoke('shop.trouble#Echo', { value: 1 })).running).toBe(0);
    });

    it('a large result is told in part', async () => {
      const { ok, rawReturn } = await harness.invoke('shop.trouble#GetBulk', {});
      expect(ok).toBe(true);
      expect(Object.keys(rawReturn as object)).toEqual(['small', 'large']);
    });
  });
});
