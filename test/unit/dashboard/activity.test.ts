import { expect, it } from 'vitest';
import { sparklinePath } from '../../../src/dashboard/apps/sparkline-path.ts';
import { Activity } from '../../../src/dashboard/live/activity.ts';

const START_MS = 1_800_000_000_000;

it('counts by the second, oldest first, without the second that still runs', () => {
  const activity = new Activity();
  activity.add(3, START_MS);
  activity.add(2, START_MS + 400);
  activity.add(7, START_MS + 2000);
  expect([...new Set(activity.read(START_MS + 500))]).toEqual([0]);
  expect(activity.read(START_MS + 3000).slice(-3)).toEqual([5, 0, 7]);
});

it('forgets what is older than a minute, also after a long pause', () => {
  const activity = new Activity();
  activity.add(9, START_MS);
  expect(activity.read(START_MS + 59_000)[0]).toBe(9);
  expect([...new Set(activity.read(START_MS + 60_000))]).toEqual([0]);
  activity.add(1, START_MS + 200_000);
  expect(activity.read(START_MS + 201_000)).toEqual([...Array(58).fill(0), 1]);
});

it('counts on when the clock is set back', () => {
  const activity = new Activity();
  activity.add(1, START_MS + 5000);
  activity.add(1, START_MS);
  expect(activity.read(START_MS + 6000).at(-1)).toBe(2);
});

it('draws a line that stays within its frame', () => {
  const path = sparklinePath([0, 1, 4, 10_000]);
  const heights = [...path.matchAll(/ ([\d.]+)/g)].map(([, y]) => Number(y));
  expect(heights).toHaveLength(4);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(0);
  expect(heights[0]).toBeGreaterThan(heights[1] ?? 0);
  expect(heights.at(-1)).toBe(Math.min(...heights));
});
