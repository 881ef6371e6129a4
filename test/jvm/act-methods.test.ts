import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { JAVA_VALUES } from '../../src/probes/drivers/jvm/java-values.ts';
import { sayableTypes } from '../../src/probes/insight/arguments/value-table.ts';
import { knownMethod } from '../../src/probes/insight/methods/known-method.ts';
import { methodFacts, methodsAnswer } from '../../src/probes/insight/methods/method-facts.ts';
import { parametersOf } from '../../src/probes/insight/methods/method-parameters.ts';
import { ShapePath } from '../../src/probes/insight/methods/shape-path.ts';
import type { Action } from '../support/act-answers.ts';
import { randomCalls } from '../support/random-calls.ts';
import { type Harness, startHarness } from './act-harness.ts';

let harness: Harness;
let actions: readonly Action[];

beforeAll(async () => {
  harness = await startHarness();
  actions = await harness.actions();
});
afterAll(() => harness.stop());

const named = (name: string) => actions.find((action) => action.name === name);
const methodsOf = (holder: string) =>
  actions.filter(({ name }) => name.startsWith(`${holder}.`)).map(({ name }) => name.slice(holder.length + 1));

describe('which methods are actions', () => {
  it('takes public methods of the class, its ancestors and its interfaces, of a package-private class too', () => {
    expect(methodsOf('shop.hidden').sort()).toEqual(['greet', 'keep', 'main', 'nameTwice']);
  });

  it('leaves out plain getters, contracts of Object, empty hooks, what a thread, a lambda or a listener runs', () => {
    expect(methodsOf('shop.carts').sort()).toEqual(['addItem', 'at', 'find', 'getTotal', 'setOpen', 'under']);
    expect(methodsOf('shop.ticker')).toEqual(['tick']);
    expect(methodsOf('shop.shelf.maker')).toEqual([]);
  });

  it('takes static methods, and only those, that have to do with static fields which are the state', () => {
    expect(methodsOf('Statics')).toEqual(['raise']);
  });

  it('leaves out what no JSON could ever call', () => {
    expect(methodsOf('shop.kitchen')).not.toContain('takeRunnable');
    expect(methodsOf('shop.kitchen')).not.toContain('takeClass');
  });

  it('comes to an end with types that are bound by themselves, and lists what stands beside them', () => {
    expect(methodsOf('shop.kitchen')).toContain('takeByte');
  });

  it('leaves out what wants a piece of code, also where the state shows one', () => {
    const methods = methodsOf('shop.kitchen');
    for (const what of [
      'Callable',
      'Comparator',
      'Function',
      'Supplier',
      'Recipe',
      'NarrowRecipe',
      'Recipes',
      'MaybeRecipe',
    ])
      expect(methods).not.toContain(`take${what}`);
    expect(methods).toContain('takePantry');
  });

  it('leaves out what nobody could be asked for', () => {
    expect(methodsOf('shop.ticker')).not.toContain('wind');
    expect(methodsOf('shop.ticker')).not.toContain('addTickListener');
    expect(methodsOf('shop.kitchen')).toContain('takeCart');
  });

  it('puts verbs of near objects first, and shows what is met everywhere only a few times', async () => {
    const order = ['shop.carts.addItem', 'shop.carts.setOpen', 'shop.carts.getTotal'];
    expect(actions.map(({ name }) => name).filter((name) => order.includes(name))).toEqual(order);
    const crowd = (await harness.methodsOf('crowd').settled()).map(({ name }) => name);
    expect(crowd[0]).toBe('a.carts0.addItem');
    const countOf = (place: string) => crowd.filter((name) => name.startsWith(place)).length;
    expect(countOf('a.carts')).toBe(3 * methodsOf('shop.carts').length);
    expect(countOf('a.b.c.shelf.')).toBe(methodsOf('shop.shelf').length);
    expect(countOf('a.b.c.kitchen.')).toBeGreaterThan(20);
  });

  it('tells the list from before until the next one is whole', async () => {
    const few = harness.methodsOf('few');
    const before = (await few.settled()).length;
    await harness.ask({ op: 'addPlace' });
    let now = await few.step();
    expect(few.catalog.isSettled).toBe(false);
    for (; !few.catalog.isSettled; now = await few.step())
      expect(now.length === before || now.some(({ name }) => name.startsWith('a.Traps.'))).toBe(true);
    expect((await few.settled()).length).toBeGreaterThan(before);
  });
});

