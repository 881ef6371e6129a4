import { describe, expect, it } from 'vitest';
import { type AppSchema, emptySchema } from '../../../src/model/app-schema.ts';
import { type SchemaDocument, schemaDocument } from '../../../src/model/schema-document.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { exportSchema, importSchema } from '../../../src/semantic/share-schema.ts';

const APP = 'shop-1a2b3c4d';
type Label = SchemaDocument['labels'][number];

function schemaWith(labels: Record<string, Partial<AppSchema['labels'][string]> & { label: string }>): AppSchema {
  const schema = emptySchema(APP, 'shop');
  for (const [path, entry] of Object.entries(labels))
    schema.labels[path] = { type: 'string', confidence: 0.97, confirmed: false, ...entry };
  return schema;
}

function documentWith(labels: (Partial<Label> & { path: string; label: string })[]): SchemaDocument {
  return {
    format: 'substrate-schema/1',
    app_id: APP,
    app_name: 'shop',
    labels: labels.map((label) => ({ type: 'string', confidence: 1, confirmed: true, ...label })),
    actions: [],
  };
}

const outcomes = (schema: AppSchema, document: SchemaDocument, force = false) =>
  importSchema(schema, document, { force }).entries.map(({ outcome, path }) => `${outcome} ${path}`);

describe('export', () => {
  const schema = schemaWith({
    'b.x': { label: 'b.x' },
    'a[*].y': { label: 'list[*].name', confirmed: true, notes: 'by hand' },
    'c.z': { label: 'unknown_0x12ab34cd' },
  });
  schema.actions['cart.add'] = { name: 'cart.put', returns: 'number', confidence: 1 };
  schema.hints.deep = true;

  it('holds what people confirmed, in order, and nothing of a driver', () => {
    const document = exportSchema(schema, false);
    expect(document.labels).toEqual([
      { path: 'a[*].y', label: 'list[*].name', type: 'string', confidence: 0.97, confirmed: true, notes: 'by hand' },
    ]);
    expect(document.actions).toEqual([{ action: 'cart.add', name: 'cart.put', returns: 'number', confidence: 1 }]);
    expect(JSON.stringify(document)).not.toContain('deep');
    expect(schemaDocument.parse(document)).toEqual(document);
  });

  it('has also what was inferred when all is wanted, but no lost names', () => {
    expect(exportSchema(schema, true).labels.map(({ path }) => path)).toEqual(['a[*].y', 'b.x']);
  });

  it('comes back as it went', () => {
    const other = emptySchema(APP, 'shop');
    importSchema(other, exportSchema(schema, true), { force: false });
    expect(exportSchema(other, true)).toEqual(exportSchema(schema, true));
    expect(importSchema(other, exportSchema(schema, true), { force: false }).counts).toMatchObject({
      unchanged: 3,
      added: 0,
    });
  });
});

