import { describe, expect, it } from 'vitest';
import { emptySchema, type LabelEntry } from '../../../src/model/app-schema.ts';
import type { LeafRoot } from '../../../src/model/leaves.ts';
import { generalise, hasSecretName, Labeller, toType, typeOf } from '../../../src/semantic/labels.ts';
import { opaqueKey } from '../../../src/semantic/opaque.ts';
import { HARMLESS, judgeName } from '../../../src/semantic/redact.ts';

const APP = 'shop-00000000';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N';
const mangled = (...names: string[]): LeafRoot[] => names.map((name) => ({ name, origin: 'x', mangled: true }));

function labeller(labels: Record<string, Partial<LabelEntry>> = {}, roots: LeafRoot[] = []) {
  const schema = emptySchema(APP, 'shop');
  for (const [shape, entry] of Object.entries(labels))
    schema.labels[shape] = { label: shape, type: 'string', confidence: 1, confirmed: true, ...entry };
  const made = new Labeller(APP, schema, roots);
  return (path: string) => {
    const { shape, labelling } = made.labelling(path);
    return { shape, labelling, key: made.keyFor(path, labelling, shape) };
  };
}

describe('keys', () => {
  it.each([
    'cart.total',
    'cart.items[3].name',
    'rates["odd key"].x',
    'm["[0]"].list[2]',
    'm["[*]"][4]',
    '[2].x',
    '__proto__.constructor',
    'toString',
  ])('%s stays as the app calls it', (path) => {
    const { key, labelling } = labeller()(path);
    expect(key).toBe(path);
    expect(labelling).toMatchObject({ confirmed: false, confidence: 0.97, secrecy: HARMLESS });
  });

  it('makes one decision for all elements of a list', () => {
    const label = labeller();
    expect(label('a[0].b[1]').labelling).toBe(label('a[7].b[9]').labelling);
    expect(label('a[0].b[1]').shape).toBe('a[*].b[*]');
  });

  it.each([
    ['e.user.name', 'user.name'],
    ['e.items[3].sub[4].name', 'items[3].sub[4].name'],
    ['e.items["[7]"].sub[4]', 'items["[7]"].sub[4]'],
    ['e.items["[*]"].sub[4]', 'items["[*]"].sub[4]'],
    ['e.items["[0]"].sub[4]', 'items["[0]"].sub[4]'],
  ])('drops a root that a minifier named: %s is %s', (path, key) => {
    const found = labeller({}, mangled('e'))(path);
    expect(found.key).toBe(key);
    expect(found.labelling.confidence).toBe(0.85);
  });

  it.each(['e', 'e.t', 'e[0]', 'e.t[3].n', 'e["a"]'])('keeps %s opaque when no name is left', (path) => {
    const found = labeller({}, mangled('e'))(path);
    expect(found.key).toBe(opaqueKey(APP, path));
    expect(found.labelling).toMatchObject({ label: null, confidence: 0.3 });
  });

  it('never makes a key of a secret, and marks it as not to be written down', () => {
    const path = `sessions[${JSON.stringify(JWT)}].user`;
    const found = labeller()(path);
    expect(found.key).toMatch(/^unknown_0x[0-9a-f]{8}$/);
    expect(found.labelling.secretName).toBe(true);
    expect(hasSecretName(path)).toBe(true);
    expect(hasSecretName('cart.items[0]["odd key"]')).toBe(false);
  });

  it.each([
    'tokens["9f8e7d6c5b4a39281706f5e4d3c2b1a0"].user',
    'apiKeys["9f8e7d6c"]',
    'store.sessions["Zk3jT8sQ-x"].cookie',
    'store.sessions.Zk3jT8sQa9Lm2Pq7.user',
    'session_store["k9-b8x7"][3].user',
    'list[3].tokens["k9-b8x7"]',
    'usersByToken["a-b"].name',
    'cache["user=bob&password=hunter2"]',
  ])('takes the name for a secret where it stands: %s', (path) => {
    const found = labeller({ [path]: { label: path } })(path);
    expect(hasSecretName(path)).toBe(true);
    expect(found.key).toBe(opaqueKey(APP, path));
    expect(found.labelling).toMatchObject({ secretName: true, label: null, confidence: 0.3 });
  });

  it.each([
    'tokens.count',
    'sessions.active.length',
    'sessions[0].user',
    'sessions.maximumNumberOfUsers',
    'tokens[0]["odd key"]',
    'session["odd key"]',
    'tokens["a-b"]',
    'secrets["db-main"]',
    'servlets.SessionExample["web.xml"].path',
    'users["9f8e7d6c5b4a39281706f5e4d3c2b1a0"].name',
  ])('keeps the name of a field: %s', (path) => {
    expect(labeller()(path).key).toBe(path);
  });

  it('does not remember without bound', () => {
    const label = labeller();
    const first = label('first').labelling;
    expect(label('first').labelling).toBe(first);
    for (let at = 0; at < 100_000; at++) label(`m.key${at}`);
    expect(label('first').labelling).not.toBe(first);
    expect(label('first').labelling).toEqual(first);
  });

  it('shows what is no path as opaque', () => {
    expect(labeller()('..').key).toMatch(/^unknown_0x/);
  });
});

