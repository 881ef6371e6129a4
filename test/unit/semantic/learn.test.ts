import { describe, expect, it } from 'vitest';
import { emptySchema } from '../../../src/model/app-schema.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { learnRequest } from '../../../src/model/wire.ts';
import { buildActions } from '../../../src/semantic/actions.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { learn } from '../../../src/semantic/learn.ts';
import { opaqueKey } from '../../../src/semantic/opaque.ts';
import { rawAction } from './raw-actions.ts';

const APP = 'shop-00000000';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N';

function session(state: Record<string, Scalar> = {}) {
  const engine = new Engine(APP, 'shop', emptySchema(APP, 'shop'));
  engine.apply({ kind: 'full', paths: Object.keys(state), values: Object.values(state) }, null);
  const raw = ['cart.add', 'cart.run', 'db.wipe'].map((name) => rawAction(name, { effect: 'none' }));
  const submit = (corrections: object[], more: object = {}, by = 'key-1') => {
    const request = learnRequest.parse({
      capture_id: 'c',
      schema_version: engine.schema.schema_version,
      corrections,
      ...more,
    });
    const result = learn(engine, { raw, named: buildActions(raw, engine.schema) }, request, by);
    engine.apply({ kind: 'same' }, null);
    return result;
  };
  const keys = () => Object.fromEntries([...engine.table.keys()].map((key) => [key, engine.table.get(key)]));
  return { engine, raw, submit, keys, actions: () => buildActions(raw, engine.schema) };
}

const label = (observed_key: string, correct_label: string, correct_type = 'string', more: object = {}) => ({
  observed_key,
  correct_label,
  correct_type,
  ...more,
});

