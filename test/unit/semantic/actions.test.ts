import { describe, expect, it } from 'vitest';
import { type AppSchema, emptySchema } from '../../../src/model/app-schema.ts';
import type { RawAction } from '../../../src/model/raw-action.ts';
import { actionSchema } from '../../../src/model/wire.ts';
import { type Action, actionMap, buildActions, checkArguments } from '../../../src/semantic/actions.ts';
import { parameter, rawAction } from './raw-actions.ts';

const schemaWith = (actions: AppSchema['actions'] = {}, labels: AppSchema['labels'] = {}): AppSchema => ({
  ...emptySchema('shop-0', 'shop'),
  actions,
  labels,
});
const typed = (type: 'string' | 'number' | 'boolean' | 'null') => ({
  label: 'x',
  type,
  confidence: 1,
  confirmed: false,
});

function only(raw: RawAction, schema = schemaWith()): Action {
  const [action] = buildActions([raw], schema).values();
  if (!action) throw new Error('no action');
  return action;
}

describe('signatures', () => {
  it.each([
    [[], 'void', 'fn() -> void'],
    [[parameter('a', 'string'), parameter('b', 'number', false)], 'number', 'fn(a: string, b?: number) -> number'],
    [[parameter('list', 'array'), parameter('on', 'boolean')], 'object', 'fn(list: array, on: boolean) -> object'],
    [[parameter('foo')], 'unknown', 'fn(foo: string) -> unknown'],
  ] as const)('%j', (parameters, returns, signature) => {
    const { schema } = only(rawAction('cart.add', { parameters, returns }));
    expect(schema.signature).toBe(signature);
    expect(schema.parameters.map(({ name, type_name, required }) => [name, type_name, required])).toEqual(
      parameters.map(({ name, type, required }) => [name, type ?? 'string', required]),
    );
    expect(actionSchema.safeParse(schema).success).toBe(true);
  });

  it('says of a method whose code was not looked at yet that it may be less than it seems', () => {
    const { schema } = only(rawAction('cart.add', { effect: 'unjudged', description: 'Method add of Cart' }));
    expect(schema).toMatchObject({
      reversibility: 'irreversible_write',
      judged: false,
      description: 'Method add of Cart',
    });
    expect(only(rawAction('cart.add')).schema).not.toHaveProperty('judged');
    // The name of these decides everything.
    expect(only(rawAction('server.shutdown', { effect: 'unjudged' })).schema).not.toHaveProperty('judged');
  });

  it('takes the type of a state key that is called like the parameter, where all such keys agree', () => {
    const labels = {
      'cart.items[*].sku': typed('number'),
      'order.sku': typed('number'),
      'user.code': typed('string'),
      'item.code': typed('number'),
      'x.nothing': typed('null'),
    };
    const raw = rawAction('f', { parameters: [parameter('SKU'), parameter('code'), parameter('nothing')] });
    const action = only(raw, schemaWith({}, labels));
    expect(action.schema.parameters.map(({ type_name }) => type_name)).toEqual(['number', 'string', 'string']);
    expect(action.untyped).toEqual(new Set(['code', 'nothing']));
  });

  it.each([
    ['isOpen', 'boolean'],
    ['hasItems', 'boolean'],
    ['enabled', 'boolean'],
    ['index', 'number'],
    ['itemCount', 'number'],
    ['timeoutMs', 'number'],
    ['max_amount', 'number'],
    ['title', 'string'],
    ['userName', 'string'],
    ['options', 'object'],
    ['island', null],
    ['hashtag', null],
    ['account', null],
    ['items', null],
    ['discount', null],
    ['message', null],
    ['body', null],
  ])('guesses %s by its name: %s', (name, type) => {
    const { schema, untyped } = only(rawAction('f', { parameters: [parameter(name)] }));
    expect(untyped.has(name)).toBe(type === null);
    expect(schema.parameters[0]?.type_name).toBe(type ?? 'string');
  });

  it('says where nobody knows a type, which makes the action itself no less sure', () => {
    expect(only(rawAction('f', { parameters: [parameter('a', 'string')] })).schema.confidence).toBe(0.97);
    const { schema } = only(rawAction('f', { parameters: [{ ...parameter('foo'), description: 'which' }] }));
    expect(schema.confidence).toBe(0.97);
    expect(schema.parameters[0]?.description).toBe('which; type not known: any JSON value is passed on');
  });
});