describe('import', () => {
  it('takes what is confirmed over what was inferred, and raises the version', () => {
    const schema = schemaWith({ 'a.b': { label: 'a.b' } });
    expect(
      outcomes(
        schema,
        documentWith([
          { path: 'a.b', label: 'x.y' },
          { path: 'c', label: 'd' },
        ]),
      ),
    ).toEqual(['changed a.b', 'added c']);
    expect(schema.labels['a.b']).toMatchObject({ label: 'x.y', confirmed: true });
    expect(schema.schema_version).toBe('1.0.2');
  });

  it('leaves guesses alone when it has nothing but guesses', () => {
    const schema = schemaWith({ 'a.b': { label: 'a.b' } });
    const guess = documentWith([{ path: 'a.b', label: 'x.y', confirmed: false }]);
    expect(importSchema(schema, guess, { force: true }).counts.unchanged).toBe(1);
    expect(schema.labels['a.b']?.label).toBe('a.b');
  });

  it('keeps what is confirmed here unless it is forced', () => {
    const schema = schemaWith({ 'a.b': { label: 'mine', confirmed: true } });
    const document = documentWith([{ path: 'a.b', label: 'theirs' }]);
    expect(outcomes(schema, document)).toEqual(['conflict a.b']);
    expect(schema.labels['a.b']?.label).toBe('mine');
    expect(outcomes(schema, document, true)).toEqual(['changed a.b']);
    expect(schema.labels['a.b']?.label).toBe('theirs');
  });

  it('gives no name to two', () => {
    const schema = schemaWith({ 'a.b': { label: 'list[*].x', confirmed: true } });
    const document = documentWith([{ path: 'c', label: 'list[0].x' }]);
    expect(outcomes(schema, document)).toEqual(['conflict c']);
    expect(outcomes(schema, document, true)).toEqual(['added c']);
    expect(schema.labels).not.toHaveProperty(['a.b']);
    const twice = documentWith([
      { path: 'e', label: 'same' },
      { path: 'f', label: 'same' },
    ]);
    expect(outcomes(schema, twice)).toEqual(['added e', 'conflict f']);
  });

  it('refuses what a correction could not say either', () => {
    const schema = emptySchema(APP, 'shop');
    const bad = [
      { path: '__proto__.x', label: 'a' },
      { path: 'a', label: '__proto__' },
      { path: 'a', label: 'x["__proto__"].y' },
      { path: 'no path at all', label: 'a' },
      { path: 'a', label: 'not. a path' },
      { path: 'a', label: 'b[*]' },
      { path: 'sessions["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijklmnop"].x', label: 'a' },
      { path: 'a', label: 'unknown_0x12ab34cd', confirmed: false },
    ];
    expect(importSchema(schema, documentWith(bad), { force: true }).counts).toMatchObject({
      rejected: bad.length,
      added: 0,
    });
    expect(Object.keys(schema.labels)).toEqual([]);
    const actions = [{ action: '__proto__', name: 'x', returns: 'object' as const, confidence: 1 }];
    expect(importSchema(schema, { ...documentWith([]), actions }, { force: true }).counts.rejected).toBe(1);
    expect(({} as Record<string, unknown>).label).toBeUndefined();
  });

  it('treats actions alike', () => {
    const schema = emptySchema(APP, 'shop');
    schema.actions['cart.add'] = { name: 'cart.put', returns: 'number', confidence: 1 };
    const entry = { action: 'cart.add', name: 'cart.insert', returns: 'number' as const, confidence: 1 };
    const document = { ...documentWith([]), actions: [entry] };
    expect(outcomes(schema, document)).toEqual(['conflict cart.add']);
    expect(outcomes(schema, document, true)).toEqual(['changed cart.add']);
    // Nobody here has looked at it.
    expect(schema.actions['cart.add']).toMatchObject({ name: 'cart.insert', imported: true });
    expect(outcomes(schema, { ...document, actions: [{ ...entry, action: 'cart.drop' }] })).toEqual([
      'conflict cart.drop',
    ]);
  });

  it('is quick with as much as a file can hold', () => {
    const labels = Array.from({ length: 10_000 }, (_, at) => ({ path: `list[*].f${at}`, label: `rows[*].g${at}` }));
    const schema = emptySchema(APP, 'shop');
    expect(importSchema(schema, documentWith(labels), { force: false }).counts.added).toBe(10_000);
    expect(importSchema(schema, documentWith(labels), { force: false }).counts.unchanged).toBe(10_000);
  });

  it('is quick with elements of one list, each with a name of its own', () => {
    const labels = Array.from({ length: 10_000 }, (_, at) => ({ path: `a${at}`, label: `rows[${at}]` }));
    const schema = emptySchema(APP, 'shop');
    const began = process.cpuUsage();
    expect(importSchema(schema, documentWith(labels), { force: false }).counts.added).toBe(10_000);
    const plain = Array.from({ length: 10_000 }, (_, at) => ({ path: `a${at}`, label: `row${at}` }));
    const used = process.cpuUsage(began).user;
    const again = process.cpuUsage();
    importSchema(emptySchema(APP, 'shop'), documentWith(plain), { force: false });
    // As fast as unrelated names, apart from other load of the machine.
    expect(used).toBeLessThan(10 * process.cpuUsage(again).user + 100_000);
  });

  it('does not grow without end', () => {
    const many = (prefix: string) =>
      documentWith(Array.from({ length: 10_000 }, (_, at) => ({ path: `${prefix}${at}`, label: `${prefix}.x${at}` })));
    const schema = emptySchema(APP, 'shop');
    importSchema(schema, many('a'), { force: false });
    expect(importSchema(schema, many('b'), { force: true }).counts).toMatchObject({ rejected: 10_000, added: 0 });
    expect(schemaDocument.safeParse(exportSchema(schema, true)).success).toBe(true);
    const actions = Array.from({ length: 10_001 }, (_, at) => {
      return { action: `do${at}`, name: `make${at}`, returns: 'object' as const, confidence: 1 };
    });
    expect(importSchema(schema, { ...documentWith([]), actions }, { force: true }).counts.rejected).toBe(1);
  });

  it('leaves one owner of a name, however many it had', () => {
    const schema = schemaWith({
      a: { label: 'list[0]', confirmed: true },
      b: { label: 'list[1]', confirmed: true },
    });
    expect(outcomes(schema, documentWith([{ path: 'rows[*]', label: 'list[*]' }]), true)).toEqual(['added rows[*]']);
    expect(Object.keys(schema.labels)).toEqual(['rows[*]']);
  });

  it('takes no name by a guess that something here has', () => {
    const schema = schemaWith({ 'cart.total': { label: 'cart.total' } });
    expect(outcomes(schema, documentWith([{ path: 'bait', label: 'cart.total', confirmed: false }]), true)).toEqual([
      'rejected bait',
    ]);
  });

  it('gives no action the name of another one of the app', () => {
    const rename = { action: 'account.close', name: 'cart.clear', returns: 'object' as const, confidence: 1 };
    const document = { ...documentWith([]), actions: [rename] };
    const actionNames = new Set(['account.close', 'cart.clear']);
    const counts = (given: SchemaDocument, force: boolean) =>
      importSchema(emptySchema(APP, 'shop'), given, { force, actionNames }).counts;
    expect(counts(document, false)).toMatchObject({ conflict: 1, added: 0 });
    expect(counts(document, true)).toMatchObject({ added: 1 });
    const swap = { ...document, actions: [rename, { ...rename, action: 'cart.clear', name: 'account.close' }] };
    expect(counts(swap, false)).toMatchObject({ added: 2 });
  });

  it('makes no state surer than it is: nobody here looked at it', () => {
    const paths = ['a.b', 'a.list[0]', 'shop.total'];
    const roots = [{ name: 'a', origin: 'app.js', mangled: true }];
    const update = { kind: 'full', paths, values: [1, 2, 3] } as const;
    const document = documentWith([
      { path: 'a.b', label: 'cart.count' },
      { path: 'a.list[*]', label: 'cart.items[*]', confirmed: false },
      { path: 'shop.total', label: 'total' },
    ]);
    const before = new Engine(APP, 'shop', null);
    before.apply(update, roots);
    const confidence = before.confidence();
    expect(confidence).toBeLessThan(0.95);

    importSchema(before.schema, document, { force: true });
    before.schemaImported();
    before.apply({ kind: 'same' }, null);
    expect([...before.table.keys()]).toContain('cart.count');
    expect(before.confidence()).toBeLessThanOrEqual(confidence);

    const schema = emptySchema(APP, 'shop');
    importSchema(schema, document, { force: true });
    const after = new Engine(APP, 'shop', schema);
    after.apply(update, roots);
    expect([...after.table.keys()]).toEqual(['cart.count', 'cart.items[0]', 'total']);
    expect(after.confidence()).toBeLessThanOrEqual(confidence);
    expect(importSchema(before.schema, document, { force: false }).counts).toMatchObject({ conflict: 0, changed: 0 });
  });

  it('renames the keys of a running engine at its next update', () => {
    const engine = new Engine(APP, 'shop', null);
    engine.apply({ kind: 'full', paths: ['a.b', 'visitors'], values: [1, 2] }, null);
    importSchema(engine.schema, documentWith([{ path: 'a.b', label: 'visitors', type: 'number' }]), { force: false });
    engine.schemaImported();
    engine.apply({ kind: 'same' }, null);
    expect(engine.table.get('visitors')).toBe(1);
    expect(engine.table.get('a.b')).toBeUndefined();
    expect([...engine.table.keys()].some((key) => key.startsWith('unknown_0x'))).toBe(true);
    expect(engine.schemaChanged).toBe(true);
  });
});
