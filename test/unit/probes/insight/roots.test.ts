/** The names of roots: recorded ones of real programs, and some constructed ones. */
import { describe, expect, it } from 'vitest';
import { CLR_ROOTS, clrRules } from '../../../../src/probes/drivers/clr/clr-types.ts';
import { JAVA_ROOTS, javaRules } from '../../../../src/probes/drivers/jvm/java-classes.ts';
import { RootCatalog } from '../../../../src/probes/insight/roots/root-catalog.ts';
import { type RootFacts, rootsUpdate } from '../../../../src/probes/insight/roots/root-facts.ts';
import { readRoots, spoken } from '../../../support/recorded-roots.ts';

const JAVA = ['java-coffee-shop', 'java-locals', 'java-spring', 'h2', 'tomcat', 'jedit'];
const CLR = ['csharp-shop-mono', 'csharp-kinds-net31', 'csharp-web-net31', 'keepass'];

describe.each([
  [JAVA_ROOTS, JAVA],
  [CLR_ROOTS, CLR],
])('facts of real programs', (traits, programs) => {
  it.each(programs)('%s', (program) => {
    const { roots, updates } = readRoots(program);
    const catalog = new RootCatalog(traits);
    for (const { update, windows } of updates) catalog.take(rootsUpdate.nullable().parse(update), new Set(windows));
    expect(spoken(catalog.roots)).toEqual(roots.slice(roots.length - catalog.roots.length));
  });
});

const NOTHING = { type: null, name: null, where: null };

function facts(id: number, kind: RootFacts['kind'], more: Partial<RootFacts> = {}): RootFacts {
  return { id, kind, ...NOTHING, ...more };
}

function tell(catalog: RootCatalog, roots: readonly RootFacts[], windows: readonly string[] = []): boolean {
  return catalog.take({ order: roots.map(({ id }) => id), added: [...roots] }, new Set(windows));
}

const namesOf = ({ roots }: RootCatalog) => roots.map(({ name }) => name);

function named(traits: typeof JAVA_ROOTS, ...roots: RootFacts[]): string[] {
  const catalog = new RootCatalog(traits);
  tell(catalog, roots);
  return namesOf(catalog);
}

describe('the name of a root', () => {
  it.each<[string, Partial<RootFacts> & { kind: RootFacts['kind'] }]>([
    ['Shop', { kind: 'statics', type: 'com.example.Shop' }],
    ['Inner', { kind: 'constants', type: 'com.example.Outer$Inner' }],
    ['Main', { kind: 'statics', type: 'com.example.Main$' }],
    ['shop', { kind: 'single', type: 'com.example.Shop' }],
    ['URLBook', { kind: 'held', type: 'com.example.URLBook' }],
    ['orders', { kind: 'elements', type: 'com.example.Order' }],
    ['stock', { kind: 'held', name: 'stock' }],
    ['basket', { kind: 'local', type: 'java.util.ArrayList', name: 'basket' }],
    ['barista', { kind: 'local', type: 'com.example.Barista' }],
    ['orderBook', { kind: 'bean', type: 'com.example.OrderBook', name: 'orderBook' }],
    ['foo', { kind: 'bean', type: 'com.example.Foo', name: 'com.example.Foo#0' }],
    ['odd.', { kind: 'bean', type: 'com.example.Foo', name: 'odd.' }],
    ['object', { kind: 'held', type: 'com.example.Outer$1' }],
    ['sessions', { kind: 'fixed', name: 'sessions' }],
    ['till', { kind: 'single', type: 'com.example.Till$' }],
    ['inner', { kind: 'single', type: 'com.example.Outer$Inner$' }],
    ['kiosk', { kind: 'single', type: 'com.example.kiosk.package$' }],
    ['Shelf', { kind: 'statics', type: 'com.example.ShelfKt' }],
    ['Kt', { kind: 'statics', type: 'com.example.Kt' }],
    ['RACKt', { kind: 'statics', type: 'com.example.RACKt' }],
    ['shop', { kind: 'variables', type: 'clojure.lang.Var', name: 'shop' }],
    ['script', { kind: 'variables', type: 'groovy.lang.Binding' }],
  ])('of a Java program: %s', (name, { kind, ...more }) => {
    expect(named(JAVA_ROOTS, facts(1, kind, more))).toEqual([name]);
  });

  it.each<[string, Partial<RootFacts> & { kind: RootFacts['kind'] }]>([
    ['Store', { kind: 'statics', type: 'Shop.Sales.Outer+Store' }],
    ['repository', { kind: 'service', type: 'Shop.Repository`1[[Shop.Order, Shop, Version=1.0.0.0]]' }],
    ['main', { kind: 'closure', name: 'Main' }],
    ['orders', { kind: 'elements', type: 'Order' }],
  ])('of a .NET program: %s', (name, { kind, ...more }) => {
    expect(named(CLR_ROOTS, facts(1, kind, more))).toEqual([name]);
  });

  it('is one with what is around the type where the short one is taken, then it is numbered', () => {
    const java = ['a.Settings', 'b.Outer$Settings', 'c.Settings', 'd.Outer$Settings'];
    const types = (all: readonly string[]) => all.map((type, at) => facts(at, 'statics', { type }));
    expect(named(JAVA_ROOTS, ...types(java))).toEqual(['Settings', 'Outer_Settings', 'Settings_2', 'Settings_3']);
    const dotnet = ['A.Settings', 'A.Sales.Settings', 'B.Outer+Settings', 'Settings'];
    expect(named(CLR_ROOTS, ...types(dotnet))).toEqual(['Settings', 'Sales_Settings', 'Outer_Settings', 'Settings_2']);
  });

  it('is not one that is kept for others', () => {
    expect(named(JAVA_ROOTS, facts(1, 'local', { name: 'sessions' }))).toEqual(['sessions_2']);
    const [late, jmx] = [facts(1, 'local', { name: 'jmx' }), facts(2, 'fixed', { name: 'jmx' })];
    expect(named(JAVA_ROOTS, late, jmx)).toEqual(['jmx_2', 'jmx']);
  });
});

