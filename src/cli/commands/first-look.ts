/** A newly found app has no state yet: the command waits for the first capture, and reports the progress. */
import { setTimeout as delay } from 'node:timers/promises';
import type { AppSummary, ProbeStatus } from '../../client/node.ts';
import { NotFoundError, TimeoutError } from '../failures.ts';
import { findApp } from '../find-app.ts';
import { Spinner } from '../spinner.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';

const LOOK_MS = 200;
/** As long as the daemon itself allows for a first capture. */
const LONGEST_WAIT_MS = 90_000;

const WAITING_FOR: Partial<Record<ProbeStatus, string>> = {
  detecting: 'it is about to be attached to',
  attaching: 'the probe is being attached',
  cold_probe: 'its state is being read for the first time',
};

/** An app that is starting may not accept an attach yet: the daemon tries again after one second, and after three. */
const RETRY_GRACE_MS = 6000;

export interface WaitOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/** Resolves when the requested app can be read. */
export async function findReady(
  context: CommandContext,
  wanted: string,
  options: WaitOptions = {},
): Promise<AppSummary> {
  for (;;) {
    const app = await findTracked(context, wanted, options);
    const isThere = await waitForState(context, app, options);
    // A starting program may be two processes for a moment, one of which ends before it can be read.
    if (isThere || !context.wait) return app;
  }
}

/** The requested app; with `--wait`, it may have to be found by the daemon first. */
export async function findTracked(
  { substrate, terminal, wait }: CommandContext,
  wanted: string,
  { timeoutMs = LONGEST_WAIT_MS, signal }: WaitOptions = {},
): Promise<AppSummary> {
  const options = signal === undefined ? {} : { signal };
  const spinner = new Spinner(terminal);
  const deadline = performance.now() + timeoutMs;
  try {
    for (;;) {
      try {
        return await findApp(substrate, wanted, options);
      } catch (error) {
        if (!wait || !(error instanceof NotFoundError) || performance.now() >= deadline) throw error;
      }
      spinner.say(`waiting for ${printable(wanted)} to be found`);
      await delay(LOOK_MS, undefined, options);
    }
  } finally {
    spinner.stop();
  }
}

/**
 * Also resolves if there will be no state: the request for it reports the reason. False if the process ended before it
 * was read.
 */
export async function waitForState(
  { substrate, terminal, wait }: CommandContext,
  app: AppSummary,
  { timeoutMs = LONGEST_WAIT_MS, signal }: WaitOptions = {},
): Promise<boolean> {
  if (app.has_state) return true;
  // Attaches to an app that is not attached yet; the request for its state reports errors. The daemon answers after the
  // attach, or after many seconds, during which a command that has given up would not exit.
  const ended = new AbortController();
  const asking = AbortSignal.any(signal === undefined ? [ended.signal] : [ended.signal, signal]);
  // The request for the state reports the obstacle.
  void substrate.attach(app.pid, { signal: asking }).catch(() => undefined);
  const spinner = new Spinner(terminal);
  const deadline = performance.now() + timeoutMs;
  const graceUntil = wait ? performance.now() + RETRY_GRACE_MS : 0;
  try {
    for (;;) {
      const { has_state, probe_status } = await substrate.app(app.pid, signal === undefined ? {} : { signal });
      const isTriedAgain = probe_status === 'error' && performance.now() < graceUntil;
      const reason = isTriedAgain ? 'it cannot be read yet' : WAITING_FOR[probe_status];
      if (has_state || reason === undefined) return has_state || probe_status !== 'detached';
      if (performance.now() >= deadline)
        throw new TimeoutError(
          `${printable(app.app_name)} (pid ${app.pid}) has no state after ${timeoutMs / 1000} s: ${reason}.`,
        );
      spinner.say(`waiting for ${printable(app.app_name)}: ${reason}`);
      await delay(LOOK_MS, undefined, signal === undefined ? {} : { signal });
    }
  } finally {
    ended.abort();
    spinner.stop();
  }
}
