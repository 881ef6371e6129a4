import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StateText } from '../../../src/daemon/state-text.ts';
import type { LeafRoot } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { FLOOR, originScore } from '../../../src/semantic/salience/score.ts';

const root = (name: string, origin: string, mangled = false): LeafRoot => ({ name, origin, mangled });

/** A page as reported by the agents: a screen, a store, and internals of libraries. */
const ROOTS = [
  root('headings', 'headings shown in the page'),
  root('tabs', 'the browser'),
  root('cart', 'Redux store'),
  root('i18n', 'React context'),
  root('Modal', 'component state'),
  root('sjcl', 'global variable'),
  root('e', 'closure of the click handler', true),
];

function page(more: Record<string, Scalar> = {}, roots = ROOTS): Engine {
  const state: Record<string, Scalar> = {
    'headings[0]': 'Three pears',
    'tabs[0].url': 'http://shop.example/',
    'cart.items[0].name': 'pear',
    'cart.total': 6.5,
    'sjcl.random.ba': 80,
    'e[0]': 1,
    ...more,
  };
  for (let at = 0; at < 300; at++) state[`i18n.options.resources.de.word${at}`] = `Wort ${at}`;
  const engine = new Engine('shop-00000000', 'shop', null);
  engine.apply({ kind: 'full', paths: Object.keys(state), values: Object.values(state) }, roots);
  return engine;
}

const shown = (engine: Engine) => [...engine.table.keys()].filter((key) => engine.isShown(key));

