import { expect, it } from 'vitest';
import { configSchema } from '../../../src/config-schema.ts';
import { probeBudget } from '../../../src/daemon/probe-budget.ts';

const label = { label: 'visits', type: 'number' as const, confidence: 1, confirmed: false };
const { probe } = configSchema.parse({});
const percent = (labels: object, hints = {}, own: Partial<typeof probe> = {}) =>
  probeBudget({ ...probe, ...own }, { labels: { ...labels }, hints }, 0).searchPercent;

it('reads an app at once that was read within its budget before, and searches an unknown one slowly', () => {
  expect(percent({})).toBe(5);
  expect(percent({ visits: label })).toBe(100);
  expect(percent({ visits: label }, { stopped_by: null })).toBe(100);
});

it('takes its time with an app that was too large for its budget', () => {
  expect(percent({ visits: label }, { stopped_by: 'time' })).toBe(5);
  expect(percent({ visits: label }, { stopped_by: 'memory' })).toBe(5);
});

it('follows the configuration', () => {
  expect(percent({ visits: label }, {}, { budget_search_percent: 1 })).toBe(20);
  expect(percent({ visits: label }, {}, { budget_search_percent: 60 })).toBe(100);
});

it('counts memory by what the program has, and at least what is configured', () => {
  const bytes = (resident: number) => probeBudget(probe, { labels: {}, hints: {} }, resident).memoryBytes;
  expect(bytes(0)).toBe(16 * 1024 * 1024);
  expect(bytes(1024 ** 3)).toBeCloseTo(1024 ** 3 / 10);
});