describe('names', () => {
  it('does not guess where the runtime says that several types fit', () => {
    const action = only(rawAction('shop.find', { parameters: [parameter('count', 'any')] }));
    expect(checkArguments(action, { count: 'three' })).toEqual([]);
    expect(action.schema.parameters[0]?.description).toBe('any JSON value is passed on');
  });

  it('leave to a runtime that knows its types what JSON cannot say', () => {
    const parameters = [
      { ...parameter('id', 'number'), isChecked: true },
      { ...parameter('name', 'string'), isChecked: true },
      { ...parameter('friend', 'object'), isChecked: true },
      { ...parameter('isOpen', 'boolean'), isChecked: true },
    ];
    const action = only(rawAction('guest.set', { parameters }));
    const fine = { id: '9223372036854775807', name: null, friend: '[ref] guests[0]', isOpen: null };
    expect(checkArguments(action, fine)).toEqual([]);
    expect(checkArguments(action, { id: 'many', name: 5, friend: 'Ada', isOpen: 'yes' })).toEqual([
      'parameters.id is string; expected number',
      'parameters.name is number; expected string',
      'parameters.friend is string; expected object',
      'parameters.isOpen is string; expected boolean',
    ]);
    const unchecked = only(rawAction('guest.set', { parameters: [parameter('id', 'number')] }));
    expect(checkArguments(unchecked, { id: '12' })).toEqual(['parameters.id is string; expected number']);
  });

  it('are the keys of the map, even those of Object.prototype', () => {
    const actions = buildActions(
      ['__proto__', 'constructor', 'toString', 'a.b'].map((name) => rawAction(name)),
      schemaWith(),
    );
    expect([...actions.keys()]).toEqual(['__proto__', 'constructor', 'toString', 'a.b']);
    expect(Object.keys(actionMap(actions))).toEqual(['__proto__', 'constructor', 'toString', 'a.b']);
    expect(Object.keys(JSON.parse(JSON.stringify(actionMap(actions))))).toHaveLength(4);
  });

  it('are numbered where two methods have the same', () => {
    const raw = [rawAction('orders.cancel', { binding: 'one' }), rawAction('orders.cancel', { binding: 'two' })];
    const actions = buildActions(raw, schemaWith());
    expect([...actions].map(([name, { binding, rawName }]) => [name, binding, rawName])).toEqual([
      ['orders.cancel', 'one', 'orders.cancel'],
      ['orders.cancel_2', 'two', 'orders.cancel_2'],
    ]);
  });
});

