/** Waits until something is true of an app, and says in words why it is not. */
import { SubstrateError, type VerifyResponse } from '../client/node.ts';
import type { AppHandle } from './app-handle.ts';

/** Less than the 5 s that vitest and jest give a test: the explanation comes before they give up. */
const TIMEOUT_MS = 3000;
/** What the daemon takes as one wait. */
const SHORTEST_MS = 100;
const LONGEST_MS = 30_000;
const MAX_CHANGES = 8;
const MAX_VALUE = 200;

export interface ReachOptions {
  /** In ms: 3000 when nothing is said. */
  readonly timeout?: number;
}

export interface Reached {
  readonly passed: boolean;
  /** Why, with the values that were read. */
  readonly explanation: string;
  readonly actual: unknown;
}

export async function reach(app: AppHandle, expression: string, options: ReachOptions = {}): Promise<Reached> {
  const { timeout = TIMEOUT_MS } = options;
  const started = performance.now();
  const deadline = started + timeout;
  // The state of before the test came here proves nothing: the app is looked at first.
  await look(app, deadline);
  let result: VerifyResponse;
  do {
    const remainingMs = Math.round(deadline - performance.now());
    const timeoutMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, remainingMs));
    result = await app.verify(expression, { timeoutMs });
  } while (!result.passed && performance.now() < deadline);
  const passed = result.passed;
  const waitedMs = Math.round(performance.now() - started);
  return { passed, explanation: explain(app, result, waitedMs), actual: result.actual_value };
}

/** An app that hangs for a moment gets as long as the test waits anyhow. */
async function look(app: AppHandle, deadline: number): Promise<void> {
  for (;;) {
    try {
      return await app.substrate.look(app.pid);
    } catch (error) {
      if (error instanceof SubstrateError && error.code === 'not_found')
        throw new Error(`${app.name} (pid ${app.pid}) has ended.`, { cause: error });
      const isPassing = error instanceof SubstrateError && error.status >= 500;
      if (!isPassing || performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, SHORTEST_MS));
  }
}

function explain({ name, pid }: AppHandle, result: VerifyResponse, waitedMs: number): string {
  const changes = result.changed_fields;
  const shown = changes
    .slice(0, MAX_CHANGES)
    .map(({ path, before, after }) => `  ${path}: ${show(before)} → ${show(after)}`);
  const more = changes.length > shown.length ? [`  … ${changes.length - shown.length} more`] : [];
  const meanwhile = changes.length === 0 ? 'Nothing changed meanwhile.' : 'Changed meanwhile:';
  return [result.explanation, '', `${name} (pid ${pid}), ${waitedMs} ms. ${meanwhile}`, ...shown, ...more].join('\n');
}

function show(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
