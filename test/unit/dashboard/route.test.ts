import { expect, it } from 'vitest';
import { linkTo, linkToPredicate, parseRoute } from '../../../src/dashboard/shell/route.ts';

it.each([
  ['', null],
  ['#/', null],
  ['#/app/x/state', null],
  ['#/app/42', { pid: 42, tab: 'state' }],
  ['#/app/42/nothing', { pid: 42, tab: 'state' }],
  [linkTo(42, 'changes'), { pid: 42, tab: 'changes' }],
  [linkToPredicate(42, 'a.b === "x?#"'), { pid: 42, tab: 'verify' }],
])('%s leads to %j', (fragment, route) => {
  expect(parseRoute(fragment)).toEqual(route);
});