describe('what is shown', () => {
  it('is the screen, the browser and the stores, not what libraries keep', () => {
    expect(shown(page())).toEqual(['headings[0]', 'tabs[0].url', 'cart.items[0].name', 'cart.total']);
  });

  it('is what a frame shows, whatever was read of it first', () => {
    const framed = { m__isEditor: true, 'm__texts.page[0]': 'Please moor at west-1' };
    const roots = [
      { ...root('m__isEditor', 'global variable'), label: 'frames.mail.isEditor' },
      { ...root('m__texts', 'texts shown in the page'), label: 'frames.mail.texts' },
    ];
    const engine = page(framed, [...ROOTS, ...roots]);
    expect(engine.salience.of('frames.mail.texts.page[*]')).toBeGreaterThan(0.9);
    expect(engine.salience.of('frames.mail.isEditor')).toBeLessThan(0.9);
    expect(engine.salience.isScreen('frames')).toBe(true);
  });

  it('is what a drawing says, not who listens to it', () => {
    const drawn = { 'plan.children[0].attrs.text': 'Gannet at west-1', 'plan.eventListeners.click[0].name': 'konva' };
    const engine = page(drawn, [...ROOTS, root('plan', 'global variable')]);
    expect(shown(engine)).toContain('plan.children[0].attrs.text');
    expect(shown(engine)).not.toContain('plan.eventListeners.click[0].name');
  });

  it('is the window before all else, in a program whose roots have names of their own', () => {
    const engine = new Engine('shop-00000000', 'shop', null);
    const roots = [root('Settings', 'static fields of shop.Settings'), root('main_form', 'window "Shop" (MainForm)')];
    engine.apply({ kind: 'full', paths: ['Settings.theme', 'main_form.title'], values: ['dark', 'Shop'] }, roots);
    expect(engine.salience.of('main_form.title')).toBe(1);
    const later = [...roots, root('dialog', 'window "Sure?" (Dialog)')];
    engine.apply({ kind: 'delta', changed: [], added: [[2, 'dialog.title', 'Sure?']], removed: [] }, later);
    expect(engine.salience.of('dialog.title')).toBe(1);
  });

  it.each([
    ['what a thread works on', 'server.port', 'held by thread main', 'static fields of shop.Server'],
    ['what can change', 'Shop.open', 'static fields of shop.Shop', 'constants of shop.Words'],
  ])('is %s before other things of a program', (_, path, better, worse) => {
    const engine = new Engine('shop-00000000', 'shop', null);
    const [name = ''] = path.split('.');
    const roots = [root(name, better), root('Other', worse)];
    engine.apply({ kind: 'full', paths: [path, 'Other.port'], values: ['yes', 'yes, too'] }, roots);
    expect(engine.salience.of(path)).toBeGreaterThan(engine.salience.of('Other.port') + 0.05);
  });

  it('is the rows that a program holds, however deep and large the rest is', () => {
    const engine = new Engine('shop-00000000', 'shop', null);
    const state: Record<string, Scalar> = { 'Db.version': 7 };
    for (let at = 0; at < 4000; at++) state[`Db.all.shop.parts[${at}].code`] = at;
    state['Db.all.shop.stores.rows["351"].nodes[0][1].data[1]'] = 'Petrel';
    engine.apply({ kind: 'full', paths: Object.keys(state), values: Object.values(state) }, [
      root('Db', 'static fields of shop.Db'),
    ]);
    const rows = engine.salience.of('Db.all.shop.stores.rows["351"].nodes[*][*].data[*]');
    expect(rows).toBeGreaterThan(engine.salience.of('Db.version'));
  });

  it('makes the confidence: noise does not lower it', () => {
    const engine = page();
    expect(engine.confidence()).toBe(0.94);
    expect(engine.salience.shownKeys()).toBe(4);
  });

  it.each([
    ['modules of a bundler', '["94021"].exports.default["226"]', 'global variable'],
    ['styles', 'emotion.inserted.css1a2b3c', 'React context'],
    ['copies that a hook keeps', 'unnamed31.inst.value.collapse', 'component state'],
    ['what a component of a library keeps', 'components.Presence11[0].state', 'component state'],
    ['a tree that is walked up', 'w.parent.parent.parent.parent.name', 'closure of the load handler'],
    ['how something looks', 'c4.person.fontFamily', 'closure of the draw handler'],
    ['a name of a calendar', 'locale.weekdaysMin[3]', 'React context'],
    ['an entry of a table of keys', '["core:show-help"].scope', 'closure of the key handler'],
    ['what a package says of itself', 'pkg.dependencies.express', 'Module of /srv/app/index.js'],
  ])('is not %s', (_, path, origin) => {
    const name = /^\["([^"]+)"\]/.exec(path)?.[1] ?? path.split('.')[0] ?? '';
    const engine = page({ [path]: 'x' }, [...ROOTS, root(name, origin)]);
    expect(engine.salienceOf(path)).toBeLessThan(FLOOR);
  });

  it('is a value of a closure that stands on the screen, or that changes', () => {
    const roots = [...ROOTS, root('bag', 'closure of the click handler')];
    const engine = page({ 'bag.words': 'Three pears', 'bag.raw': 'abc' }, roots);
    expect([engine.isShown('bag.words'), engine.isShown('bag.raw')]).toEqual([true, false]);
    const slot = engine.table.slotOf('bag.raw') ?? -1;
    engine.apply({ kind: 'delta', changed: [[slot, 'abcd']], added: [], removed: [] }, null);
    expect(engine.isShown('bag.raw')).toBe(true);
    expect(engine.salience.shownKeys()).toBe(shown(engine).length);
  });

  it('is told by an id on the screen, whatever stands beside it', () => {
    const roots = [...ROOTS, root('bag', 'closure of the click handler')];
    const engine = page(
      { 'headings[1]': 'invoice-17 attempt #3', 'bag.job': 'invoice-17', 'bag.word': 'attempt' },
      roots,
    );
    expect([engine.isShown('bag.job'), engine.isShown('bag.word')]).toEqual([true, false]);
  });

  it('matters more where the screen has a word for it', () => {
    const roots = [...ROOTS, root('track', 'static fields of com.example.Track')];
    const engine = page(
      { 'headings[1]': 'Altitude (m)', 'track.point.altitude': 417, 'track.point.modified': 12 },
      roots,
    );
    expect(engine.salienceOf('track.point.altitude')).toBeGreaterThan(engine.salienceOf('track.point.modified'));
  });

  it('is not a long list that never changes', () => {
    const zones = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`form.zones[${at}]`, `Zone/City${at}`]));
    const names = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`form.names[${at}]`, `Name${at}`]));
    const engine = page({ ...zones, ...names }, [...ROOTS, root('form', 'static fields of com.example.Form')]);
    expect([engine.isShown('form.zones[7]'), engine.isShown('form.names[7]')]).toEqual([false, true]);
    const own = page(zones, [...ROOTS, root('form', 'Module scope of /srv/app/form.js')]);
    expect(own.isShown('form.zones[7]')).toBe(true);
  });

  it('is not a table, unless something of it changes', () => {
    const rates = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`fx.rates.c${at}`, `${at + 10}`]));
    const engine = page(rates, [...ROOTS, root('fx', 'static fields of com.example.Fx')]);
    expect(engine.isShown('fx.rates.c7')).toBe(false);
    const version = engine.salience.shownVersion;
    const slot = engine.table.slotOf('fx.rates.c8') ?? -1;
    engine.apply({ kind: 'delta', changed: [[slot, '1']], added: [], removed: [] }, null);
    expect(engine.isShown('fx.rates.c7')).toBe(true);
    expect(engine.salience.shownVersion).toBeGreaterThan(version);
  });

  it('is one of two places of a value: the one that a person would name', () => {
    const roots = [...ROOTS, root('copy', 'React context')];
    const engine = page({ 'cart.customer': 'Ada Lovelace', 'copy.of.all.customer': 'Ada Lovelace' }, roots);
    expect(engine.salienceOf('copy.of.all.customer')).toBeLessThan(engine.salienceOf('cart.customer') / 2);
  });

  it('is what there is, where an app has no store', () => {
    const roots = [root('headings', 'headings shown in the page'), root('game', 'closure of the keydown handler')];
    const engine = new Engine('game-00000000', 'game', null);
    const paths = ['headings[0]', 'game.player.nick', 'game.flags.a'];
    engine.apply({ kind: 'full', paths, values: ['Ada the Brave', 'Ada the Brave', true] }, roots);
    expect(shown(engine)).toEqual(paths);
  });

  it('stays so when all is read anew, and what went is still known for it', () => {
    const engine = page({ 'cart.note': 'soon gone' });
    expect(engine.isShown('cart.note')).toBe(true);
    const changes = engine.apply({ kind: 'full', paths: ['cart.total'], values: [7] }, ROOTS);
    expect(changes.filter(({ key }) => engine.isShown(key)).map(({ key }) => key)).toContain('cart.note');
    expect(engine.salience.shownKeys()).toBe(1);
  });

  it('comes in the order in which it matters', () => {
    const engine = page();
    engine.confidence();
    const rank = (key: string) => engine.rankOfSlot(engine.table.slotOf(key) ?? -1);
    expect(rank('headings[0]')).toBeGreaterThanOrEqual(rank('cart.total'));
    expect(rank('cart.total')).toBeGreaterThan(rank('sjcl.random.ba'));
  });
});

