/**
 * Attaches to a Deno process: through the inspector that its command line asked for, or one that SIGUSR1 opens. Nothing
 * is done inside that needs a permission which the program does not have: Deno would stop and ask the person in front.
 */

import net from 'node:net';
import * as z from 'zod';
import { messageOf } from '../../../../model/failure.ts';
import type { ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { AttachError, type AttachTools } from '../../../probe.ts';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { CdpTimeout } from '../cdp/cdp-session.ts';
import type { CaptureOptions } from '../node/agent/protocol.ts';
import { askInspector, processGone } from '../node/find-inspector.ts';
import {
  checkInspector,
  checkNetwork,
  forgetInspector,
  holdSharedPort,
  type InspectorWords,
  type OpenInspector,
  withInspector,
} from '../node/node-inspector.ts';
import { NodeProbe } from '../node/node-probe.ts';
import { removeMark } from '../node/signal-mark.ts';
import agentSource from './agent/main.ts?agent';
import { DenoChannel } from './deno-channel.ts';
import { identifyDenoModule } from './deno-identity.ts';

const CALL_TIMEOUT_MS = 3000;
const REOPEN_WAIT_MS = 3000;
const REOPEN_CHECK_MS = 10;
const MAX_PORT_TURNS = 20;
/** After which the program closes the inspector by itself: without a daemon, and without an agent. */
interface ClosingTimes {
  readonly leaseMs: number;
  /** More than an attach takes. */
  readonly armedMs: number;
}
const CLOSING: ClosingTimes = { leaseMs: 9000, armedMs: 10_000 };
const MAX_REASON = 300;
const START_COMMAND = 'deno run --inspect=127.0.0.1:0 …';

const WORDS: InspectorWords = {
  waitsIn: ['epoll'],
  name: 'Deno process',
  notListening:
    'This Deno process does not listen to SIGUSR1 (it is still starting, or its version does not open an inspector), so it cannot be looked into.',
  notOpened:
    'This Deno process did not open its inspector after SIGUSR1: it handles this signal itself, is too busy, or its version does not do that.',
  remedy: {
    notListening: `Start it with: ${START_COMMAND}`,
    notOpened: `It is not signalled again; start it with: ${START_COMMAND}`,
  },
};

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional(), objectId: z.string().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

export async function attachDeno(
  process: ProcessInfo,
  tools: AttachTools,
  options: CaptureOptions,
  closing: ClosingTimes = CLOSING,
): Promise<NodeProbe> {
  const details = await checkNetwork(process, tools.inspect);
  checkNotWaiting(process);
  try {
    let mainUrl = '';
    const work = (inspector: OpenInspector) => {
      mainUrl = inspector.mainUrl;
      return connect(process, tools, options, details.namespacePid, inspector, closing);
    };
    const channel = await withInspector(process, tools, WORDS, work, { keepsOpen: true, isPatient: true });
    const program = identifyDenoModule(mainUrl, (file) => tools.inspect.resolvePath(process, file));
    return new NodeProbe(channel, tools.maxKeys, program ?? undefined);
  } catch (error) {
    if (error instanceof AttachError) throw error;
    if (!tools.inspect.isAlive(process)) throw processGone();
    const why = messageOf(error);
    throw new AttachError(`The process did not take the agent: ${why}.`, { retry: true, cause: error });
  }
}

/** Runs all checks that are possible beforehand, and returns the way in. Throws `AttachError`. */
export async function checkDeno(process: ProcessInfo, inspect: ProcessInspector): Promise<string> {
  await checkNetwork(process, inspect);
  checkNotWaiting(process);
  return checkInspector(process, inspect, WORDS);
}

function checkNotWaiting({ argv }: ProcessInfo): void {
  if (!argv.some((argument) => /^--inspect-(?:brk|wait)\b/.test(argument))) return;
  throw new AttachError(
    `This ${WORDS.name} was started with --inspect-brk or --inspect-wait and waits for a person's debugger: to connect would start it.`,
    { retry: false, remedy: `Start it with: ${START_COMMAND}` },
  );
}

async function connect(
  process: ProcessInfo,
  tools: AttachTools,
  options: CaptureOptions,
  expectedPid: number,
  { url, mainUrl, isOurs }: OpenInspector,
  { leaseMs, armedMs }: ClosingTimes,
): Promise<DenoChannel> {
  const network = tools.inspect.network(process);
  let connection = await CdpConnection.open(network, url, CALL_TIMEOUT_MS, undefined, tools.trace);
  try {
    const arm = () => checkAndArm(connection, process, expectedPid, isOurs ? armedMs : null);
    let disarm = await arm();
    const elsewhere = isOurs ? await reopenElsewhere(connection, process, tools.inspect, disarm) : null;
    if (elsewhere !== null) {
      tools.trace.note('its inspector was moved', { port: Number(new URL(elsewhere).port) });
      connection = await CdpConnection.open(network, elsewhere, CALL_TIMEOUT_MS, undefined, tools.trace);
      // The port was free a moment ago; somebody else may have been faster.
      disarm = await arm();
    }
    // From here on it closes the inspector by itself when we are gone.
    if (isOurs) removeMark(process);
    const agentOptions = { ...options, mainUrl, leaseMs: isOurs ? leaseMs : 0 };
    const agent = await evaluate(connection, `(${agentSource})(${JSON.stringify(agentOptions)})`, false);
    await disarm();
    const disconnect = createDisconnect(connection, expectedPid, isOurs);
    const channel = new DenoChannel(connection, z.string().parse(agent.objectId), disconnect, tools.trace);
    const letGo =
      isOurs && elsewhere === null ? holdSharedPort(network, { giveWay: () => channel.close() }) : () => undefined;
    void channel.closed.then(() => {
      letGo();
      return forgetInspector(process, tools);
    });
    return channel;
  } catch (error) {
    await createDisconnect(connection, expectedPid, isOurs)();
    throw error;
  }
}

/**
 * Checks that the inspector belongs to this process, and makes the program close it some seconds later, because the daemon
 * may be killed before there is an agent with a lease. Returns a function that cancels this. The URL would distinguish the
 * inspector from one that was opened again, but reading it needs a permission.
 */
async function checkAndArm(
  connection: CdpConnection,
  process: ProcessInfo,
  expectedPid: number,
  armedMs: number | null,
): Promise<() => Promise<void>> {
  const arm = `((pid, inspector, timers) => {
    if (pid !== ${expectedPid} || ${armedMs === null}) return { pid };
    // In the app's own turn nothing may throw; one that is closed already is what is wanted.
    const close = () => { try { inspector.close(); } catch {} };
    const timer = timers.setTimeout(close, ${armedMs});
    timer.unref();
    return { pid, disarm: () => timers.clearTimeout(timer) };
  })(Deno.pid, process.getBuiltinModule('inspector'), process.getBuiltinModule('timers'))`;
  try {
    const { objectId } = await evaluate(connection, arm, false);
    const call = (functionDeclaration: string) => callOn(connection, objectId, functionDeclaration);
    // The port may have changed hands since it was looked up.
    const { value } = await call('function(){ return this.pid }');
    if (value !== expectedPid) {
      throw new AttachError(`The inspector's port belongs to process ${String(value)}, not to ${process.pid}.`, {
        retry: true,
      });
    }
    return async () => void (await call('function(){ this.disarm?.() }'));
  } catch (error) {
    if (!(error instanceof CdpTimeout)) throw error;
    throw new AttachError(`The app's event loop has been blocked for ${CALL_TIMEOUT_MS / 1000} s.`, {
      retry: true,
      remedy: 'It is tried again later.',
      cause: error,
    });
  }
}

/**
 * Moves the inspector from the port that all Node processes share to one of its own, when the program may open one
 * itself. Returns the new address, or null if the inspector stays where it is.
 */
async function reopenElsewhere(
  connection: CdpConnection,
  process: ProcessInfo,
  inspect: ProcessInspector,
  disarm: () => Promise<void>,
): Promise<string | null> {
  const port = await freePort((port) => inspect.isPortTaken(process, port));
  if (port === null) return null;
  // Both, and asked for without asking the person: `open` would.
  const permissions = [
    { name: 'sys', kind: 'inspector' },
    { name: 'net', host: `127.0.0.1:${port}` },
  ];
  const isGranted = `${JSON.stringify(permissions)}.every((one) => Deno.permissions.querySync(one).state === 'granted')`;
  if ((await evaluate(connection, isGranted)).value !== true) return null;
  await disarm();
  const reopen = `inspector.close(); inspector.open(${port}, '127.0.0.1');`;
  // The answer may be lost with the connection.
  await evaluate(connection, inNextTurn(reopen)).catch(() => undefined);
  await connection.close();
  const deadline = performance.now() + REOPEN_WAIT_MS;
  while (performance.now() < deadline) {
    const found = await askInspector(inspect.network(process), [{ address: '127.0.0.1', port }]);
    if (found) return found.url;
    await new Promise((resolve) => setTimeout(resolve, REOPEN_CHECK_MS));
  }
  throw new Error('its inspector did not open again');
}

/** Once, whoever asks: closes an inspector that is ours, and the connection. */
function createDisconnect(connection: CdpConnection, expectedPid: number, isOurs: boolean): () => Promise<void> {
  let done: Promise<void> | null = null;
  const disconnect = async () => {
    const close = inNextTurn(`if (Deno.pid === ${expectedPid}) inspector.close();`);
    // The program or the connection has ended: then there is no inspector any more. The trace has the call.
    if (isOurs) await evaluate(connection, close).catch(() => undefined);
    await connection.close();
  };
  return () => {
    done ??= disconnect();
    return done;
  };
}

/** In the next turn of the loop: the inspector must not be closed from within one of its own calls. */
function inNextTurn(code: string): string {
  // In the app's own turn nothing may throw.
  return `((inspector, timers) => { timers.setImmediate(() => { try { ${code} } catch {} }); })(process.getBuiltinModule('inspector'), process.getBuiltinModule('timers'))`;
}

function evaluate(connection: CdpConnection, expression: string, returnByValue = true) {
  return send(connection, 'Runtime.evaluate', { expression, returnByValue });
}

function callOn(connection: CdpConnection, objectId: string | undefined, functionDeclaration: string) {
  return send(connection, 'Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue: true });
}

async function send(connection: CdpConnection, method: string, what: object) {
  const params = { ...what, silent: true, objectGroup: 'substrate' };
  const answer = evaluated.parse(await connection.send(method, params, CALL_TIMEOUT_MS));
  if (!answer.exceptionDetails) return answer.result;
  const { text, exception } = answer.exceptionDetails;
  const why = (exception?.description ?? text).split('\n')[0]?.slice(0, MAX_REASON);
  // It would be the same the next time, with a signal and some lines on the app's stderr each.
  throw new AttachError(`The process did not take the agent: ${why}.`, { retry: false });
}

/** A port that is free here is mostly free in another network, too. Null if none was found. */
async function freePort(isTaken: (port: number) => boolean): Promise<number | null> {
  for (let turn = 0; turn < MAX_PORT_TURNS; turn++) {
    const port = await freePortHere();
    if (!isTaken(port)) return port;
  }
  return null;
}

function freePortHere(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
