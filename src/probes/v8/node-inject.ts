/**
 * Puts the agent into a running Node process: opens the inspector by SIGUSR1 (unless it is open), evaluates the agent
 * through it, leaves, and lets the agent close the inspector again. The port is open for some 50 ms, once.
 */
import { z } from 'zod';
import type { Listener, ProcessInfo, ProcessInspector } from '../../model/process.ts';
import { AttachError, type AttachTools } from '../probe.ts';
import agentSource from './agent/main.ts?agent';
import type { AgentOptions } from './agent/protocol.ts';
import { CdpConnection } from './cdp.ts';

/** SIGUSR1 opens this port, whatever else the process was started with. */
const INSPECTOR_PORT = 9229;
const SIGUSR1_BIT = 1n << 9n;
const PORT_WAIT_MS = 3000;
const PORT_CHECK_INTERVAL_MS = 5;
const CALL_TIMEOUT_MS = 5000;

const inspectorTargets = z.array(z.object({ webSocketDebuggerUrl: z.string(), type: z.string() }));
const evaluated = z.object({
  result: z.object({ value: z.unknown() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

/** The path of the agent's socket, in the target's own file system. */
export async function injectAgent(
  process: ProcessInfo,
  tools: AttachTools,
  options: Omit<AgentOptions, 'closeInspector'>,
): Promise<string> {
  const details = tools.inspect.details(process);
  if (!details) throw gone();
  const already = await findInspector(
    process,
    tools.inspect,
    tools.inspect.listeners(process).filter(mayBeInspector(process)),
  );
  const isOurs = openedByUs.has(processKey(process));
  if (already) return evaluateAgent(process, already, details.namespacePid, { ...options, closeInspector: isOurs });
  return exclusively(async () => {
    openedByUs.add(processKey(process));
    const url = await openInspector(process, tools);
    return evaluateAgent(process, url, details.namespacePid, { ...options, closeInspector: true });
  });
}

/** A target that was too busy to close its inspector again still has it open at the next try: then it is ours to close. */
const openedByUs = new Set<string>();
function processKey({ pid, startTime }: ProcessInfo): string {
  return `${pid}:${startTime}`;
}

/** All activations share one port: the next begins when the port is free again. */
let lastActivation: Promise<unknown> = Promise.resolve();
function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = lastActivation.then(work, work);
  lastActivation = result.catch(() => undefined);
  return result;
}

async function openInspector(process: ProcessInfo, { inspect, signal, abort }: AttachTools): Promise<string> {
  // Read just before the signal: without a handler SIGUSR1 would end the process.
  const details = inspect.details(process);
  if (!details) throw gone();
  if ((details.caughtSignals & SIGUSR1_BIT) === 0n) {
    throw new AttachError(
      'This Node process does not listen to SIGUSR1 (started with --disable-sigusr1, or still starting), so its inspector cannot be opened. Start it with --inspect=0, or without --disable-sigusr1.',
      { retry: true },
    );
  }
  await waitUntil(
    () => !inspect.isPortTaken(process, INSPECTOR_PORT),
    PORT_WAIT_MS,
    abort,
    () => {
      throw new AttachError(
        `Port ${INSPECTOR_PORT}, which the inspector needs for a moment, is taken by another process (a debugger?). It is tried again later.`,
        { retry: true },
      );
    },
  );
  const before = new Set(inspect.listeners(process).map(({ port }) => port));
  signal(process, 'SIGUSR1');
  let url: string | null = null;
  await waitUntil(
    async () => {
      const opened = inspect.listeners(process).filter(({ port }) => !before.has(port));
      url = opened.length > 0 ? await findInspector(process, inspect, opened) : null;
      return url !== null;
    },
    PORT_WAIT_MS,
    abort,
    () => {
      if (!inspect.isAlive(process)) throw gone();
      // One signal is all it gets: its own handler may have run, and must not run again and again.
      throw new AttachError(
        'The process did not open its inspector after SIGUSR1: it handles this signal itself, or runs with --permission. Start it with --inspect=0.',
        {
          retry: false,
        },
      );
    },
  );
  if (url === null) throw gone();
  return url;
}

/** Servers of the app itself must not see requests of ours: only ports that the command line names for the inspector. */
function mayBeInspector(process: ProcessInfo): (listener: Listener) => boolean {
  const ports = new Set([INSPECTOR_PORT]);
  let any = false;
  for (const argument of process.argv) {
    const port = /^--inspect(?:-brk|-wait|-port)?=(?:.*:)?(\d+)$/.exec(argument)?.[1];
    if (port === '0') any = true;
    else if (port !== undefined) ports.add(Number(port));
  }
  return ({ port }) => any || ports.has(port);
}

/** The inspector among these listeners, if one is: asked by HTTP, recognised by its answer. */
async function findInspector(
  process: ProcessInfo,
  inspect: ProcessInspector,
  listeners: readonly Listener[],
): Promise<string | null> {
  for (const { address, port } of listeners) {
    if (!isLoopback(address) || !inspect.isAlive(process)) continue;
    try {
      const host = address.includes(':') ? `[${address}]` : address;
      const response = await fetch(`http://${host}:${port}/json/list`, {
        signal: AbortSignal.timeout(1000),
        redirect: 'error',
      });
      const targets = inspectorTargets.parse(await response.json());
      const target = targets.find(({ type }) => type === 'node');
      if (target) return target.webSocketDebuggerUrl.replace(/^ws:\/\/[^/]+/, `ws://${host}:${port}`);
    } catch {
      // Some other server: not an inspector.
    }
  }
  return null;
}

async function evaluateAgent(
  process: ProcessInfo,
  url: string,
  expectedPid: number,
  options: AgentOptions,
): Promise<string> {
  const connection = await CdpConnection.open(url, CALL_TIMEOUT_MS);
  try {
    // The port may have changed hands since it was looked up.
    const pid = await evaluate(connection, 'process.pid');
    if (pid !== expectedPid)
      throw new AttachError(`The inspector belongs to process ${String(pid)}, not to ${process.pid}.`, { retry: true });
    const path = await evaluate(
      connection,
      `(${agentSource})(${JSON.stringify(options)}, typeof require === 'function' ? require : undefined)`,
    );
    return z.string().parse(path);
  } catch (error) {
    if (options.closeInspector) await closeInspector(connection);
    if (error instanceof AttachError) throw error;
    throw new AttachError(
      `The process did not take the agent: ${error instanceof Error ? error.message : String(error)}. Its event loop may be blocked.`,
      {
        retry: true,
        cause: error,
      },
    );
  } finally {
    await connection.close();
  }
}

async function evaluate(connection: CdpConnection, expression: string): Promise<unknown> {
  const params = { expression, includeCommandLineAPI: true, awaitPromise: true, returnByValue: true, silent: true };
  const answer = evaluated.parse(await connection.call('Runtime.evaluate', params, CALL_TIMEOUT_MS));
  if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text);
  return answer.result.value;
}

/**
 * Undoes SIGUSR1. The call itself comes through even while the event loop is blocked; the closing waits for the loop's next
 * turn, because the signal's own event is still queued there and would open the inspector again.
 */
async function closeInspector(connection: CdpConnection): Promise<void> {
  const expression = `setImmediate(() => (process.getBuiltinModule?.('inspector') ?? require('inspector')).close()), 0`;
  await evaluate(connection, expression).catch(() => undefined);
}

async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  abort: AbortSignal,
  onTimeout: () => void,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (abort.aborted) throw gone();
    if (performance.now() > deadline) return onTimeout();
    await new Promise((resolve) => setTimeout(resolve, PORT_CHECK_INTERVAL_MS));
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || address === '::ffff:127.0.0.1' || address.startsWith('127.');
}

function gone(): AttachError {
  return new AttachError('The process ended while the probe was being attached.', { retry: false });
}
