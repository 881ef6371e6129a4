/** Waits until an expression is true for an app, and explains why it is not. */
import { SubstrateError, type VerifyResponse } from '../client/node.ts';
import type { AppHandle } from './app-handle.ts';

/** Less than the 5 s of vitest and jest for a test, so that the explanation comes before they give up. */
const TIMEOUT_MS = 3000;
/** The limits of the daemon for one wait. */
const SHORTEST_MS = 100;
const LONGEST_MS = 30_000;
const MAX_CHANGES = 8;
const MAX_VALUE = 200;

export interface ReachOptions {
  /** In ms; 3000 by default. */
  readonly timeout?: number;
}

export interface Reached {
  readonly passed: boolean;
  /** The reason, with the values that were read. */
  readonly explanation: string;
  readonly actual: unknown;
}

export async function reach(app: AppHandle, expression: string, options: ReachOptions = {}): Promise<Reached> {
  const { timeout = TIMEOUT_MS } = options;
  const started = performance.now();
  const deadline = started + timeout;
  // A state from before the test step proves nothing, so the app is captured first.
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

/** An app that hangs for a moment gets as long as the test waits anyway. */
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
