import { expect, it } from 'vitest';
import { appsNamed } from '../../../src/client/named-apps.ts';
import type { AppSummary } from '../../../src/client/types.ts';

const app = (pid: number, app_name: string, app_id: string): AppSummary => ({
  pid,
  app_id,
  app_name,
  runtime: 'x',
  runtime_name: 'X',
  probe_status: 'active',
  confidence: 1,
  object_count: 0,
  action_count: 0,
  last_captured_at: null,
  has_state: true,
  current_view: null,
  current_url: null,
});
const apps = [app(1, 'Tea House', 'tea-house-1'), app(2, 'tea', 'tea-2'), app(3, 'coffee-shop', 'coffee-shop-3')];

it.each([
  ['tea-house-1', [1]],
  ['TeaHouse', [1]],
  ['tea', [2]],
  ['te', [1, 2]],
  ['coffee', [3]],
  ['', []],
  ['milk', []],
])('%j means %j: the exact name before the beginning of one', (wanted, pids) => {
  expect(appsNamed(apps, wanted).map(({ pid }) => pid)).toEqual(pids);
});
