import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '../support/act-answers.ts';
import { randomCalls } from '../support/random-calls.ts';
import { type Harness, RUNTIMES, removeCompiled, SETTINGS, startHarness } from './act-harness.ts';

afterAll(removeCompiled);

describe.each(RUNTIMES)('actions on $runtime', (setting) => {
  let harness: Harness;
  let actions: readonly Action[];

  beforeAll(async () => {
    harness = await startHarness(setting);
    actions = await harness.actions();
  });
  afterAll(() => harness?.stop());

  const named = (name: string) => actions.find((action) => action.name === name);
  const methodsOf = (place: string) =>
    actions.filter(({ name }) => name.startsWith(`${place}.`)).map(({ name }) => name.slice(place.length + 1));

  describe('which there are', () => {
    it('takes public methods of the type and its ancestors, of a type that is not public too', () => {
      expect(methodsOf('shop.hidden').sort()).toEqual(['Greet', 'Keep']);
    });

    it('takes properties that can be set from outside, unless a method does it', () => {
      expect(methodsOf('shop.carts').sort()).toEqual(
        ['AddItem', 'At', 'Find', 'GetTotal', 'SetOpen', 'Under', 'setTitle', 'setURLPath'].sort(),
      );
    });

    it('leaves out what the framework, a listener or a visitor calls', () => {
      expect(methodsOf('shop.ticker')).toEqual(['Tick']);
    });

    it('takes static methods that have to do with static fields which are the state, those of tables last', () => {
      expect(methodsOf('Statics')).toEqual(['Raise', 'setMode']);
    });

    it('leaves out what no JSON could ever call', () => {
      const methods = methodsOf('shop.kitchen');
      for (const name of ['TakeAction', 'TakeType', 'TakeStream', 'TakePointer']) expect(methods).not.toContain(name);
      expect(methods).toContain('TakeCart');
      expect(methods).toContain('TakeNamed');
    });

    it('leaves out what wants a delegate, also one that may be left out', () => {
      const wanting = ['TakeFunc', 'TakePredicate', 'TakeComparison', 'TakeRecipe', 'TakeMaybeRecipe', 'TakeRecipes'];
      for (const name of [...wanting, 'TakeRestOfRecipes', 'setCook'])
        expect(methodsOf('shop.kitchen')).not.toContain(name);
    });

    it('leaves out what changes nothing and brings nothing', () => {
      expect(methodsOf('shop.shelf')).not.toContain('Nothing');
    });

    it('puts verbs of near objects first, and shows what is met everywhere only a few times', async () => {
      const order = ['shop.carts.AddItem', 'shop.carts.SetOpen', 'shop.carts.GetTotal'].map((name) =>
        actions.findIndex((action) => action.name === name),
      );
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(order[0]).toBeGreaterThanOrEqual(0);
      const crowd = (await harness.methodsOf('crowd').settled()).map(({ name }) => name);
      expect(crowd[0]).toBe('a.carts0.AddItem');
      const countOf = (place: string) => crowd.filter((name) => name.startsWith(place)).length;
      expect(countOf('a.carts')).toBe(3 * methodsOf('shop.carts').length);
      expect(countOf('a.b.c.shelf.')).toBe(methodsOf('shop.shelf').length);
      expect(countOf('a.b.c.kitchen.')).toBeGreaterThan(20);
    });

    it('gives the very same list as long as nothing is new, though objects come and go', async () => {
      await harness.actions();
      const before = harness.shop.catalog.actions;
      await harness.ask({ op: 'another', isThere: false });
      await harness.actions();
      expect(harness.shop.catalog.actions).toBe(before);
      await harness.ask({ op: 'another', isThere: true });
      await harness.actions();
      expect(harness.shop.catalog.actions).not.toBe(before);
      await harness.ask({ op: 'another', isThere: false });
      await harness.actions();
    });

    it('offers nothing on structs, of which only copies could be had', () => {
      expect(methodsOf('shop.shelf.spot')).toEqual([]);
    });
  });

  describe('how one is told', () => {
    it('names the place, the element and the parameters', () => {
      expect(named('shop.carts.AddItem')).toEqual({
        binding: 'method:shop.carts[*]#AddItem',
        name: 'shop.carts.AddItem',
        returns: 'number',
        effect: 'own-state',
        description: 'Method AddItem of Cart (Example) on shop.carts[*]: AddItem(string sku, int quantity) -> int.',
        parameters: [
          { name: 'index', type: 'number', required: true, description: 'which element of the list' },
          { name: 'sku', type: 'string', required: true, description: null },
          { name: 'quantity', type: 'number', required: true, description: null },
        ],
      });
      expect(named('shop.archive.Under')?.parameters.map(({ name }) => name)).toEqual(['key', 'key2', 'key_argument']);
      expect(named('shop.carts.At')?.parameters.map(({ name }) => name)).toEqual(['index', 'index_argument']);
    });

    it('calls the value of a property as the property is called', () => {
      expect(named('shop.carts.setTitle')).toMatchObject({
        returns: 'void',
        effect: 'setter',
        description: 'Sets the property Title of Cart (Example) on shop.carts[*]: setTitle(string title) -> void.',
      });
      expect(named('shop.carts.setURLPath')?.parameters[1]).toMatchObject({ name: 'urlPath', type: 'string' });
      expect(named('Statics.setMode')).toMatchObject({
        effect: 'setter',
        description: 'Sets the static property Mode of Statics (Example) on Statics: setMode(string mode) -> void.',
      });
    });

    it('makes one action of all overloads: required is what all of them require', () => {
      const [, ...own] = named('shop.carts.Find')?.parameters ?? [];
      expect(own.map(({ name, type, required }) => [name, type, required])).toEqual([
        ['id', 'number', false],
        ['name', 'string', false],
        ['limit', 'number', false],
      ]);
    });

    it.each([
      ['TakeDay', 'string', true, 'one of Sunday, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday'],
      ['TakeStatus', 'string', true, 'one of New, Paid'],
      ['TakeMaybeStatus', 'string', true, 'one of New, Paid'],
      ['TakeDateTime', 'string', true, 'a date and time such as 2024-05-31T18:30:00'],
      ['TakeChar', 'string', true, 'one character'],
      ['TakeMaybe', 'number', true, null],
      ['TakeList', 'array', true, 'List<int>'],
      ['TakeMap', 'object', true, 'Dictionary<string, int>'],
      ['TakeTuple', 'array', true, 'Tuple<int, string>'],
      ['TakeItem', 'object', true, 'Item'],
    ])('%s', (method, type, required, description) => {
      expect(named(`shop.kitchen.${method}`)?.parameters[0]).toMatchObject({ type, required, description });
    });

    it('tells what may be left out, and not of what it supplies itself', () => {
      const required = (method: string) =>
        named(`shop.kitchen.${method}`)?.parameters.map(({ name, required }) => `${name}${required ? '' : '?'}`);
      expect(required('TakeDefaults')).toEqual(['first', 'second?', 'third?', 'fourth?', 'fifth?', 'sixth?']);
      expect(required('TakeRest')).toEqual(['first', 'rest?']);
      expect(required('TakeToken')).toEqual(['value']);
    });

    it('says what a task brings', () => {
      expect(named('shop.trouble.LaterAsync')?.returns).toBe('string');
      expect(named('shop.trouble.QuickAsync')?.returns).toBe('number');
      expect(named('shop.trouble.WaitAsync')?.returns).toBe('void');
      expect(named('shop.trouble.Promised')?.returns).toBe('string');
    });

    it('knows what a type parameter stands for in the type of the object', () => {
      expect(named('shop.hidden.Keep')?.description).toContain('Keep(Item thing) -> Item');
    });
  });

  describe('random input', () => {
    it('code with flipped, random or missing bytes is understood or refused', async () => {
      expect(await harness.ask({ op: 'fuzzIl', runs: 2000 })).toEqual([]);
    });

    it('metadata with flipped or missing bytes is understood or refused', async () => {
      expect(await harness.ask({ op: 'fuzzMetadata', runs: 1000 })).toEqual([]);
    });

    it('random JSON for random types is taken or refused', async () => {
      const kitchen = actions.filter(({ name }) => name.startsWith('shop.kitchen.'));
      expect(await randomCalls(harness, kitchen, 1500)).toMatchObject({ broken: [], taken: expect.any(Number) });
    });
  });

  it('loads no assembly of the app to know what a method does, and tells more when it is there', async () => {
    await harness.ask({ op: 'lazy' });
    const lazy = harness.methodsOf('lazy');
    const effectsNow = async () => Object.fromEntries((await lazy.settled()).map(({ name, effect }) => [name, effect]));
    const before = await effectsNow();
    expect(await harness.ask({ op: 'isAbsentLoaded' })).toBe(false);
    expect(before).toMatchObject({
      'waiting.Raise': 'own-state',
      'waiting.Longest': 'none',
      'waiting.Add': 'own-state',
      'waiting.Weigh': 'unknown',
      'waiting.Packed': 'unknown',
      'waiting.Indirect': 'unknown',
    });
    expect(Object.keys(before)).not.toContain('waiting.Take');
    expect(Object.keys(before)).not.toContain('waiting.TakeAll');
    await harness.ask({ op: 'useLazy' });
    expect(await harness.ask({ op: 'isAbsentLoaded' })).toBe(true);
    const after = await effectsNow();
    expect(after).toMatchObject({ 'waiting.Weigh': 'none', 'waiting.Packed': 'none', 'waiting.Indirect': 'none' });
    expect(Object.keys(after)).toContain('waiting.Take');
    expect(Object.keys(after)).toContain('waiting.TakeAll');
  });

  it('is proven anew when an assembly was loaded that overrides something', async () => {
    expect(named('shop.traps.Later')?.effect).toBe('none');
    await harness.ask({ op: 'load', file: harness.laterAssembly });
    const after = await harness.actions();
    expect(after.find(({ name }) => name === 'shop.traps.Later')?.effect).toBe('unknown');
    expect(after.find(({ name }) => name === 'shop.traps.Calmly')?.effect).toBe('none');
  });
});

