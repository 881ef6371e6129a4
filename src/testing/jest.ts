/** `substrated/test/jest`: adds the matchers to jest's `expect`. For `setupFilesAfterEnv`, or to import. */
import { matchers } from './index.ts';

export * from './index.ts';

/** The part of jest's global `expect` that is used. */
interface JestGlobals {
  readonly expect?: { extend(extension: typeof matchers): void };
}

const { expect } = globalThis as JestGlobals;
if (!expect)
  throw new Error('There is no global expect here: import matchers from substrated/test, and expect.extend(matchers).');
expect.extend(matchers);
