/** The assertions of the matchers, for node:test and other runners without `expect`. */
import { AssertionError } from 'node:assert';
import type { AppHandle } from './app-handle.ts';
import { type Expected, equals } from './expression.ts';
import { requireHandle } from './matchers.ts';
import { type ReachOptions, reach } from './reach.ts';

/**
 * Waits until an expression over the state of the app is true; throws an `AssertionError` that explains why it is not.
 */
export async function assertReach(app: AppHandle, expression: string, options: ReachOptions = {}): Promise<void> {
  requireHandle(app, 'assertReach');
  const { passed, explanation, actual } = await reach(app, expression, options);
  if (!passed)
    throw new AssertionError({ message: explanation, actual, operator: 'assertReach', stackStartFn: assertReach });
}

/** Waits until a part of the state has a value; only the given fields of an object count. */
export async function assertReachState(
  app: AppHandle,
  path: string,
  expected: Expected,
  options: ReachOptions = {},
): Promise<void> {
  requireHandle(app, 'assertReachState');
  const { passed, explanation, actual } = await reach(app, equals(path, expected), options);
  if (!passed)
    throw new AssertionError({
      message: explanation,
      actual,
      expected,
      operator: 'assertReachState',
      stackStartFn: assertReachState,
    });
}