describe('corrections', () => {
  const corrected = { name: 'cart.tidy', returns: 'number', confidence: 0.9 } as const;

  it('makes nothing surer that came from elsewhere', () => {
    const schema = schemaWith({ 'c.t': { ...corrected, confidence: 1, imported: true } });
    expect(buildActions([rawAction('c.t')], schema, () => 0.5).get('cart.tidy')?.schema.confidence).toBe(0.5);
    expect(
      buildActions([rawAction('c.t')], schemaWith({ 'c.t': corrected }), () => 0.5).get('cart.tidy')?.schema.confidence,
    ).toBe(0.9);
  });

  it('rename, type and rate an action', () => {
    const actions = buildActions([rawAction('c.t', { returns: 'unknown' })], schemaWith({ 'c.t': corrected }));
    expect([...actions.keys()]).toEqual(['cart.tidy']);
    expect(actions.get('cart.tidy')).toMatchObject({
      rawName: 'c.t',
      binding: 'c.t#',
      schema: { signature: 'fn() -> number', confidence: 0.9 },
    });
  });

  it('win the name against a method that is called so itself, in any order', () => {
    const raw = [rawAction('cart.tidy', { binding: 'other' }), rawAction('c.t', { binding: 'mine' })];
    for (const list of [raw, [...raw].reverse()]) {
      const actions = buildActions(list, schemaWith({ 'c.t': corrected }));
      expect(actions.get('cart.tidy')?.binding).toBe('mine');
      expect(actions.get('cart.tidy_2')?.binding).toBe('other');
    }
  });

  it('belong to one of two methods of the same name', () => {
    const raw = [rawAction('orders.cancel', { binding: 'one' }), rawAction('orders.cancel', { binding: 'two' })];
    const actions = buildActions(raw, schemaWith({ 'orders.cancel_2': { ...corrected, name: 'order.stop' } }));
    expect([...actions].map(([name, { binding }]) => [name, binding])).toEqual([
      ['orders.cancel', 'one'],
      ['order.stop', 'two'],
    ]);
  });

  it.each(['cart.refresh', 'cart.refresh#'])(
    'bind an action to another method (%s): then all is said of that one',
    (binding) => {
      const refresh = rawAction('cart.refresh', {
        parameters: [parameter('a', 'number')],
        effect: 'none',
        description: 'R',
      });
      const actions = buildActions([rawAction('c.t'), refresh], schemaWith({ 'c.t': { ...corrected, binding } }));
      expect(actions.get('cart.tidy')).toMatchObject({
        binding: 'cart.refresh#',
        rawName: 'c.t',
        schema: { signature: 'fn(a: number) -> number', description: 'R', reversibility: 'reversible_read' },
      });
    },
  );

  it('say nothing once the method that they name is gone', () => {
    const actions = buildActions([rawAction('c.t')], schemaWith({ 'c.t': { ...corrected, binding: 'cart.refresh' } }));
    expect([...actions.keys()]).toEqual(['c.t']);
    expect(actions.get('c.t')?.binding).toBe('c.t#');
  });

  it('cannot hide a danger', () => {
    const wipe = rawAction('db.wipeAll', { effect: 'none' });
    const read = rawAction('db.read', { effect: 'none' });
    const of = (schema: AppSchema, name: string) => buildActions([wipe, read], schema).get(name)?.schema.reversibility;
    expect(of(schemaWith(), 'db.wipeAll')).toBe('irreversible_write');
    expect(of(schemaWith(), 'db.read')).toBe('reversible_read');
    // A new name for the method.
    expect(of(schemaWith({ 'db.wipeAll': { ...corrected, name: 'db.show' } }), 'db.show')).toBe('irreversible_write');
    // A harmless action bound to the method.
    expect(of(schemaWith({ 'db.read': { ...corrected, name: 'db.read', binding: 'db.wipeAll' } }), 'db.read')).toBe(
      'irreversible_write',
    );
    expect(of(schemaWith({ 'db.read': { ...corrected, name: 'db.read', binding: 'db.wipeAll#' } }), 'db.read')).toBe(
      'irreversible_write',
    );
    // A harmless method under a dangerous name.
    expect(of(schemaWith({ 'db.read': { ...corrected, name: 'db.PURGE' } }), 'db.PURGE')).toBe('irreversible_write');
  });
});

