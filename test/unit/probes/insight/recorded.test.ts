/** The results for recorded facts of two real programs; the programs in test/jvm and test/clr test the same. */
import { describe, expect, it } from 'vitest';
import { CLR } from '../../../../src/probes/drivers/clr/clr-platform.ts';
import { CLR_VALUES } from '../../../../src/probes/drivers/clr/clr-values.ts';
import { JAVA } from '../../../../src/probes/drivers/jvm/java-platform.ts';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import { MethodCatalog, type RuntimeTraits } from '../../../../src/probes/insight/methods/method-catalog.ts';
import { RecordedFacts } from '../../../support/recorded-facts.ts';

const JAVA_TRAITS: RuntimeTraits = { platform: JAVA, values: JAVA_VALUES, map: 'map', isOnlyOneFound: true };
const CLR_TRAITS: RuntimeTraits = { platform: CLR, values: CLR_VALUES, map: 'dictionary', isOnlyOneFound: false };

/** Requests until nothing is left; returns the number of requests. */
function settle(catalog: MethodCatalog, facts: RecordedFacts): number {
  for (let asked = 1; asked < 1000; asked++) {
    catalog.take(facts.answer(catalog.question()));
    if (catalog.isSettled) return asked;
  }
  throw new Error('never settled');
}

const PROGRAMS: readonly [string, RuntimeTraits, Record<string, string>][] = [
  [
    'java-shop',
    JAVA_TRAITS,
    {
      none: 'shelf.sum shelf.joined shelf.sorted shelf.factorial shelf.even shelf.copied traps.calmly traps.counted',
      setter: 'shelf.setName shelf.setClamped shelf.setLocked',
      'own-state': 'shelf.add shelf.slot shelf.lockedRead shelf.countAll traps.setMax traps.lookup',
      unknown: 'shelf.shareStatic shelf.print shelf.lambdaWrites shelf.evenly traps.describe traps.spread',
    },
  ],
  [
    'csharp-shop-mono-mcs',
    CLR_TRAITS,
    {
      none: 'shelf.Sum shelf.Joined shelf.Sorted shelf.Factorial shelf.LookedAsync shelf.Captured traps.Calmly traps.Stir',
      setter: 'shelf.setName shelf.SetClamped shelf.setCompared',
      'own-state': 'shelf.Add shelf.Slot shelf.LockedRead shelf.CountAll traps.setMax traps.Try',
      unknown: 'shelf.ShareStatic shelf.Print shelf.LambdaWrites shelf.Evenly shelf.RunAsync traps.Describe traps.Used',
    },
  ],
];

describe.each(PROGRAMS)('%s', (name, traits, effects) => {
  const facts = new RecordedFacts(name);
  const catalog = new MethodCatalog(traits);
  const asked = settle(catalog, facts);

  it.each(
    Object.entries(effects).flatMap(([effect, names]) => names.split(' ').map((each) => [`shop.${each}`, effect])),
  )('%s: %s', (action, effect) => {
    expect(catalog.actions.find((each) => each.name === action)?.effect).toBe(effect);
  });

  it('is asked for the code that is needed, in a few questions', () => {
    expect(asked).toBeLessThan(15);
    expect(catalog.question()).toMatchObject({ methods: [], bodies: [], members: [], contracts: [] });
  });

  it('is judged the same when it is told of in small pieces', () => {
    const slow = new MethodCatalog(traits);
    settle(slow, new RecordedFacts(name, 2));
    expect(slow.actions).toEqual(catalog.actions);
  });

  it('is judged the same after code was loaded', () => {
    const again = new MethodCatalog(traits);
    const more = new RecordedFacts(name, 3);
    settle(again, more);
    again.take({ ...more.answer(again.question()), codeVersion: 100 });
    expect(again.isSettled).toBe(false);
    more.all.codeVersion = 100;
    settle(again, more);
    expect(again.actions).toEqual(catalog.actions);
  });

  it('is told of once: what is taken again changes nothing', () => {
    const before = catalog.actions;
    catalog.take({ ...facts.answer(catalog.question()), sequence: 1 });
    expect(catalog.actions).toBe(before);
  });
});
