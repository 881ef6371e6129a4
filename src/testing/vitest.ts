/** `substrated/test/vitest`: adds the matchers and their types to vitest's `expect`. For `setupFiles`, or to import. */
import { expect } from 'vitest';
import { type AppMatchers, matchers } from './index.ts';

export * from './index.ts';

declare module 'vitest' {
  // The parameter must have the same name as in vitest.
  interface Matchers<T> extends AppMatchers<Promise<void>> {}
}

expect.extend(matchers);
