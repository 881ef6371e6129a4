/** Facts of real programs, stored and recognised again. */
import { describe, expect, it } from 'vitest';
import { CLR } from '../../../../src/probes/drivers/clr/clr-platform.ts';
import { CLR_VALUES } from '../../../../src/probes/drivers/clr/clr-values.ts';
import { JAVA } from '../../../../src/probes/drivers/jvm/java-platform.ts';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import { KeptFacts } from '../../../../src/probes/insight/methods/kept-facts.ts';
import { MethodCatalog, type RuntimeTraits } from '../../../../src/probes/insight/methods/method-catalog.ts';
import type { MethodsAnswer } from '../../../../src/probes/insight/methods/method-facts.ts';
import { RecordedFacts } from '../../../support/recorded-facts.ts';

const PROGRAMS: readonly [string, RuntimeTraits][] = [
  ['java-shop', { platform: JAVA, values: JAVA_VALUES, map: 'map', isOnlyOneFound: true }],
  ['csharp-shop-mono-mcs', { platform: CLR, values: CLR_VALUES, map: 'dictionary', isOnlyOneFound: false }],
];

/** Requests until nothing is left; returns all answers. */
function settle(catalog: MethodCatalog, facts: RecordedFacts): MethodsAnswer[] {
  const answers: MethodsAnswer[] = [];
  while (!catalog.isComplete) {
    if (answers.length > 1000) throw new Error('never settled');
    const answer = facts.answer(catalog.question());
    answers.push(answer);
    catalog.take(answer);
  }
  return answers;
}

const tellsOf = (answers: readonly MethodsAnswer[]) =>
  answers.reduce((sum, { methods, code }) => sum + methods.length + code.methods.length + code.bodies.length, 0);

describe.each(PROGRAMS)('%s', (name, traits) => {
  const start = (stored: unknown, version = '1') =>
    new MethodCatalog(traits, undefined, new KeptFacts(stored, version, traits.values));
  const cold = start(null);
  const asked = settle(cold, new RecordedFacts(name));
  const text = JSON.stringify(cold.factsToKeep());
  /** Lambdas of Java are classes without a file: they are requested each time, and have no methods. */
  const lambdas = new Set(asked[0]?.types.filter(({ name: full }) => full.includes('$$')).map(({ id }) => id));
  const typesTold = (answers: readonly MethodsAnswer[]) =>
    answers.flatMap(({ methods }) => methods.map(({ type }) => type)).filter((type) => !lambdas.has(type));

  it('is known again at once', () => {
    const warm = start(JSON.parse(text));
    const answers = settle(warm, new RecordedFacts(name));
    expect(tellsOf(asked)).toBeGreaterThan(50);
    expect(tellsOf(answers)).toBe(lambdas.size);
    expect(typesTold(answers)).toEqual([]);
    expect(warm.actions).toEqual(cold.actions);
    expect(warm.factsToKeep()).toBeNull();
  });

  it('is judged anew where other code is loaded; until then what was judged stands', () => {
    const warm = start(JSON.parse(text));
    const facts = new RecordedFacts(name);
    facts.all.codeVersion = 77;
    warm.take(facts.answer(warm.question()));
    expect(warm.actions).toEqual(cold.actions);
    expect(warm.isSettled).toBe(false);
    const answers = settle(warm, facts);
    expect(typesTold(answers)).toEqual([]);
    expect(tellsOf(answers)).toBeGreaterThan(lambdas.size);
    expect(warm.actions).toEqual(cold.actions);
  });

  it('is asked for where its type, or one that a parameter has, comes from another file', () => {
    const facts = new RecordedFacts(name);
    const [first] = facts.all.methods;
    const changed = facts.all.types.find(({ id }) => id === first?.type);
    if (changed === undefined) throw new Error('no types');
    facts.all.types = facts.all.types.map((type) => (type === changed ? { ...type, hash: 'other' } : type));
    const warm = start(JSON.parse(text));
    expect(typesTold(settle(warm, facts))).toEqual([changed.id]);

    const kept = JSON.parse(text) as { definitions: { hash: string | null }[] };
    for (const definition of kept.definitions) definition.hash = 'elsewhere';
    const some = typesTold(settle(start(kept), new RecordedFacts(name)));
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(facts.all.methods.length - lambdas.size);
  });

  it.each([
    ['nothing', null],
    ['another format', { ...(JSON.parse(text) as object), format: 2 }],
    ['broken types', { ...(JSON.parse(text) as object), types: [{ name: 'x' }] }],
    ['a text', 'x'],
  ])('is asked for where there is %s', (_what, stored) => {
    const again = start(stored);
    expect(tellsOf(settle(again, new RecordedFacts(name)))).toBe(tellsOf(asked));
    expect(again.actions).toEqual(cold.actions);
  });

  it('is asked for by another version of the agent', () => {
    expect(tellsOf(settle(start(JSON.parse(text), '2'), new RecordedFacts(name)))).toBe(tellsOf(asked));
  });
});

it('no more is kept than there is room for, the newest', () => {
  const kept = new KeptFacts(null, '1', JAVA_VALUES);
  const facts = { lineage: [], isValue: false, isEnum: false, methods: [] };
  for (let id = 0; id < 5000; id++) kept.keepType({ id, name: `shop.T${id}`, hash: 'a' }, facts);
  kept.keepType({ id: 1, name: 'shop.Lambda$$1', hash: 'a' }, facts);
  const { types } = kept.stored;
  expect([types.length, types.at(-1)?.name]).toEqual([2000, 'shop.T4999']);
});
