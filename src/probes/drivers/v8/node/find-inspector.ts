/** Whether a process has an inspector open, and where; and the waits for that. */
import * as z from 'zod';
import type { Listener, ProcessInfo, ProcessInspector, ProcessNetwork, ProcessRef } from '../../../../model/process.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import { askJson, localAddress } from '../cdp/debug-http.ts';

/** Where SIGUSR1 opens the inspector, unless the command line names another port. */
export const INSPECTOR_PORT = 9229;
const WAIT_MS = 3000;
export const OPENING_WAIT_MS = WAIT_MS;
const CHECK_INTERVAL_MS = 5;
/** The tables of the kernel take some ms to read: a program that is slow to open its inspector is asked less often. */
export const OPENING_PART = 0.1;

const inspectorTargets = z.array(
  z.object({ webSocketDebuggerUrl: z.string(), type: z.string(), url: z.string().catch('') }),
);

export interface FoundInspector {
  readonly url: string;
  /** Its name for the program: the URL of its main module. */
  readonly mainUrl: string;
}

export function findOpenInspector(process: ProcessInfo, inspect: ProcessInspector): Promise<FoundInspector | null> {
  return askInspector(inspect.network(process), inspect.listeners(process).filter(mayBeInspector(process)));
}

/** Servers of the app itself must not see requests of ours: only ports that Node or the command line names for this. */
export function mayBeInspector({ argv }: Pick<ProcessInfo, 'argv'>): (listener: Listener) => boolean {
  return isInspectorPort(namedPorts(argv));
}

export function isInspectorPort(named: readonly number[]): (listener: Listener) => boolean {
  // Zero stands for any that is free.
  return ({ port }) => port === INSPECTOR_PORT || named.includes(port) || named.includes(0);
}

/** Those that the command line names for an inspector. */
export function namedPorts(argv: readonly string[]): number[] {
  return argv.flatMap((argument) => {
    const port = /^--inspect(?:-brk|-wait|-port)?=(?:.*:)?(\d+)$/.exec(argument)?.[1];
    return port === undefined ? [] : [Number(port)];
  });
}

/** The answer of one of these listeners in this network, if it is an inspector. */
export async function askInspector(
  network: ProcessNetwork,
  listeners: readonly Listener[],
): Promise<FoundInspector | null> {
  for (const address of listeners.flatMap((listener) => localAddress(listener) ?? [])) {
    const answer = await askJson(network, `http://${address}/json/list`);
    const target = inspectorTargets.safeParse(answer?.body).data?.find(({ type }) => type === 'node');
    // Only the path is taken: whoever answers must not send us elsewhere.
    const path = target && /^ws:\/\/[^/]+(\/[\w-]+)$/.exec(target.webSocketDebuggerUrl)?.[1];
    if (path) return { url: `ws://${address}${path}`, mainUrl: target.url };
  }
  return null;
}

/**
 * The first answer that is not null; null when the time is up. Throws as soon as the process is gone. `part` of the time
 * that it took so far passes before it is asked again.
 */
export async function waitUntil<Answer>(
  process: ProcessRef,
  { inspect, abort }: Pick<AttachTools, 'inspect' | 'abort'>,
  ask: () => Answer | null | Promise<Answer | null>,
  waitMs = WAIT_MS,
  part = 0,
): Promise<Answer | null> {
  const began = performance.now();
  for (let waited = 0; waited < waitMs; waited = performance.now() - began) {
    if (abort.aborted) throw processGone();
    const answer = await ask();
    if (answer !== null) return answer;
    if (!inspect.isAlive(process)) throw processGone();
    await new Promise((resolve) => setTimeout(resolve, Math.max(CHECK_INTERVAL_MS, waited * part)));
  }
  return null;
}

export function processGone(): AttachError {
  return new AttachError('The process ended while the probe was being attached.', { retry: false });
}