describe('checkArguments', () => {
  const action = only(
    rawAction('cart.add', {
      parameters: [
        parameter('label', 'string'),
        parameter('price', 'number', false),
        parameter('tags', 'array', false),
        parameter('meta', 'object', false),
        parameter('on', 'boolean', false),
        parameter('foo', null, false),
      ],
    }),
  );

  it.each([
    { label: 'x' },
    { label: '', price: 0, tags: [], meta: {}, on: false, foo: [1] },
    { label: 'x', foo: null },
    { label: 'x', price: undefined },
  ])('takes %j', (args) => {
    expect(checkArguments(action, args)).toEqual([]);
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{}, ['parameters.label is missing; expected string']],
    [{ label: 1 }, ['parameters.label is number; expected string']],
    [{ label: null }, ['parameters.label is null; expected string']],
    [{ label: 'x', price: '1' }, ['parameters.price is string; expected number']],
    [{ label: 'x', tags: {} }, ['parameters.tags is object; expected array']],
    [{ label: 'x', meta: [] }, ['parameters.meta is array; expected object']],
    [{ label: 'x', on: 1 }, ['parameters.on is number; expected boolean']],
    [{ label: 'x', extra: 1 }, [`parameters.extra is unknown; expected ${action.schema.signature}`]],
    [{ label: 'x', toString: 1 }, [`parameters.toString is unknown; expected ${action.schema.signature}`]],
    [
      { lable: 'x', price: [] },
      [
        `parameters.lable is unknown; expected ${action.schema.signature}`,
        'parameters.label is missing; expected string',
        'parameters.price is array; expected number',
      ],
    ],
  ])('%j: %j', (args, problems) => {
    expect(checkArguments(action, args)).toEqual(problems);
  });

  it('does not take what an argument object inherits', () => {
    const inherits = only(
      rawAction('f', { parameters: [parameter('toString', 'string'), parameter('__proto__', 'object', false)] }),
    );
    expect(checkArguments(inherits, {})).toEqual(['parameters.toString is missing; expected string']);
    expect(checkArguments(inherits, JSON.parse('{"toString":"x","__proto__":{"a":1}}'))).toEqual([]);
  });
});

describe('holders that are named by a secret', () => {
  const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N';

  it.each([
    ['by its shape', `users["${JWT}"]`, 'close'],
    ['by its place', 'store.sessions["Zk3jT8sQ-x"]', 'close'],
    ['as an identifier', 'apiKeys.a9f8e7d6c5b4a39281', 'revoke'],
    ['with a method that makes no path', 'tokens["9f8e-7d6c"]', 'odd-name'],
  ])('have no actions: %s', (_, holder, method) => {
    const secret = rawAction(`${holder}.${method}`, {
      binding: `${holder}#${method}`,
      description: `Function ${method} at ${holder}.`,
    });
    const actions = buildActions([secret, rawAction('sessions.closeAll')], schemaWith());
    expect([...actions.keys()]).toEqual(['sessions.closeAll']);
  });
});

describe('secrets that the page shows beside its controls', () => {
  const CARD = '4111 1111 1111 1111';

  it('do not stand in the descriptions of parameters', () => {
    const { schema } = only(
      rawAction('pay_form_show', {
        parameters: [
          { ...parameter('card', 'string'), description: `one of: ${CARD} | Cash` },
          { ...parameter('index', 'number'), description: `0 to 1, in the order of the page: 0 = ${CARD}, …` },
          { ...parameter('foo'), description: CARD },
        ],
      }),
    );
    expect(schema.parameters.map(({ description }) => description)).toEqual([
      'one of: [redacted] | Cash',
      '0 to 1, in the order of the page: 0 = [redacted], …',
      '[redacted]; type not known: any JSON value is passed on',
    ]);
  });

  it.each(['_4111_1111_1111_1111', '4111111111111111', 'sk_live_9f8e7d6c5b4a39281706aa'])(
    'are no names of parameters: %s',
    (name) => {
      const actions = buildActions(
        [rawAction('choose_card', { parameters: [parameter('index', 'number'), parameter(name)] }), rawAction('other')],
        schemaWith(),
      );
      expect([...actions.keys()]).toEqual(['other']);
    },
  );

  it('are no names of actions, nor told by what describes one', () => {
    const raw = [
      rawAction('use_4111_1111_1111_1111', { description: 'Button' }),
      rawAction('use_4111', { description: `Button "Use" in "${CARD}"` }),
    ];
    expect(buildActions(raw, schemaWith()).size).toBe(0);
  });

  it.each(['password', 'card_number', 'api_key', 'pin', 'token'])('do not keep %s from being asked for', (name) => {
    const { schema } = only(rawAction('account_sign_in', { parameters: [parameter(name, 'string')] }));
    expect(schema.parameters.map((each) => each.name)).toEqual([name]);
  });
});