describe('how an action is told', () => {
  it('names the place, the element and the parameters', () => {
    expect(named('shop.carts.addItem')).toEqual({
      binding: 'method:shop.carts[*]#addItem',
      name: 'shop.carts.addItem',
      returns: 'number',
      effect: 'own-state',
      description:
        'Method addItem of Cart (com.example.act) on shop.carts[*]: addItem(String sku, int quantity) -> int.',
      parameters: [
        {
          name: 'index',
          type: 'number',
          required: false,
          description: 'which element of the list; not needed if there is only one',
        },
        { name: 'sku', type: 'string', required: true, description: null },
        { name: 'quantity', type: 'number', required: true, description: null },
      ],
    });
    expect(named('shop.archive.under')?.parameters.map(({ name }) => name)).toEqual(['key', 'key2', 'key_argument']);
    expect(named('shop.carts.at')?.parameters.map(({ name }) => name)).toEqual(['index', 'index_argument']);
  });

  it('makes one action of all overloads: required is what all of them require', () => {
    const [, ...own] = named('shop.carts.find')?.parameters ?? [];
    expect(own.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['id', 'number', false],
      ['name', 'string', false],
      ['limit', 'number', false],
    ]);
  });

  it.each([
    ['takeStatus', 'string', true, 'one of NEW, PAID'],
    ['takeUnit', 'string', true, expect.stringMatching(/^one of NANOSECONDS, .*DAYS$/)],
    ['takeDate', 'string', true, 'a date such as 2024-05-31'],
    ['takeChar', 'string', true, 'one character'],
    ['takeNumbers', 'array', true, 'List<Integer>'],
    ['takeMap', 'object', true, 'Map<String, Integer>'],
    ['takeOptional', 'number', false, null],
    ['takeItem', 'object', true, 'Item'],
  ])('%s', (method, type, required, description) => {
    expect(named(`shop.kitchen.${method}`)?.parameters[0]).toMatchObject({ type, required, description });
  });

  it('says the constants of an enum as texts, also of one of the JDK', () => {
    expect(named('shop.kitchen.takeUnit')?.returns).toBe('string');
  });

  it('knows what a type variable stands for in the class of the object', () => {
    expect(named('shop.hidden.keep')?.description).toContain('keep(Item thing) -> Item');
  });
});

describe('names of parameters', () => {
  const signature = async (place: Record<string, string>) =>
    z
      .array(methodFacts)
      .parse((await namesIn(place)).methods)
      .flatMap((told) => {
        const facts = knownMethod(told, JAVA_VALUES, new Map());
        if (facts === null) return [];
        const names = parametersOf(facts).map(({ name }, at) => `${facts.parameters[at]?.text} ${name}`);
        return [`${facts.name}(${names.join(', ')}) -> ${facts.returns.text}`];
      });
  const namesIn = async (place: Record<string, string>) =>
    (await harness.ask({ op: 'names', ...place, sayable: sayableTypes(JAVA_VALUES) })) as Record<string, unknown>;

  it('come from the table of local variables, read from a jar, without asking a class loader of the app', async () => {
    const folder = harness.compileModel('debug', ['-g']);
    execFileSync('jar', ['cf', `${folder}.jar`, '-C', folder, '.']);
    expect(await signature({ place: `${folder}.jar` })).toContain('addItem(String sku, int quantity) -> int');
    expect((await namesIn({ place: `${folder}.jar` })).local).toBe('left');
  });

  it('come from classes inside the jar of a Spring Boot app', async () => {
    const folder = harness.compileModel('boot/BOOT-INF/classes', ['-g']);
    const jar = path.resolve(folder, '../../../boot.jar');
    execFileSync('jar', ['cf', jar, '-C', path.resolve(folder, '../..'), '.']);
    const source = `jar:file:${jar}!/BOOT-INF/classes!/`;
    expect(await signature({ place: jar, source })).toContain('addItem(String sku, int quantity) -> int');
    expect((await namesIn({ place: jar, source })).local).toBe('left');
    expect((await namesIn({ place: jar, source: `jar:file:${jar}!/elsewhere!/` })).local).toBe('no bytes');
  });

  it('come from the attribute for parameters, read from a folder', async () => {
    const folder = harness.compileModel('odd +name', ['-g:none', '-parameters']);
    expect(await signature({ place: folder })).toContain('addItem(String sku, int quantity) -> int');
  });

  it('are made from the types where the compiler noted none', async () => {
    const folder = harness.compileModel('none', ['-g:none']);
    const found = await signature({ place: folder });
    expect(found).toContain('addItem(String text, int number) -> int');
    expect(found).toContain('setOpen(boolean flag) -> void');
  });
});