describe('roots that come and go', () => {
  const job = (id: number) => facts(id, 'held', { type: 'Job', where: 'held by thread main' });

  it('keep their names, also after a while in which they were not there', () => {
    const catalog = new RootCatalog(JAVA_ROOTS);
    expect(tell(catalog, [job(1), job(2)])).toBe(true);
    expect(catalog.take({ order: [2], added: [] })).toBe(true);
    expect(namesOf(catalog)).toEqual(['job_2']);
    expect(catalog.idOf('job_2')).toBe(2);
    expect(catalog.idOf('job')).toBeUndefined();
    expect(catalog.take({ order: [3, 2], added: [facts(3, 'held', { type: 'Queue' })] })).toBe(true);
    expect(catalog.take({ order: [3, 2, 1], added: [job(1)] })).toBe(true);
    expect(namesOf(catalog)).toEqual(['queue', 'job_2', 'job']);
    // If another one has the name by now, all leaves of the first are new anyway.
    catalog.take({ order: [2, 4], added: [job(4)] });
    expect(catalog.take({ order: [2, 4, 1], added: [job(1)] })).toBe(true);
    expect(namesOf(catalog)).toEqual(['job_2', 'job', 'job_3']);
  });

  it('are found by their names in the paths of a request, also where an index or key is left out', () => {
    const catalog = new RootCatalog(JAVA_ROOTS);
    tell(catalog, [job(1), job(2), facts(3, 'local', { name: 'shop' }), facts(4, 'local', { name: 'odd name' })]);
    expect(catalog.idsIn({ path: 'job.parts{*}', values: [{ ref: '[ref] job_2.rows[*].cells[3]' }] })).toEqual({
      job: 1,
      job_2: 2,
    });
    expect(catalog.idsIn(['shop', '["odd name"].x', 'nobody.x', 'no [path', 7, null])).toEqual({
      shop: 3,
      'odd name': 4,
    });
  });

  it('keep their names too where they come with one that another has', () => {
    const catalog = new RootCatalog(CLR_ROOTS);
    const host = (id: number) => facts(id, 'fixed', { name: 'host' });
    tell(catalog, [host(1), host(2)]);
    expect(namesOf(catalog)).toEqual(['host', 'host_2']);
    expect(catalog.take({ order: [2], added: [] })).toBe(true);
    expect(namesOf(catalog)).toEqual(['host_2']);
  });

  it('give way to what comes with its name, and say so', () => {
    const catalog = new RootCatalog(JAVA_ROOTS);
    tell(catalog, [facts(1, 'local', { name: 'desk' })]);
    expect(catalog.take(null, new Set(['other']))).toBe(true);
    const { roots } = catalog;
    expect(catalog.take(null, new Set(['desk']))).toBe(false);
    expect(namesOf(catalog)).toEqual(['desk_2']);
    expect(roots[0]?.name).toBe('desk');
    // The name stays when the window is closed.
    expect(catalog.take(null, new Set())).toBe(true);
    expect(namesOf(catalog)).toEqual(['desk_2']);
  });

  it('are forgotten when there are too many of them', () => {
    const catalog = new RootCatalog(JAVA_ROOTS);
    for (let id = 1; id <= 600; id++) tell(catalog, [job(id)]);
    expect(namesOf(catalog)).toEqual(['job']);
    tell(catalog, [facts(700, 'held', { type: 'Job' }), job(10)]);
    expect(namesOf(catalog)).toEqual(['job', 'job_2']);
    tell(catalog, [facts(701, 'held', { type: 'Job' }), job(598)]);
    expect(namesOf(catalog)).toEqual(['job_2', 'job']);
  });

  it('may be very many of one name', () => {
    const many = Array.from({ length: 10_000 }, (_, id) => job(id));
    const start = performance.now();
    expect(named(JAVA_ROOTS, ...many).at(-1)).toBe('job_10000');
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('a path', () => {
  const catalog = new RootCatalog(JAVA_ROOTS);
  tell(catalog, [facts(7, 'local', { name: 'shop' }), facts(12, 'bean', { name: 'my-shop' })]);

  it.each([
    ['7', 'shop'],
    ['7.orders[0].name', 'shop.orders[0].name'],
    ['7["odd key"]', 'shop["odd key"]'],
    ['12[3]', '["my-shop"][3]'],
    ['12{*}.cart', '["my-shop"]{*}.cart'],
  ])('%s is shown as %s', (path, shown) => {
    expect(catalog.named(path)).toBe(shown);
    expect(catalog.reference(path)).toBe(`[ref] ${shown}`);
  });

  it('may be one within a value that was returned', () => {
    expect(['', 'next', '[0].name'].map((path) => catalog.reference(path))).toEqual([
      '[ref] (the returned value)',
      '[ref] next',
      '[ref] [0].name',
    ]);
  });

  it.each(['', 'shop', '8', '70', '7'.repeat(400)])('%s is no root', (path) => {
    expect(catalog.find(path)).toBeNull();
    expect(() => catalog.named(path)).toThrow('unknown root');
  });

  it('has a root that was described', () => {
    expect(() => catalog.take({ order: [1], added: [] })).toThrow('has not described');
  });
});

describe('whose code it is', () => {
  it.each([
    ['com.example.Main', null],
    ['org.h2.tools.Server', 'org.h2.'],
    ['org.apache.solr.Main', 'org.apache.solr.'],
    ['org.apache.catalina.startup.Bootstrap', null],
    ['org.springframework.boot.loader.JarLauncher', null],
    ['javax.Main', null],
    ['clojure.main', null],
    ['org.codehaus.groovy.tools.GroovyStarter', null],
    ['jdk.jshell.execution.RemoteExecutionControl', null],
    [null, null],
  ])('of a Java program that %s started: %s', (main, own) => {
    const { libraries, own: found } = javaRules(main).owners;
    expect(found).toBe(own);
    expect(libraries).toEqual(expect.arrayContaining(['org.apache.', 'org.springframework.', 'winstone.']));
  });

  it.each([
    ['Contoso.Shop.Web', 'Contoso'],
    ['Microsoft.PowerBI.Tools', 'Microsoft.PowerBI'],
    ['google.Foo', 'google.Foo'],
    ['KeePass', 'KeePass'],
    ['testhost', null],
    ['', null],
    [null, null],
  ])('of a .NET program that %s started: %s', (entry, own) => {
    expect(clrRules(entry).owners.own).toBe(own);
  });

  it('is told by names without blanks', () => {
    const tables = [javaRules(null), clrRules(null)].flatMap((rules) =>
      [rules.owners, rules].flatMap((lists) => Object.values(lists).filter(Array.isArray)).flat(),
    );
    expect(tables.filter((name) => !/^\S+$/.test(name))).toEqual([]);
  });
});
