import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppSchema, appSchema, emptySchema } from '../../../src/model/app-schema.ts';
import type { LeafRoot } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { learnRequest } from '../../../src/model/wire.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { learn } from '../../../src/semantic/learn.ts';
import { RootPrints, similarity } from '../../../src/semantic/root-prints.ts';
import { exportSchema, importSchema } from '../../../src/semantic/share-schema.ts';

const APP = 'shop-00000000';

const cart = { total: 12, currency: 'EUR', q: 3, 'items.length': 1, 'items[0].name': 'Tea', 'items[0].price': 4 };
const user = { name: 'Ada', mail: 'ada@x.example', q: 1, 'address.street': 'Main', 'address.city': 'Ulm' };

const below = (root: string, fields: Record<string, Scalar>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${root}.${name}`, value]));
const root = (name: string, family = 'main module'): LeafRoot => ({ name, origin: 'Closure', mangled: true, family });

function full(engine: Engine, state: Record<string, Scalar>, roots: LeafRoot[]) {
  engine.apply({ kind: 'full', paths: Object.keys(state), values: Object.values(state) }, roots);
}

function start(state: Record<string, Scalar>, roots: LeafRoot[], known: AppSchema = emptySchema(APP, 'shop')) {
  const engine = new Engine(APP, 'shop', known);
  full(engine, state, roots);
  return engine;
}

/** The schema as read from its file. */
const stored = ({ schema }: Engine) => appSchema.parse(JSON.parse(JSON.stringify(schema)));

function correct(engine: Engine, rawPath: string, correct_label: string, by = 'key-1') {
  const observed_key = [...engine.table.keys()].find((key) => engine.rawPathOf(key) === rawPath);
  const request = learnRequest.parse({
    capture_id: 'c',
    schema_version: engine.schema.schema_version,
    corrections: [{ observed_key, correct_label, correct_type: 'number' }],
  });
  expect(learn(engine, { raw: [], named: new Map() }, request, by)).toMatchObject({ accepted: 1 });
  engine.apply({ kind: 'same' }, null);
}

function settled(prints: RootPrints) {
  const steps = prints.settle();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The first build, in which a person has named `q`. */
function corrected(state: Record<string, Scalar> = below('e', cart), roots = [root('e')]) {
  const engine = start(state, roots);
  correct(engine, 'e.q', 'cart.quantity');
  return engine;
}

describe('a correction below a root that has another name in each build', () => {
  it('is there when the root is called otherwise', () => {
    const built = start({ ...below('t', user), ...below('n', cart) }, [root('t'), root('n')], stored(corrected()));
    expect(built.rawPathOf('cart.quantity')).toBe('n.q');
    expect(built.schemaChanged).toBe(true);
    expect(built.schema.schema_version).toBe('1.0.2');
    expect(stored(built).labels['e.q']).toBeUndefined();
    // And once more.
    const again = start(below('Zz', cart), [root('Zz')], stored(built));
    expect(again.rawPathOf('cart.quantity')).toBe('Zz.q');
  });

  it('is there when names were given to others', () => {
    const first = corrected({ ...below('e', cart), ...below('t', user) }, [root('e'), root('t')]);
    correct(first, 't.q', 'user.visits');
    const built = start({ ...below('e', user), ...below('t', cart) }, [root('e'), root('t')], stored(first));
    expect(built.rawPathOf('cart.quantity')).toBe('t.q');
    expect(built.rawPathOf('user.visits')).toBe('e.q');
  });

  it('speaks of every element, or of one', () => {
    const first = corrected();
    correct(first, 'e.items[0].price', 'items[0].cents');
    correct(first, 'e.items.length', 'articles');
    const built = start(
      { ...below('n', cart), 'n.items[1].name': 'Jam', 'n.items[1].price': 5 },
      [root('n')],
      stored(first),
    );
    expect(built.rawPathOf('items[1].cents')).toBe('n.items[1].price');
    expect(built.rawPathOf('articles')).toBe('n.items.length');
  });

  it('waits until enough of the root is there', () => {
    const engine = start({ 'n.q': 3 }, [root('n')], stored(corrected()));
    expect(engine.table.has('cart.quantity')).toBe(false);
    const late = Object.entries(below('n', cart)).filter(([path]) => path !== 'n.q');
    const added = late.map(([path, value], at) => [at + 1, path, value] as const);
    engine.apply({ kind: 'delta', changed: [], added, removed: [] }, null);
    expect(engine.rawPathOf('cart.quantity')).toBe('n.q');
  });

  it('stays where it is while its root is there, and where nothing else is clearly the same', () => {
    const schema = stored(corrected());
    const stays = (state: Record<string, Scalar>, roots: LeafRoot[]) => {
      const engine = start(state, roots, structuredClone(schema));
      expect(engine.schema.labels['e.q']).toEqual(schema.labels['e.q']);
      expect(engine.schema.schema_version).toBe(schema.schema_version);
    };
    stays({ ...below('e', cart), ...below('n', cart) }, [root('e'), root('n')]);
    // Two that match.
    stays({ ...below('t', cart), ...below('n', cart) }, [root('t'), root('n')]);
    // None matches.
    stays(below('n', user), [root('n')]);
    // One from elsewhere, or with a name of its own.
    stays(below('n', cart), [root('n', 'shop.example__global')]);
    stays(below('basket', cart), [{ name: 'basket', origin: 'Closure', mangled: false }]);
    stays({}, []);
  });

  it('is not for a root of which a person has said something', () => {
    const other = start(below('n', cart), [root('n')]);
    correct(other, 'n.q', 'basket.pieces');
    const schema = stored(corrected());
    Object.assign(schema.labels, other.schema.labels);
    const engine = start(below('n', cart), [root('n')], schema);
    expect(engine.rawPathOf('basket.pieces')).toBe('n.q');
    expect(engine.schema.labels['e.q']?.label).toBe('cart.quantity');
  });

  it('has no print where another root looks the same, or where no name tells anything', () => {
    const twins = corrected({ ...below('e', cart), ...below('t', cart) }, [root('e'), root('t')]);
    expect(twins.schema.roots).toBeUndefined();
    const bare = corrected({ 'e.q': 1, 'e.t': 2 });
    expect(bare.schema.roots).toBeUndefined();
    const one = corrected({ 'e.q': 1, 'e["odd name"]': 2 });
    expect(one.schema.roots).toBeUndefined();
  });

  it('may be of a file of before prints, and of one that others made', () => {
    const old = stored(corrected());
    delete old.roots;
    const running = start(below('e', cart), [root('e')], old);
    expect(start(below('n', cart), [root('n')], stored(running)).rawPathOf('cart.quantity')).toBe('n.q');

    const document = exportSchema(corrected().schema, false);
    expect(document).not.toHaveProperty('roots');
    const schema = emptySchema(APP, 'shop');
    expect(importSchema(schema, document, { force: false }).counts.added).toBe(1);
    const imported = start(below('e', cart), [root('e')], schema);
    const built = start(below('n', cart), [root('n')], stored(imported));
    expect(built.rawPathOf('cart.quantity')).toBe('n.q');
    expect(built.schema.labels['n.q']).toMatchObject({ imported: true, moved: { from: 'e.q' } });
    expect(importSchema(built.schema, exportSchema(built.schema, false), { force: false }).counts.unchanged).toBe(1);
  });

  it('is a little less sure, and opens no gate, for anybody', () => {
    const first = corrected();
    expect(first.confidenceOf('cart.quantity', 'key-2')).toBe(1);
    const built = start(below('n', cart), [root('n')], stored(first));
    expect(built.schema.labels['n.q']).toEqual({
      label: 'cart.quantity',
      type: 'number',
      confidence: 0.9,
      confirmed: true,
      by: 'key-1',
      moved: { from: 'e.q', confidence: 1 },
    });
    expect(built.confidenceOf('cart.quantity', 'key-1')).toBe(0.3);
    expect(built.confidenceOf('cart.quantity', 'key-2')).toBe(0.3);
    // Somebody checked it again.
    correct(built, 'n.q', 'cart.quantity', 'key-1');
    expect(built.schema.labels['n.q']).not.toHaveProperty('moved');
    expect(built.confidenceOf('cart.quantity', 'key-2')).toBe(1);
  });

  it('is as sure as it was when the earlier build runs again', () => {
    const first = corrected();
    const second = start(below('n', cart), [root('n')], stored(first));
    const third = start(below('t', cart), [root('t')], stored(second));
    expect(third.schema.labels['t.q']).toMatchObject({ confidence: 0.9, moved: { from: 'e.q', confidence: 1 } });
    const back = start(below('e', cart), [root('e')], stored(third));
    expect(back.schema.labels['e.q']).toEqual(first.schema.labels['e.q']);
    expect(back.schema.roots).toEqual(first.schema.roots);
  });

  it('keeps no name below the root, least of all a secret', () => {
    const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
    const engine = corrected({ ...below('e', cart), [`e.${secret}`]: 1, [`e.tokens.${secret}`]: 2 });
    const same = corrected({ ...below('e', cart), 'e.tokens.length': 2 });
    expect(JSON.stringify(engine.schema)).not.toContain(secret);
    expect(engine.schema.roots?.e?.names).toHaveLength((same.schema.roots?.e?.names.length ?? 0) - 1);
    expect(JSON.stringify(engine.schema.roots)).not.toContain('currency');
  });

  it('is decided once', () => {
    const prints = new RootPrints(stored(corrected()), [root('n')]);
    expect(prints.isWanted).toBe(true);
    for (const path of Object.keys(below('n', cart))) prints.note(path);
    expect(settled(prints)).toEqual({ isMoved: true, isNoted: true });
    expect(prints.isWanted).toBe(false);
    prints.note('n.coupon');
    expect(settled(prints)).toEqual({ isMoved: false, isNoted: false });
    // Another correction of a person, between two steps.
    const schema = stored(corrected());
    const late = new RootPrints(schema, [root('n')]);
    for (const path of Object.keys(below('n', cart))) late.note(path);
    const steps = late.settle();
    steps.next();
    schema.schema_version = '1.0.9';
    while (!steps.next().done);
    expect(schema.labels['e.q']?.label).toBe('cart.quantity');
    expect(settled(late)).toMatchObject({ isMoved: true });
    // There is no correction, or none about existing keys.
    expect(new RootPrints(emptySchema(APP, 'shop'), [root('n')]).isWanted).toBe(false);
    expect(new RootPrints(stored(corrected()), []).isWanted).toBe(false);
  });
});

describe('how much two roots are alike', () => {
  const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom(...'abcdef'), minLength: 1, maxLength: 3 }), {
    maxLength: 30,
  });

  it('is what they share of all that they have', () => {
    fc.assert(
      fc.property(names, names, (one, other) => {
        const all = new Set([...one, ...other]);
        const both = one.filter((name) => other.includes(name)).length;
        expect(similarity([...one].sort(), [...other].sort())).toBe(all.size === 0 ? 0 : both / all.size);
      }),
    );
  });
});