it('costs as much for each of many kinds of keys as for each of few', () => {
  const spent = (count: number) => {
    const paths = Array.from({ length: count }, (_, at) => `store.users.u${at}.mail`);
    const values = paths.map((path) => `${path}@example.org`);
    const engine = new Engine('shop-00000000', 'shop', null);
    const before = process.cpuUsage();
    engine.apply({ kind: 'full', paths, values }, [root('store', 'Redux store')]);
    engine.confidence();
    engine.apply({ kind: 'full', paths: paths.slice(0, 10), values: values.slice(0, 10) }, null);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  spent(10_000);
  expect(spent(80_000) / spent(10_000)).toBeLessThan(6);
});

it('counts exactly what is shown, whatever comes, changes and goes', () => {
  const ORIGINS = ['Redux store', 'closure of the click handler', 'lists shown in the page', 'static fields of a.B'];
  const roots = ORIGINS.map((origin, at) => root(`root${at}`, origin));
  const name = fc.constantFrom('title', 'i18n', '_x', 'state', 'CONST_A', 'display');
  const path = fc.tuple(fc.nat(3), fc.array(name, { minLength: 1, maxLength: 6 }));
  const leaf = fc.tuple(path, fc.constantFrom<Scalar>('Three pears', 'abc', 12, null, '#aabbcc'));
  fc.assert(
    fc.property(fc.array(fc.array(leaf, { maxLength: 30 }), { minLength: 1, maxLength: 6 }), (captures) => {
      const engine = new Engine('shop-00000000', 'shop', null);
      const text = textOf(engine);
      for (const leaves of captures) {
        const state = new Map(leaves.map(([[at, names], value]) => [`root${at}.${names.join('.')}`, value]));
        const full = { kind: 'full', paths: [...state.keys()], values: [...state.values()] } as const;
        engine.apply(full, roots);
        engine.confidence();
        if (state.size > 0) engine.apply({ kind: 'delta', changed: [[0, 'abc']], added: [], removed: [] }, null);
        engine.confidence();
        const told = Object.keys(JSON.parse(`{${text.bytes().toString()}}`));
        expect(told.sort()).toEqual(shown(engine).sort());
        expect(engine.salience.shownKeys()).toBe(told.length);
      }
    }),
  );
});

it('shows in the text of the state what is shown since it came onto the screen', () => {
  const engine = page({ 'bag.words': 'Four plums' }, [...ROOTS, root('bag', 'closure of the click handler')]);
  const text = textOf(engine);
  engine.confidence();
  expect(text.bytes().toString()).not.toContain('bag.words');
  const slot = engine.table.slotOf('headings[0]') ?? -1;
  engine.apply({ kind: 'delta', changed: [[slot, 'Four plums']], added: [], removed: [] }, null);
  expect(engine.salience.shownKeys()).toBe(shown(engine).length);
  expect(text.bytes().toString()).toContain('"bag.words":"Four plums"');
});

it('keeps nothing of names that come and go for ever', () => {
  const engine = new Engine('shop-00000000', 'shop', null);
  engine.apply({ kind: 'full', paths: ['store.total'], values: [1] }, [root('store', 'Redux store')]);
  const before = sizeOf(engine.salience);
  for (let at = 1; at <= 45_000; at++) {
    const added = [[at, `store.sessions.s${at}.user`, `user ${at}`]] as const;
    engine.apply({ kind: 'delta', changed: [], added, removed: at > 1 ? [at - 1] : [] }, null);
  }
  expect(sizeOf(engine.salience)).toBeLessThan(before + 2 * 21_000);
  expect(engine.salience.shownKeys()).toBe(2);
});

/** As in a session. */
function textOf(engine: Engine): StateText {
  return new StateText(engine.table, {
    get version() {
      return engine.salience.shownVersion;
    },
    isShown: (slot) => engine.isSlotShown(slot),
    rank: (slot) => engine.rankOfSlot(slot),
  });
}

/** The size of all its maps together. */
function sizeOf(salience: object): number {
  const maps = Object.values(salience).filter((field) => field instanceof Map);
  return maps.reduce((sum, map) => sum + map.size, 0);
}

describe('a program', () => {
  it('shows rows before single values of its files, and knows where they come from without names for its roots', () => {
    const engine = new Engine('shop', 'shop', null);
    const paths = ['desk.retries', 'desk.berths[0].vessel', 'desk.berths["north-2"].vessel', 'other.value'];
    const roots = ['desk', 'other'].map((name) => ({ name, origin: `module /srv/${name}.js`, mangled: false }));
    engine.apply({ kind: 'full', paths, values: [3, 'Petrel', 'Tern', 4] }, roots);
    expect(paths.map((path) => engine.salienceOf(path))).toEqual([0.75, 0.85, 0.8, 0.75]);
  });
});

describe('where a root comes from', () => {
  it.each([
    ['tables shown in the page', 1],
    ['window "Front desk" (FrontDesk)', 1],
    ['Pinia store cart', 0.85],
    ['Closure (start) of /srv/shop/index.js', 0.75],
    ['Closure of /usr/lib/node_modules/json-server/lib/cli/run.js', 0.75],
    ['static fields of com.example.Shop', 0.65],
    ['closure of the click handler', 0.22],
    ['something new', 0.6],
  ])('%s counts %d', (origin, score) => {
    expect(originScore(origin)).toBe(score);
  });
});
