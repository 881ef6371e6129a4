/**
 * Reads real objects on real runtimes: `state-harness/` is compiled with the agent's sources, and each of its cases
 * compares the agent's result with the real values.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNTIMES, StateHarness } from './state-harness.ts';

const CASES: Readonly<Record<string, readonly string[]>> = {
  CollectionCases: ['Lists', 'OwnCollections', 'Arrays', 'Queues', 'Sets', 'Maps', 'Keys'],
  ObjectCases: ['Values', 'LongTexts', 'Names', 'Closures', 'Structs', 'Wrappers', 'Secrets', 'References', 'Statics'],
  NameCases: ['OfCompilers', 'OfProxies', 'OfShells', 'OfAssemblies'],
  ShownCases: ['HoldersByShape', 'Paths', 'ReturnedValues', 'Owners'],
  DeltaCases: [
    'ManySeeds',
    'ManySeedsUnderCaps',
    'OneChangeIsOneSlot',
    'SlotsAreRenewed',
    'SetMembersKeepTheirPlaces',
    'CapIsKept',
    'NoSubtreeEatsTheCap',
    'Candidates',
  ],
  HostileCases: [
    'NothingIsCalled',
    'MutationsDuringTheWalk',
    'HeldLocksDoNotMatter',
    'NothingIsKeptAlive',
    'LongChainsEnd',
    'LongTextsCountAsMore',
  ],
  // Newer frameworks only.
  NewerCases: ['Immutables', 'Frozen', 'Dates', 'Numbers', 'Collections'],
};

const harness = new StateHarness();

beforeAll(() => harness.compile(), 120_000);

afterAll(() => harness.remove());

describe.each(RUNTIMES)('state of a program on $name', (runtime) => {
  const suites = Object.keys(CASES).filter((suite) => runtime.isNew || suite !== 'NewerCases');
  const named = suites.flatMap((suite) => (CASES[suite] ?? []).map((name) => `${suite}.${name}`));
  let results = new Map<string, string>();

  beforeAll(() => {
    const lines = harness.run(runtime, suites).filter((line) => line.includes('\t'));
    results = new Map(lines.map((line) => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]));
  }, 150_000);

  it.each(named)('%s', (name) => {
    expect(results.get(name)).toBe('ok');
  });

  it('has no case that is not named here', () => {
    expect([...results.keys()].sort()).toEqual([...named].sort());
  });
});
