import { expect, it } from 'vitest';
import { appsNamed } from '../../../src/client/named-apps.ts';
import type { AppSummary } from '../../../src/client/types.ts';

const app = (pid: number, app_name: string, app_id: string, aliases?: string[]): AppSummary => ({
  pid,
  app_id,
  app_name,
  ...(aliases && { aliases }),
  runtime: 'x',
  runtime_name: 'X',
  probe_status: 'active',
  confidence_reason: null,
  confidence: 1,
  object_count: 0,
  action_count: 0,
  last_captured_at: null,
  has_state: true,
  current_view: null,
  current_url: null,
});
const HOME = 'sweet-home-3d-00000000000000aa';
const apps = [
  app(1, 'Tea House', 'tea-house-1'),
  app(2, 'tea', 'tea-2'),
  app(3, 'coffee-shop', 'coffee-shop-3'),
  app(4, 'Sweet Home 3D', HOME, ['basic-00000000000000bb']),
  app(5, '@acme/desk', 'acme-desk-5'),
  app(6, 'PDFsam Basic', 'pdfsam-basic-6'),
];

it.each([
  ['tea-house-1', [1]],
  ['TeaHouse', [1]],
  ['tea', [2]],
  ['te', [1, 2]],
  ['coffee', [3]],
  ['shop', [3]],
  ['house', [1]],
  ['hous', [1]],
  ['home 3d', [4]],
  ['SweetHome', [4]],
  ['ome', []],
  ['desk', [5]],
  ['acme', [5]],
  ['@acme/desk', [5]],
  ['PDFsam', [6]],
  ['basic', [6]],
  [HOME, [4]],
  ['basic-00000000000000bb', [4]],
  ['renamed-00000000000000aa', [4]],
  ['renamed-00000000000000cc', []],
  ['', []],
  ['milk', []],
])('%j means %j: an id, then a name, then words of it, then the beginning of one', (wanted, pids) => {
  expect(appsNamed(apps, wanted).map(({ pid }) => pid)).toEqual(pids);
});