describe('label corrections', () => {
  it('rename a key, type its value and are written down', () => {
    const { engine, submit, keys } = session({ 'x.q': '12', 'x.r': 1 });
    const note = { confidence: 0.9, notes: 'seen in the cart' };
    expect(submit([label('x.q', 'cart.total', 'number', note)])).toMatchObject({ accepted: 1, rejections: [] });
    expect(keys()).toEqual({ 'cart.total': 12, 'x.r': 1 });
    expect(engine.schema.labels['x.q']).toEqual({
      label: 'cart.total',
      type: 'number',
      confirmed: true,
      by: 'key-1',
      ...note,
    });
    expect(engine.schema.schema_version).toBe('1.0.1');
    expect(engine.schemaChanged).toBe(true);
  });

  it('are taken for a key that has left the state, as long as the schema knows it', () => {
    const { engine, submit, keys } = session({ 'rows[0].a': 1, 'rows[1].a': 2, note: 'x' });
    engine.apply({ kind: 'full', paths: ['note'], values: ['x'] }, null);
    expect(submit([label('rows[1].a', 'rows[1].amount', 'number')])).toMatchObject({ accepted: 1 });
    expect(submit([label('never.seen', 'x')]).rejections).toEqual([
      'never.seen: there is no such key in the current schema.',
    ]);
    engine.apply({ kind: 'full', paths: ['rows[0].a', 'rows[1].a'], values: [1, 2] }, null);
    expect(keys()).toEqual({ 'rows[0].amount': 1, 'rows[1].amount': 2 });
  });

  it('give a list that lost its name another one, in the same request or later', () => {
    const rows = { 'rows[0].a': 'a0', 'rows[0].b': 'b0', 'rows[1].a': 'a1', 'rows[1].b': 'b1' };
    const shown = { 'rows[0].b': 'a0', 'rows[0].c': 'b0', 'rows[1].b': 'a1', 'rows[1].c': 'b1' };
    const atOnce = session(rows);
    atOnce.submit([label('rows[0].a', 'rows[0].b'), label('rows[0].b', 'rows[0].c')]);
    expect(atOnce.keys()).toEqual(shown);
    const later = session(rows);
    expect(later.submit([label('rows[0].a', 'rows[0].b')]).displaced).toEqual(['rows[0].b']);
    const lost = opaqueKey(APP, 'rows[0].b');
    expect(later.keys()).toHaveProperty(lost);
    later.submit([label(lost, 'rows[0].c')]);
    expect(later.keys()).toEqual(shown);
  });

  it('take no name from a key that has got another one just before', () => {
    const { submit, keys } = session({ a: 'a', b: 'b' });
    expect(submit([label('b', 'c'), label('a', 'b')])).toMatchObject({ accepted: 2, displaced: [] });
    expect(keys()).toEqual({ b: 'a', c: 'b' });
  });

  it('look through all labels once, however many they are', () => {
    const names = Array.from({ length: 50 }, (_, at) => `x.k${at}`);
    const { engine, submit } = session(Object.fromEntries(names.map((name) => [name, 1])));
    let looks = 0;
    engine.schema.labels = new Proxy(engine.schema.labels, {
      ownKeys: (labels) => {
        looks++;
        return Reflect.ownKeys(labels);
      },
    });
    const corrections = names.map((name) => label(name, name.replace('x.', 'cart.'), 'number'));
    expect(submit([...corrections, label('x.k0', 'cart.k1', 'number')])).toMatchObject({
      accepted: 50,
      rejections: [expect.stringContaining('already the confirmed name')],
    });
    // Once by `learn`, once to rename, once to choose the types of the actions.
    expect(looks).toBeLessThan(5);
  });

  it('speak for all elements when the indices agree', () => {
    const { submit, keys } = session({ 'x[0].q': 1, 'x[1].q': 2 });
    submit([label('x[1].q', 'items[1].price', 'number')]);
    expect(keys()).toEqual({ 'items[0].price': 1, 'items[1].price': 2 });
  });

  it('speak for one element when they do not', () => {
    const { submit, keys } = session({ 'x[0].q': 1, 'x[1].q': 2 });
    submit([label('x[0].q', 'first', 'number')]);
    expect(keys()).toEqual({ first: 1, 'x[1].q': 2 });
  });

  it('name what was opaque, and can be corrected again', () => {
    const { engine, submit, keys } = session();
    const roots = [{ name: 'e', origin: '', mangled: true }];
    engine.apply({ kind: 'full', paths: ['e.t'], values: [7] }, roots);
    submit([label(opaqueKey(APP, 'e.t'), 'cart.total', 'number')]);
    expect(keys()).toEqual({ 'cart.total': 7 });
    submit([label('cart.total', 'cart.sum', 'number')]);
    expect(keys()).toEqual({ 'cart.sum': 7 });
    expect(engine.schema.schema_version).toBe('1.0.2');
  });

  it('take a label that is quoted without need as what it means', () => {
    const { submit, keys } = session({ a: 'x' });
    submit([label('a', 'cart["total"]["odd key"]')]);
    expect(keys()).toEqual({ 'cart.total["odd key"]': 'x' });
  });

  it('push a guessed name aside', () => {
    const { submit, keys } = session({ 'x.q': 'mine', 'cart.total': 'guess' });
    expect(submit([label('x.q', 'cart.total')]).accepted).toBe(1);
    expect(keys()).toEqual({ 'cart.total': 'mine', [opaqueKey(APP, 'cart.total')]: 'guess' });
  });

  it('work on keys that are called like parts of Object.prototype', () => {
    const { submit, keys } = session({ constructor: 'x', toString: 'y' });
    submit([label('constructor', 'valueOf'), label('toString', 'text')]);
    expect(Object.entries(keys())).toEqual([
      ['valueOf', 'x'],
      ['text', 'y'],
    ]);
    expect(submit([label('text', 'a.__proto__')], { schema_version: '1.0.2' }).accepted).toBe(0);
  });
});

