/** An app that has just been found has no state yet: whoever asks waits for the first look, and is told what is going on. */
import { setTimeout as delay } from 'node:timers/promises';
import type { AppSummary, ProbeStatus } from '../../client/node.ts';
import { NotFoundError, TimeoutError } from '../failures.ts';
import { findApp } from '../find-app.ts';
import { Spinner } from '../spinner.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';

const LOOK_MS = 200;
/** As long as the daemon itself takes for a first look. */
const LONGEST_WAIT_MS = 90_000;

const WAITING_FOR: Partial<Record<ProbeStatus, string>> = {
  detecting: 'it is about to be attached to',
  attaching: 'the probe is being attached',
  cold_probe: 'its state is being read for the first time',
};

/** An app that is only just starting may not let anybody in yet: the daemon tries again after one second, and after three. */
const PATIENCE_MS = 6000;

export interface WaitOptions {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
}

/** The app that is meant, when it can be read. */
export async function findReady(
  context: CommandContext,
  wanted: string,
  options: WaitOptions = {},
): Promise<AppSummary> {
  for (;;) {
    const app = await findTracked(context, wanted, options);
    const isThere = await waitForState(context, app, options);
    // A program that starts may be two processes for a moment, of which one ends before anybody could look at it.
    if (isThere || !context.wait) return app;
  }
}

/** The app that is meant; where `--wait` was given, one that the daemon has yet to find. */
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
 * Also resolves when there will be none: the daemon says why to whoever asks for it. False: the process has ended, without
 * having been looked at.
 */
export async function waitForState(
  { substrate, terminal, wait }: CommandContext,
  app: AppSummary,
  { timeoutMs = LONGEST_WAIT_MS, signal }: WaitOptions = {},
): Promise<boolean> {
  if (app.has_state) return true;
  // One that is not attached to by itself is now; what is wrong with it is said to whoever asks for its state.
  // The daemon answers when it is attached to, or after many seconds, for which a command that has given up would stay.
  const ended = new AbortController();
  const asking = AbortSignal.any(signal === undefined ? [ended.signal] : [ended.signal, signal]);
  // What is in the way is said by the request for the state.
  void substrate.attach(app.pid, { signal: asking }).catch(() => undefined);
  const spinner = new Spinner(terminal);
  const deadline = performance.now() + timeoutMs;
  const patientUntil = wait ? performance.now() + PATIENCE_MS : 0;
  try {
    for (;;) {
      const { has_state, probe_status } = await substrate.app(app.pid, signal === undefined ? {} : { signal });
      const isTriedAgain = probe_status === 'error' && performance.now() < patientUntil;
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
