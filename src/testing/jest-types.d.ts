// The types of `substrated/test/jest`; the build copies them to the package. This repository has no jest to compile with.
import type { AppMatchers } from './index.ts';

export * from './index.ts';

// For `import { expect } from '@jest/globals'`.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends AppMatchers<Promise<void>> {}
}

// For the global `expect`, with @types/jest.
declare global {
  namespace jest {
    interface Matchers<R, T> extends AppMatchers<Promise<void>> {}
  }
}