describe('labels of a person', () => {
  it.each([
    ['x.q', { 'x.q': { label: 'cart.total' } }, 'cart.total'],
    ['x[3].q[4]', { 'x[*].q[*]': { label: 'cart.items[*].tags[*]' } }, 'cart.items[3].tags[4]'],
    ['x["[9]"].q[4]', { 'x["[9]"].q[*]': { label: 'tags[*]' } }, 'tags[4]'],
    ['x[4]', { 'x[*]': { label: 'm["[*]"][*]' } }, 'm["[*]"][4]'],
    ['x[0].q', { 'x[0].q': { label: 'first.q' }, 'x[*].q': { label: 'all[*].q' } }, 'first.q'],
    ['x[1].q', { 'x[0].q': { label: 'first.q' }, 'x[*].q': { label: 'all[*].q' } }, 'all[1].q'],
    ['total', { total: { label: 'totals[5]' } }, 'totals[5]'],
    ['__proto__', { ['__proto__']: { label: 'base' } }, 'base'],
    ['constructor', { constructor: { label: 'maker' } }, 'maker'],
  ])('%s with %j is %s', (path, labels, key) => {
    const found = labeller(labels)(path);
    expect(found.key).toBe(key);
    expect(found.labelling).toMatchObject({ confirmed: true, confidence: 1 });
  });

  it('keeps an opaque key that was written down', () => {
    const found = labeller({ 'e.t[*]': { label: opaqueKey(APP, 'e.t[0]'), confirmed: false, confidence: 0.3 } })(
      'e.t[3]',
    );
    expect(found.key).toBe(opaqueKey(APP, 'e.t[3]'));
  });

  it('do not make an opaque key sure', () => {
    const found = labeller({ 'e.t': { label: opaqueKey(APP, 'e.t'), confidence: 1, type: 'number' } })('e.t');
    expect(found.labelling).toMatchObject({ label: null, confidence: 0.3, confirmed: true, type: 'number' });
  });

  it('treats as secret what either name calls secret', () => {
    expect(labeller({ 'x.q': { label: 'user.pin' } })('x.q').labelling.secrecy).toBe(judgeName('user.pin'));
    expect(labeller({ 'user.pin': { label: 'x.q' } })('user.pin').labelling.secrecy).toBe(judgeName('user.pin'));
  });
});

describe('opaque keys', () => {
  it('are the same at every start, and differ by app and path', () => {
    expect(opaqueKey(APP, 'e.t')).toBe('unknown_0x9a4dc042');
    expect(opaqueKey(APP, 'e.u')).not.toBe(opaqueKey(APP, 'e.t'));
    expect(opaqueKey('other-00000000', 'e.t')).not.toBe(opaqueKey(APP, 'e.t'));
    const keys = new Set(Array.from({ length: 2000 }, (_, at) => opaqueKey(APP, `e.t[${at}]`)));
    expect(keys.size).toBe(2000);
    for (const key of keys) expect(key).toMatch(/^unknown_0x[0-9a-f]{8}$/);
  });
});

describe('generalise', () => {
  it.each([
    ['x[0].q', 'cart[0].total', 'x[*].q', 'cart[*].total'],
    ['x[2].y[3]', 'a[2].b[3]', 'x[*].y[*]', 'a[*].b[*]'],
    ['x[2].y[3]', 'a[3].b[2]', 'x[2].y[3]', 'a[3].b[2]'],
    ['x[2].q', 'total', 'x[2].q', 'total'],
    ['x.q', 'totals[0]', 'x.q', 'totals[0]'],
    ['x["[2]"].q', 'a[2]', 'x["[2]"].q', 'a[2]'],
  ])('%s as %s', (raw, label, shape, stored) => {
    expect(generalise(raw, label)).toEqual({ shape, label: stored });
  });
});

describe('toType', () => {
  it.each([
    ['12', 'number', 12],
    ['1e3', 'number', 1000],
    ['', 'number', ''],
    [' ', 'number', ' '],
    ['12px', 'number', '12px'],
    ['Infinity', 'number', 'Infinity'],
    [true, 'number', true],
    ['true', 'boolean', true],
    ['false', 'boolean', false],
    [1, 'boolean', true],
    [0, 'boolean', false],
    [2, 'boolean', 2],
    [12, 'string', '12'],
    [false, 'string', 'false'],
    [null, 'string', null],
    ['x', 'object', 'x'],
    ['12', null, '12'],
  ] as const)('%j as %s', (value, type, expected) => {
    expect(toType(value, type)).toBe(expected);
  });

  it('names types', () => {
    expect([null, 'x', 1, true].map(typeOf)).toEqual(['null', 'string', 'number', 'boolean']);
  });
});
