/** Matchers for `expect.extend` of vitest, jest and Playwright. They import none of these. */
import { AppHandle } from './app-handle.ts';
import { type Expected, equals } from './expression.ts';
import { type ReachOptions, reach } from './reach.ts';

/** The part of a runner's `this` that the matchers use. */
export interface MatcherContext {
  readonly isNot?: boolean;
}

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The matchers in use: `await expect(app).toReach(…)`. With `.not` they wait until it is not true. */
export interface AppMatchers<Result> {
  /** Waits until an expression over the state of the app is true. */
  toReach(expression: string, options?: ReachOptions): Result;
  /** Waits until a part of the state has a value; only the given fields of an object count. */
  toReachState(path: string, expected: Expected, options?: ReachOptions): Result;
}

export const matchers = {
  async toReach(
    this: MatcherContext,
    app: AppHandle,
    expression: string,
    options: ReachOptions = {},
  ): Promise<MatcherResult> {
    return outcome(this, app, { call: `toReach(${JSON.stringify(expression)})`, expression, options });
  },

  async toReachState(
    this: MatcherContext,
    app: AppHandle,
    path: string,
    expected: Expected,
    options: ReachOptions = {},
  ): Promise<MatcherResult> {
    const call = `toReachState(${JSON.stringify(path)}, ${JSON.stringify(expected)})`;
    return outcome(this, app, { call, expression: equals(path, expected), options });
  },
};

interface Wanted {
  /** As written in the test, for the message. */
  readonly call: string;
  readonly expression: string;
  readonly options: ReachOptions;
}

async function outcome({ isNot = false }: MatcherContext, app: unknown, wanted: Wanted): Promise<MatcherResult> {
  requireHandle(app, wanted.call);
  const { expression, options } = wanted;
  const { passed, explanation } = await reach(app, isNot ? `!(${expression})` : expression, options);
  const message = () => `expect(app)${isNot ? '.not' : ''}.${wanted.call}\n\n${explanation}`;
  // With `.not` the runner inverts the result.
  return { pass: passed !== isNot, message };
}

/** Not checked by class: a test may import it from the other of the package's two formats. */
export function requireHandle(app: unknown, call: string): asserts app is AppHandle {
  const isHandle =
    app instanceof AppHandle || (typeof app === 'object' && app !== null && 'verify' in app && 'appId' in app);
  if (!isHandle) throw new TypeError(`${call} needs an app: const app = await connect('name').`);
}