const SHELF = {
  none:
    'Sum SumOf Joined Built Sorted Longer Counted Factorial Even Odd Copied FreshArray FreshObject CalmVoice Checked Graded ' +
    'Priced Caught Known Switched LookedAsync Listed Pure Titled Captured Placed',
  setter:
    'setName setState setMaybe setAuto SetChecked SetGuarded SetWide Named SetClamped SetDefault setCompared setNumbered',
  'own-state':
    'setMarked Add Next Slot SetBoth Increase LockedRead AddTwice CountAll Advance AddLater Move AddAll Remove Note NoteLater Begin',
  unknown:
    'Share ShareStatic WildArea Made Invoked Print Fill Order Group LambdaWrites Touch Spawn Evenly Oddly PrintedAsync Counting ' +
    'CountedAll Shared Reflected RunAsync',
};
/** Methods that look harmless. */
const TRAPS = {
  none: 'Calmly CalmList Later Stir TryLocal Unwrapped Whole',
  'own-state': 'setMax setSize setOwner setTwice Try SetPeak',
  unknown: 'Describe Has HasHashed Sorted Listed Direct EachOf setTold Wake Copy Opened First Used Wrapped Fed FedEach',
};

describe.each(SETTINGS)('effects on $runtime, compiled by $compiler', (setting) => {
  let effects: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const harness = await startHarness(setting);
    effects = new Map((await harness.actions()).map(({ name, effect }) => [name, effect]));
    await harness.stop();
  });

  const cases = (place: string, table: Record<string, string>) =>
    Object.entries(table).flatMap(([effect, names]) => names.split(' ').map((name) => [`${place}.${name}`, effect]));

  it.each([...cases('shop.shelf', SHELF), ...cases('shop.traps', TRAPS)])('%s: %s', (name, effect) => {
    expect(effects.get(name)).toBe(effect);
  });
});
