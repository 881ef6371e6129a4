import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseTime } from '../../../src/cli/time-span.ts';

beforeEach(() => {
  vi.useFakeTimers();
  // By the clock of this machine, as people type it.
  vi.setSystemTime(new Date(2026, 10, 17, 14, 30));
});
afterEach(() => {
  vi.useRealTimers();
});

const at = (day: number, hour: number, minute: number, second = 0) =>
  new Date(2026, 10, day, hour, minute, second).getTime();

it.each([
  ['30s', -1, at(17, 14, 29, 30)],
  ['2h', -1, at(17, 12, 30)],
  ['1d', 1, at(18, 14, 30)],
  ['14:03', -1, at(17, 14, 3)],
  ['14:03:07', -1, at(17, 14, 3, 7)],
  ['9:05', -1, at(17, 9, 5)],
  // It has not been so late today.
  ['23:59', -1, at(16, 23, 59)],
  ['23:59', 1, at(17, 23, 59)],
  ['9:05', 1, at(18, 9, 5)],
  ['2026-11-01T00:00:00.000Z', -1, Date.UTC(2026, 10, 1)],
  ['24:00', -1, Number.NaN],
  ['soon', -1, Number.NaN],
] as const)('%s, direction %i', (text, direction, expected) => {
  expect(parseTime(text, direction)).toBe(expected);
});
