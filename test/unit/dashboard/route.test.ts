import { expect, it } from 'vitest';
import {
  allGivenBy,
  hostOf,
  linkTo,
  linkToCharts,
  linkToHost,
  linkToPredicate,
  parseRoute,
  routeAmong,
} from '../../../src/dashboard/shell/route.ts';

it.each([
  ['', null],
  ['#/', null],
  ['#/app/x/state', null],
  ['#/app/42', { pid: 42, tab: 'state' }],
  ['#/app/42/nothing', { pid: 42, tab: 'state' }],
  ['#/hosts', null],
  ['#/host/web-3/', null],
  ['#/host/web-3/app/42/changes', { pid: 42, tab: 'changes' }],
  [linkTo(42, 'changes'), { pid: 42, tab: 'changes' }],
  [linkToPredicate(42, 'a.b === "x?#"'), { pid: 42, tab: 'verify' }],
])('%s leads to %j', (fragment, route) => {
  expect(parseRoute(fragment)).toEqual(route);
});

it('tells the host before everything else', () => {
  expect(['#/', '#/hosts', '#/host/web-3', '#/app/42', '#/host/a.b/app/1'].map(hostOf)).toEqual(Array(5).fill(null));
  expect(hostOf('#/host/web-3/app/42/state?key=a')).toBe('web-3');
  expect(hostOf(linkToHost('web-3'))).toBe('web-3');
});

it('leads from a link that was sent to the process that is there', () => {
  const keys = ['shop.queue.length', 'rates["odd & key?#"]'];
  const link = linkToCharts({ appId: 'shop-0a1b', pid: 42 }, keys);
  expect(allGivenBy(link, 'key')).toEqual(keys);
  const route = parseRoute(link);
  const app = (pid: number, app_id: string, has_state = true) => ({ pid, app_id, has_state });
  const among = (...apps: ReturnType<typeof app>[]) => routeAmong(route, apps);
  expect(among(app(41, 'shop-0a1b'), app(42, 'shop-0a1b'), app(43, 'shop-0a1b'))).toEqual({ pid: 42, tab: 'charts' });
  // The pid belongs to another program by now.
  expect(among(app(42, 'inbox-1'), app(50, 'shop-0a1b'), app(51, 'shop-0a1b', false))).toEqual({
    pid: 50,
    tab: 'charts',
  });
  expect(among(app(42, 'inbox-1'))).toBeUndefined();
  expect(routeAmong(null, [])).toBeNull();
});