describe('effects', () => {
  const NONE =
    'sum joined built sorted longer factorial even odd freshArray copied freshObject calmArea checked graded priced caught switched';
  const SETTER = 'setName setChecked setGuarded setWide named setClamped setDefault setLocked';
  const OWN = 'setAndMark add next slot setBoth increase lockedRead addTwice countAll advance';
  const UNKNOWN =
    'shareStatic wildArea made natively print fill compare group lambdaWrites into collectInto removeFirst touch spawn evenly oddly';

  it.each([
    ...NONE.split(' ').map((method) => [method, 'none']),
    ...SETTER.split(' ').map((method) => [method, 'setter']),
    ...OWN.split(' ').map((method) => [method, 'own-state']),
    ...UNKNOWN.split(' ').map((method) => [method, 'unknown']),
  ])('%s: %s', (method, effect) => {
    expect(named(`shop.shelf.${method}`)?.effect).toBe(effect);
  });
});

describe('effects of what looks harmless', () => {
  it.each([
    ...'setMax setSize setOwner lookup consume'.split(' ').map((method) => [method, 'own-state']),
    ...'describe built has hashed sorted listed direct spell bytes stamp adjusted spread wake'
      .split(' ')
      .map((method) => [method, 'unknown']),
    ...'calmly counted later'.split(' ').map((method) => [method, 'none']),
  ])('%s: %s', (method, effect) => {
    expect(named(`shop.traps.${method}`)?.effect).toBe(effect);
  });

  it('is proven anew when a class was loaded that overrides something', async () => {
    await harness.ask({ op: 'load', name: 'com.example.act.Traps$Unquiet' });
    const after = await harness.actions();
    expect(after.find(({ name }) => name === 'shop.traps.later')?.effect).toBe('unknown');
    expect(after.find(({ name }) => name === 'shop.traps.calmly')?.effect).toBe('none');
  });
});

it('places are told in the order in which they are ranked: a program may have more methods than are looked at', async () => {
  const nothing = { sequence: 0, types: [], enough: 2000, methods: [], bodies: [], members: [], contracts: [] };
  const { places } = methodsAnswer.parse(await harness.ask({ op: 'methods', of: 'shop', ...nothing }));
  const byId = new Map(places?.changed.map((place) => [place.id, place]));
  const ranks = places?.order.map((id) => {
    const { shape, isStatic, isLarge } = byId.get(id) ?? { shape: '', isStatic: false, isLarge: false };
    const { depth, gaps } = new ShapePath(shape);
    return Math.max(1, depth - gaps.length - (isLarge && !isStatic ? 1 : 0)) + (isStatic ? 2 : 0);
  });
  expect([...byId.values()].some(({ shape }) => shape.includes('[*]'))).toBe(true);
  expect(ranks).toEqual(ranks?.toSorted((one, other) => one - other));
});

describe('random input', () => {
  it('a class file with flipped or missing bytes is parsed or refused', async () => {
    expect(await harness.ask({ op: 'fuzzClasses', runs: 2000 })).toEqual([]);
  });

  it('random JSON for random types is taken or refused', async () => {
    const kitchen = actions.filter(({ name }) => name.startsWith('shop.kitchen.'));
    expect(await randomCalls(harness, kitchen, 1500)).toMatchObject({ broken: [], taken: expect.any(Number) });
  });
});
