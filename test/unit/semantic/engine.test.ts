import { describe, expect, it } from 'vitest';
import { appSchema, emptySchema } from '../../../src/model/app-schema.ts';
import type { LeafRoot } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { opaqueKey } from '../../../src/semantic/opaque.ts';

const APP = 'shop-00000000';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N';
const root = (name: string, mangled = false): LeafRoot => ({ name, origin: `scope of ${name}`, mangled });

const newEngine = (known = emptySchema(APP, 'shop')) => new Engine(APP, 'shop', known);

function full(engine: Engine, state: Record<string, Scalar> | [string, Scalar][], roots: LeafRoot[] | null = null) {
  const entries = Array.isArray(state) ? state : Object.entries(state);
  return engine.apply({ kind: 'full', paths: entries.map(([path]) => path), values: entries.map(([, v]) => v) }, roots);
}

const stateOf = ({ table }: Engine) => new Map([...table.keys()].map((key) => [key, table.get(key)]));

describe('keys', () => {
  it('are the names of the app', () => {
    const engine = newEngine();
    full(engine, { 'cart.total': 3, 'cart.items[0].name': 'x', 'rates["odd key"]': 7 });
    expect(Object.fromEntries(stateOf(engine))).toEqual({
      'cart.total': 3,
      'cart.items[0].name': 'x',
      'rates["odd key"]': 7,
    });
    expect(engine.rawPathOf('cart.total')).toBe('cart.total');
    expect(engine.rawPathOf('nothing')).toBeNull();
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__.toString'])(
    '%s is just a key',
    (path) => {
      const engine = newEngine();
      expect(full(engine, [[path, 1]])).toEqual([{ key: path, before: undefined, after: 1 }]);
      expect(engine.apply({ kind: 'delta', changed: [[0, 2]], added: [], removed: [] }, null)).toEqual([
        { key: path, before: 1, after: 2 },
      ]);
      expect(Object.keys(engine.schema.labels)).toEqual([path]);
      expect(JSON.parse(JSON.stringify(engine.schema.labels))[path].label).toBe(path);
      expect(Object.prototype).not.toHaveProperty('label');
      const again = newEngine(JSON.parse(JSON.stringify(engine.schema)));
      full(again, [[path, 1]]);
      expect(stateOf(again)).toEqual(new Map([[path, 1]]));
      expect(again.schemaChanged).toBe(false);
    },
  );

  it('keep the root that a minifier named where another one has the name, also after a restart', () => {
    const defaults: [string, Scalar] = ['e.host', '::'];
    const given: [string, Scalar] = ['t.host', '127.0.0.1'];
    const roots = [root('e', true), root('t', true)];
    const first = newEngine();
    full(first, [defaults, given], roots);
    const expected = new Map<string, Scalar>([['host', '::'], ['t.host', '127.0.0.1']]); // biome-ignore format: short
    expect(stateOf(first)).toEqual(expected);
    expect(first.confidenceOf('t.host', '')).toBe(0.85);
    const second = newEngine(appSchema.parse(JSON.parse(JSON.stringify(first.schema))));
    full(second, [given, defaults], roots);
    expect(stateOf(second)).toEqual(new Map([given, ['host', '::']]));
    expect(second.schema.schema_version).toBe('1.0.0');
  });

  it('are opaque, and the same after a restart, where a minifier left no name', () => {
    const first = newEngine();
    full(first, { 'e.t': 1, 'e.user.name': 'x' }, [root('e', true)]);
    const expected = new Map<string, Scalar>([[opaqueKey(APP, 'e.t'), 1], ['user.name', 'x']]); // biome-ignore format: short
    expect(stateOf(first)).toEqual(expected);
    const second = newEngine(appSchema.parse(JSON.parse(JSON.stringify(first.schema))));
    full(second, { 'e.t': 1, 'e.user.name': 'x' }, [root('e', true)]);
    expect(stateOf(second)).toEqual(expected);
    expect(second.schema.schema_version).toBe('1.0.0');
  });

  it('are longer where another path has the name already, and stay so', () => {
    const engine = newEngine();
    full(engine, { 'e.user.name': 'a', 'n.user.name': 'b' }, [root('e', true), root('n', true)]);
    const other = 'n.user.name';
    expect(stateOf(engine)).toEqual(new Map([['user.name', 'a'], [other, 'b']])); // biome-ignore format: short
    // The one that got another key keeps it: keys are stable.
    engine.apply({ kind: 'delta', changed: [], added: [], removed: [0] }, null);
    expect(stateOf(engine)).toEqual(new Map([[other, 'b']]));
    engine.apply({ kind: 'delta', changed: [], added: [[2, 'e.user.name', 'c']], removed: [] }, null);
    expect(stateOf(engine).get('user.name')).toBe('c');
  });

  it('do without a second leaf of the very same path', () => {
    const engine = newEngine();
    const leaves: [string, Scalar][] = [['m.size', 1], ['m.size', 2], ['m.size', 3]]; // biome-ignore format: short
    full(engine, leaves);
    full(engine, leaves);
    engine.relabelSoon();
    engine.apply({ kind: 'delta', changed: [[1, 8], [2, 9]], added: [[3, 'm.size', 4]], removed: [] }, null); // biome-ignore format: short
    engine.apply({ kind: 'delta', changed: [], added: [], removed: [1, 2, 3] }, null);
    expect(stateOf(engine)).toEqual(new Map([['m.size', 1]]));
    expect(engine.schema.labels['m.size']?.label).toBe('m.size');
    expect(engine.schema.schema_version).toBe('1.0.0');
    const again = newEngine(appSchema.parse(JSON.parse(JSON.stringify(engine.schema))));
    full(again, leaves);
    expect(stateOf(again)).toEqual(new Map([['m.size', 1]]));
    expect(again.schema.schema_version).toBe('1.0.0');
  });

  it('follow the roots when these turn out to be mangled', () => {
    const engine = newEngine();
    full(engine, { 'e.user.name': 'a' }, [root('e')]);
    expect(engine.originOf('e.user.name')).toBe('scope of e');
    expect(engine.apply({ kind: 'same' }, [root('e')])).toEqual([]);
    // Stored names stay: a key does not change for its readers.
    expect(engine.apply({ kind: 'same' }, [root('e', true)])).toEqual([]);
    expect(engine.originOf('nothing')).toBeNull();
  });

  it('know their origin, whatever the root is called', () => {
    const engine = newEngine();
    full(engine, { '["odd key"].a': 1, 'list[0]': 2, listing: 3, plain: 4 }, [
      root('odd key'),
      root('list'),
      root('plain'),
    ]);
    expect(engine.originOf('["odd key"].a')).toBe('scope of odd key');
    expect(engine.originOf('list[0]')).toBe('scope of list');
    expect(engine.originOf('listing')).toBeNull();
    expect(engine.originOf('plain')).toBe('scope of plain');
  });
});

function confirm(engine: Engine, shape: string, label: string, type: 'string' | 'number' = 'string'): void {
  engine.schema.labels[shape] = { label, type, confidence: 1, confirmed: true };
  engine.relabelSoon();
}

describe('confirmed labels', () => {
  it('take effect at the next capture', () => {
    const engine = newEngine();
    full(engine, { 'x.q': '12', 'y.z': 1 });
    confirm(engine, 'x.q', 'cart.total', 'number');
    expect(engine.apply({ kind: 'same' }, null)).toEqual([
      { key: 'cart.total', before: undefined, after: 12 },
      { key: 'x.q', before: '12', after: undefined },
    ]);
    expect(stateOf(engine)).toEqual(new Map([['cart.total', 12], ['y.z', 1]])); // biome-ignore format: short
    expect(engine.rawPathOf('cart.total')).toBe('x.q');
    engine.apply({ kind: 'delta', changed: [[0, '13']], added: [], removed: [] }, null);
    expect(engine.table.get('cart.total')).toBe(13);
  });

  it.each([
    ['before', { 'x.q': 'mine', 'cart.total': 'guess' }],
    ['after', { 'cart.total': 'guess', 'x.q': 'mine' }],
  ])('win over a name that was only guessed, found %s', (_, state) => {
    const engine = newEngine();
    full(engine, state);
    confirm(engine, 'x.q', 'cart.total');
    engine.apply({ kind: 'same' }, null);
    expect(stateOf(engine)).toEqual(new Map([['cart.total', 'mine'], [opaqueKey(APP, 'cart.total'), 'guess']])); // biome-ignore format: short
    // Unnamed values are not shown, and do not lower the confidence.
    expect(engine.salience.found().names).toBeCloseTo(1, 6);
  });

  it('displace one that comes later too', () => {
    const engine = newEngine();
    full(engine, { 'cart.total': 'guess' });
    confirm(engine, 'x.q', 'cart.total');
    expect(engine.apply({ kind: 'delta', changed: [], added: [[1, 'x.q', 'mine']], removed: [] }, null)).toEqual([
      { key: opaqueKey(APP, 'cart.total'), before: undefined, after: 'guess' },
      { key: 'cart.total', before: 'guess', after: 'mine' },
    ]);
  });

  it('do not displace each other', () => {
    const engine = newEngine();
    full(engine, { a: 1, b: 2 });
    confirm(engine, 'a', 'x', 'number');
    confirm(engine, 'b', 'x', 'number');
    engine.apply({ kind: 'same' }, null);
    expect(stateOf(engine)).toEqual(new Map([['x', 1], [opaqueKey(APP, 'b'), 2]])); // biome-ignore format: short
  });

  it('displace a key whose opaque name is taken as well', () => {
    const engine = newEngine();
    full(engine, [['m.size', 1], ['m.size', 2], ['x', 3]]); // biome-ignore format: short
    confirm(engine, 'x', 'm.size', 'number');
    engine.apply({ kind: 'same' }, null);
    expect(engine.table.get('m.size')).toBe(3);
    expect(new Set([...engine.table.keys()].map((key) => engine.table.slotOf(key))).size).toBe(engine.table.size);
  });

  it('speak for all elements where they are patterns', () => {
    const engine = newEngine();
    full(engine, { 'x[0].q': 1, 'x[1].q': 2 });
    confirm(engine, 'x[*].q', 'items[*].price');
    engine.apply({ kind: 'delta', changed: [], added: [[2, 'x[2].q', 3]], removed: [] }, null);
    expect([...engine.table.keys()].sort()).toEqual(['items[0].price', 'items[1].price', 'items[2].price']);
  });
});

describe('secrets', () => {
  it('are gone before anything is stored', () => {
    const engine = newEngine();
    const secrets = { 'user.password': 'hunter2', note: JWT, 'user.pin': 1234, [`sessions["${JWT}"].user`]: 'ann' };
    const changes = full(engine, secrets);
    engine.apply({ kind: 'delta', changed: [[0, 'hunter3'], [2, 4321]], added: [[4, 'apiKey', 'abc']], removed: [] }, null); // biome-ignore format: short
    engine.relabelSoon();
    engine.apply({ kind: 'same' }, null);
    const everything = JSON.stringify([changes, [...stateOf(engine)], engine.schema, engine]);
    for (const secret of ['hunter', '1234', '4321', 'abc', JWT.slice(0, 30)]) {
      // Only the raw path of a leaf, which stays in memory, may contain the name.
      const text = secret.startsWith('eyJ')
        ? JSON.stringify([changes, [...stateOf(engine)], engine.schema])
        : everything;
      expect(text).not.toContain(secret);
    }
    expect(stateOf(engine).get('user.password')).toBe('[redacted]');
    expect(stateOf(engine).get('user.pin')).toBe('[redacted]');
  });

  it('are not written down where they are the names of keys', () => {
    const engine = newEngine();
    full(engine, { 'tokens["9f8e7d6c5b4a3928"].user': 'ann', 'store.sessions.Zk3jT8sQa9Lm2Pq7.user': 'bob', a: 1 });
    expect([...engine.table.keys()].filter((key) => key.startsWith('unknown_0x'))).toHaveLength(2);
    expect(Object.keys(engine.schema.labels)).toEqual(['a']);
    expect(JSON.stringify([...stateOf(engine)])).not.toMatch(/9f8e|Zk3j/);
  });

  it('are shown below the keys that somebody wants to see', () => {
    const isAllowed = (key: string) => key.startsWith('design.') || key === 'note';
    const engine = new Engine(APP, 'shop', emptySchema(APP, 'shop'), isAllowed);
    full(engine, { 'design.password': 'a', note: JWT, 'user.password': 'b' });
    const shown = new Map<string, Scalar>([['design.password', 'a'], ['note', JWT], ['user.password', '[redacted]']]); // biome-ignore format: short
    expect(stateOf(engine)).toEqual(shown);
    engine.apply({ kind: 'delta', changed: [[0, 'c'], [2, 'd']], added: [[3, 'design.token', 'e']], removed: [] }, null); // biome-ignore format: short
    expect(stateOf(engine)).toEqual(new Map([...shown, ['design.password', 'c'], ['design.token', 'e']]));
    expect(JSON.stringify(engine.schema)).not.toContain(JWT.slice(0, 20));
  });

  it('are not shown under the name that another has, though that may be seen', () => {
    const roots = [{ name: 'm', origin: '', mangled: true }, { name: 'n', origin: '', mangled: true }]; // biome-ignore format: short
    const engine = new Engine(APP, 'shop', emptySchema(APP, 'shop'), (key) => key === 'user.password');
    engine.apply({ kind: 'full', paths: ['m.user.password', 'n.user.password'], values: ['a', 'b'] }, roots);
    expect(stateOf(engine)).toEqual(new Map([['user.password', 'a'], ['n.user.password', '[redacted]']])); // biome-ignore format: short
  });

  it('stay so when a person calls a thing a secret', () => {
    const engine = newEngine();
    full(engine, { 'x.q': 1234, 'x.r': 'abc' });
    for (const [shape, label] of [['x.q', 'user.pin'], ['x.r', 'user.token']] as const) // biome-ignore format: short
      engine.schema.labels[shape] = { label, type: 'string', confidence: 1, confirmed: true };
    engine.relabelSoon();
    engine.apply({ kind: 'same' }, null);
    expect(stateOf(engine)).toEqual(new Map([['user.pin', '[redacted]'], ['user.token', '[redacted]']])); // biome-ignore format: short
  });

  it('leave the type of what they hide', () => {
    const engine = newEngine();
    full(engine, { 'user.pin': 1234 });
    expect(engine.schema.labels['user.pin']?.type).toBe('number');
  });
});

describe('the schema', () => {
  it('holds names and types, never values', () => {
    const engine = newEngine();
    full(engine, { 'cart.items[0].name': 'zebra', 'cart.items[1].name': 'yak', total: 77.5, on: true, none: null });
    expect(engine.schemaChanged).toBe(true);
    expect(JSON.stringify(engine.schema)).not.toMatch(/zebra|yak|77/);
    expect({ ...engine.schema.labels }).toEqual({
      'cart.items[*].name': { label: 'cart.items[*].name', type: 'string', confidence: 0.97, confirmed: false },
      total: { label: 'total', type: 'number', confidence: 0.97, confirmed: false },
      on: { label: 'on', type: 'boolean', confidence: 0.97, confirmed: false },
      none: { label: 'none', type: 'null', confidence: 0.97, confirmed: false },
    });
    expect(appSchema.safeParse(engine.schema).success).toBe(true);
  });

  it('does not grow with the elements of a list or without bound', () => {
    const engine = newEngine();
    full(
      engine,
      Array.from({ length: 7000 }, (_, at): [string, Scalar] => [`m${at % 50}.key${at}[${at}]`, at]),
    );
    expect(engine.table.size).toBe(7000);
    expect(Object.keys(engine.schema.labels).length).toBe(5000);
    engine.schemaChanged = false;
    engine.apply({ kind: 'delta', changed: [], added: [[7000, 'm0.key0[9999]', 1]], removed: [] }, null);
    expect(engine.schemaChanged).toBe(false);
    expect(engine.schema.schema_version).toBe('1.0.0');
  });

  it.each([
    ['quoted names', (at: number) => `m["user ${at}"].name`],
    ['identifiers', (at: number) => `m.user${at}.name`],
    ['names below a list', (at: number) => `list[${at}].byId["user ${at}"].name`],
  ])('keeps room for others beside a map with many keys: %s', (_, pathAt) => {
    const leaves = Array.from({ length: 6000 }, (_, at): [string, Scalar] => [pathAt(at), at]);
    const engine = newEngine();
    full(engine, [...leaves, ['cart.total', 1], ['m.size', 2]]);
    expect(engine.table.size).toBe(6002);
    expect(Object.keys(engine.schema.labels).length).toBeLessThanOrEqual(202);
    expect(engine.schema.labels['cart.total']).toBeDefined();
    // The stored schema counts at the next start.
    const again = newEngine(appSchema.parse(JSON.parse(JSON.stringify(engine.schema))));
    full(again, [...leaves.reverse(), ['cart.sum', 1]]);
    expect(Object.keys(again.schema.labels).length).toBeLessThanOrEqual(203);
    expect(again.schema.labels['cart.sum']).toBeDefined();
  });
});

describe('confidence', () => {
  it('of a key that lost its name is low at the next start too', () => {
    const leaves: [string, Scalar][] = [['e.user.name', 'a'], ['n.user.name', 'b']]; // biome-ignore format: short
    const roots = [root('e', true), root('n', true)];
    const first = newEngine();
    full(first, leaves, roots);
    const second = newEngine(appSchema.parse(JSON.parse(JSON.stringify(first.schema))));
    full(second, leaves, roots);
    expect(second.confidence()).toBe(first.confidence());
  });

  it('is low for nothing, and higher for names', () => {
    const engine = newEngine();
    expect(engine.confidence()).toBe(0.15);
    full(engine, { a: 1, b: 2 });
    expect(engine.salience.found().names).toBeCloseTo(0.97, 6);
    expect(engine.confidence()).toBe(0.89);
    full(engine, { e: 1, 'n.long.name': 2 }, [root('e', true), root('n', true)]);
    full(engine, {});
    expect(engine.confidence()).toBe(0.15);
  });
});

describe('what is done in steps', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at): [string, number] => [`list.row${at}`, at]);

  it('can be dropped half way: names that were to change still do', () => {
    const engine = newEngine();
    full(engine, rows(100));
    confirm(engine, 'list.row7', 'lucky', 'number');
    engine.prepare({ kind: 'same' }, null).next();
    expect(engine.table.has('lucky')).toBe(false);
    engine.apply({ kind: 'same' }, null);
    expect(engine.table.get('lucky')).toBe(7);
  });

  it('does not lose what is confirmed meanwhile', () => {
    const engine = newEngine();
    full(engine, rows(100));
    engine.relabelSoon();
    const steps = engine.prepare({ kind: 'same' }, null);
    steps.next();
    confirm(engine, 'list.row99', 'last', 'number');
    for (let step = steps.next(); ; step = steps.next()) {
      if (!step.done) continue;
      step.value();
      break;
    }
    engine.apply({ kind: 'same' }, null);
    expect(engine.table.get('last')).toBe(99);
  });

  it('takes a delta that brings most of the state like any other', () => {
    const engine = newEngine();
    full(engine, [['a', 1], ['b', 2], ['c', 3]]); // biome-ignore format: short
    const added = rows(1500).map(([path, value], at) => [at + 3, path, value] as const);
    const changes = engine.apply({ kind: 'delta', removed: [0], added, changed: [[1, null], [4, 'x']] }, null); // biome-ignore format: short
    expect([engine.table.has('a'), engine.table.get('b'), engine.table.get('list.row1')]).toEqual([false, null, 'x']);
    expect([engine.table.size, engine.table.slotOf('list.row1499')]).toEqual([1502, 1502]);
    expect(changes).toHaveLength(1502);
  });
});

it('is less sure of names that were chosen by what stands beside them', () => {
  const engine = new Engine('shop-00000000', 'shop', null);
  const values = { 'c.invoice.lines[0].text': 'Hotel', 'c.invoice.total': 3, 'c.cart.open': true, 'e[0].name': 'Ada' };
  const roots = [
    { name: 'c', origin: 'component state', mangled: false, label: 'components', guessed: ['invoice.lines', 'cart'] },
    { name: 'e', origin: 'closure of the click handler', mangled: false, label: 'guests', guessed: [''] },
  ];
  const apply = () => engine.apply({ kind: 'full', paths: Object.keys(values), values: Object.values(values) }, roots);
  apply();
  const sure = (key: string) => engine.confidenceOf(key, '');
  expect(sure('components.invoice.total')).toBe(0.97);
  for (const key of ['components.invoice.lines[0].text', 'components.cart.open', 'guests[0].name'])
    expect([key, sure(key)]).toEqual([key, 0.85]);
});