describe('type corrections', () => {
  it('keep the label and change the type', () => {
    const { engine, submit, keys } = session({ 'a.n': '12', 'list[0].on': 1, 'list[1].on': 0 });
    const kind = { feedback_type: 'type_correction' };
    expect(submit([label('a.n', 'ignored', 'number'), label('list[0].on', 'x', 'boolean')], kind).accepted).toBe(2);
    expect(keys()).toEqual({ 'a.n': 12, 'list[0].on': true, 'list[1].on': false });
    expect(engine.schema.schema_version).toBe('1.0.2');
  });

  it('leave an opaque key opaque', () => {
    const { engine, submit, keys } = session();
    engine.apply({ kind: 'full', paths: ['e.t'], values: ['7'] }, [{ name: 'e', origin: '', mangled: true }]);
    const key = opaqueKey(APP, 'e.t');
    submit([label(key, key, 'number')], { feedback_type: 'type_correction' });
    expect(keys()).toEqual({ [key]: 7 });
    expect(engine.confidence()).toBe(0.3);
  });
});

describe('action corrections', () => {
  const kind = { feedback_type: 'action_correction' };

  it('rename and re-bind', () => {
    const { engine, submit, actions } = session();
    expect(submit([label('cart.add', 'cart.put', 'number', { binding: 'cart.run', notes: 'n' })], kind).accepted).toBe(
      1,
    );
    expect(actions().get('cart.put')).toMatchObject({ binding: 'cart.run#', rawName: 'cart.add' });
    expect(engine.schema.actions['cart.add']).toEqual({
      name: 'cart.put',
      returns: 'number',
      confidence: 1,
      binding: 'cart.run',
      by: 'key-1',
      notes: 'n',
    });
    expect(engine.schema.schema_version).toBe('1.0.1');
  });

  it('correct the same action when it was bound to another method', () => {
    const { submit, actions } = session();
    submit([label('cart.add', 'cart.put', 'number', { binding: 'cart.run' })], kind);
    submit([label('cart.put', 'cart.insert', 'number', { binding: 'cart.run#' })], kind);
    expect([...actions()].map(([name, { binding }]) => [name, binding])).toEqual([
      ['cart.insert', 'cart.run#'],
      ['cart.run', 'cart.run#'],
      ['db.wipe', 'db.wipe#'],
    ]);
  });

  it('cannot hide a danger', () => {
    const { submit, actions } = session();
    submit(
      [label('db.wipe', 'db.show', 'object'), label('cart.add', 'cart.add', 'object', { binding: 'db.wipe' })],
      kind,
    );
    expect(actions().get('db.show')?.schema.reversibility).toBe('irreversible_write');
    expect(actions().get('cart.add')?.schema.reversibility).toBe('irreversible_write');
  });

  it.each([
    ['no such action', label('nope', 'x', 'string'), 'no such action'],
    ['a name in use', label('cart.add', 'cart.run', 'string'), 'already the name of another action'],
    ['an unknown method', label('cart.add', 'x', 'string', { binding: 'nope' }), 'names no method'],
    ['an invalid type', label('cart.add', 'x', 'void'), 'correct_type must be one of'],
    ['a key of the state', label('a', 'b', 'string'), 'no such action'],
  ])('reject %s', (_, correction, reason) => {
    const { engine, submit } = session({ a: 1 });
    const { accepted, rejections } = submit([correction], kind);
    expect(accepted).toBe(0);
    expect(rejections).toEqual([expect.stringContaining(reason)]);
    expect(engine.schema.schema_version).toBe('1.0.0');
    expect(Object.keys(engine.schema.actions)).toEqual([]);
  });

  it('reject a method whose holder is named by a secret: it would be written down', () => {
    const { engine, raw, submit } = session();
    const binding = 'tokens["9f8e-7d6c"]#rotate';
    raw.push(rawAction('tokens["9f8e-7d6c"].rotate', { binding }));
    expect(submit([label('cart.add', 'x', 'string', { binding })], kind).rejections).toEqual([
      expect.stringContaining('names no method'),
    ]);
    expect(JSON.stringify(engine.schema)).not.toContain('9f8e');
  });

  it('reject a name that an earlier correction of the same request took', () => {
    const { submit } = session();
    const { accepted, rejections } = submit([label('cart.add', 'x'), label('cart.run', 'x')], kind);
    expect(accepted).toBe(1);
    expect(rejections).toEqual([expect.stringContaining('x is already the name')]);
  });

  it('let an action keep its name', () => {
    const { submit, actions } = session();
    expect(submit([label('cart.add', 'cart.add', 'number')], kind).accepted).toBe(1);
    expect(actions().get('cart.add')?.schema.signature).toBe('fn() -> number');
  });
});

