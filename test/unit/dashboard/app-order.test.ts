import { expect, it } from 'vitest';
import type { AppSummary } from '../../../src/client/index.ts';
import { chosenApps } from '../../../src/dashboard/apps/app-order.ts';

const app = (pid: number, app_name: string, more: Partial<AppSummary> = {}): AppSummary => ({
  pid,
  app_name,
  app_id: `${app_name}-1`,
  runtime: 'v8',
  runtime_name: 'Node.js',
  probe_status: 'active',
  confidence_reason: null,
  confidence: 1,
  object_count: 1,
  action_count: 0,
  last_captured_at: null,
  has_state: true,
  current_view: null,
  current_url: null,
  ...more,
});

const apps = [
  app(3, 'shop'),
  app(2, 'Bank', { runtime_name: 'HotSpot' }),
  app(1, 'away', { probe_status: 'detached' }),
];
const pids = (filter: string, order: 'name' | 'activity' = 'name') =>
  chosenApps(apps, { filter, order, activityOf: (pid) => pid }).map(({ pid }) => pid);

it('orders by name, and those that ended last', () => {
  expect(pids('')).toEqual([2, 3, 1]);
});

it('orders by what changes most', () => {
  expect(pids('', 'activity')).toEqual([3, 2, 1]);
});

it('filters by all words, wherever they are', () => {
  expect(pids('hotspot ban')).toEqual([2]);
  expect(pids('bank node')).toEqual([]);
});
