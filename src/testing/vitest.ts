/** `substrated/test/vitest`: gives vitest's `expect` the matchers, and their types. For `setupFiles`, or to import. */
import { expect } from 'vitest';
import { type AppMatchers, matchers } from './index.ts';

export * from './index.ts';

declare module 'vitest' {
  // The parameter must have the name that it has in vitest.
  interface Matchers<T> extends AppMatchers<Promise<void>> {}
}

expect.extend(matchers);