describe('rejections', () => {
  it.each([
    ['a key that is not there', label('nope', 'x'), 'no such key'],
    ['a key that is inherited', label('toString', 'x'), 'no such key'],
    [
      'an invalid type',
      label('a', 'x', 'integer'),
      'correct_type must be one of string, number, boolean, array, object',
    ],
    ['no type', label('a', 'x', 'null'), 'correct_type must be one of'],
    ['a label that is no path', label('a', 'not a path'), 'no dot-notation path'],
    ['an opaque label', label('a', 'unknown_0x00000001'), 'give it a name'],
    ['an opaque label in quotes', label('a', '["unknown_0x00000001"].x'), 'give it a name'],
    ['a label with stars', label('a', 'x[*].y'), 'no dot-notation path'],
  ])('%s', (_, correction, reason) => {
    const { engine, submit, keys } = session({ a: 1 });
    expect(submit([correction])).toMatchObject({
      accepted: 0,
      rejections: [expect.stringMatching(new RegExp(`^${correction.observed_key}: .*${reason}`))],
    });
    expect(keys()).toEqual({ a: 1 });
    expect(engine.schema.schema_version).toBe('1.0.0');
  });

  it('a label that is confirmed for another key', () => {
    const { submit } = session({ a: 'x', b: 'y' });
    submit([label('a', 'name')]);
    expect(submit([label('b', 'name')]).rejections).toEqual(['b: name is already the confirmed name of another key.']);
    expect(submit([label('b', '["name"]')]).accepted).toBe(0);
    expect(submit([label('name', 'name')]).accepted).toBe(1);
  });

  it('a label for one element where all elements have one, and the other way round', () => {
    const { submit } = session({ 'x[0]': 'a', 'x[1]': 'b', y: 'c', 'z[0]': 'd', w: 'e' });
    submit([label('x[0]', 'names[0]')]);
    expect(submit([label('y', 'names[1]')]).accepted).toBe(0);
    expect(submit([label('w', 'others[3]')]).accepted).toBe(1);
    expect(submit([label('z[0]', 'others[0]')]).accepted).toBe(0);
  });

  it('a key whose name in the app is a secret: it would be written down', () => {
    const { engine, submit } = session({ [`s["${JWT}"]`]: 'x' });
    const [key = ''] = engine.table.keys();
    expect(submit([label(key, 'session.user')]).rejections).toEqual([expect.stringContaining('holds a secret')]);
    expect(JSON.stringify(engine.schema)).not.toContain('eyJ');
  });

  it('all of a request for a stale version', () => {
    const { engine, submit } = session({ a: 1, b: 2 });
    submit([label('a', 'x', 'number')]);
    const { accepted, rejections } = submit([label('x', 'y', 'number'), label('b', 'z', 'number')], {
      schema_version: '1.0.0',
    });
    expect(accepted).toBe(0);
    expect(rejections).toHaveLength(2);
    expect(rejections[0]).toContain('schema_version 1.0.0 is not the current 1.0.1');
    expect(engine.schema.schema_version).toBe('1.0.1');
  });
});

describe('versions', () => {
  it('rise by a patch for each correction that is taken', () => {
    const { engine, submit } = session({ a: 1, b: 2, c: 3 });
    engine.schema.schema_version = '2.7.19';
    const result = submit([
      label('a', 'x', 'number'),
      label('nope', 'y'),
      label('b', 'z', 'number'),
      label('c', 'x', 'number'),
    ]);
    expect(result).toMatchObject({ accepted: 2, rejections: [expect.any(String), expect.any(String)] });
    expect(engine.schema.schema_version).toBe('2.7.21');
  });

  it('stay when nothing is taken', () => {
    const { engine, submit } = session({ a: 1 });
    engine.schemaChanged = false;
    submit([label('nope', 'x')]);
    expect(engine.schema.schema_version).toBe('1.0.0');
    expect(engine.schemaChanged).toBe(false);
  });
});
