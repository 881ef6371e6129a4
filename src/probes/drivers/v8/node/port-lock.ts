/** All Node programs of a network open their inspector on one port: only one daemon at a time may use it. */
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * An abstract socket: it belongs to this network, like the port, and ends with its process. Padded, because not all
 * versions of Node do that.
 */
const NAME = '\0substrate-inspector-port'.padEnd(108, '\0');
const WAIT_MS = 5000;
const POLL_MS = 10;

/** After too long a wait `isOurs` is false, and only the port shows whether it is free. */
export async function withPortLock<Result>(work: (isOurs: boolean) => Promise<Result>): Promise<Result> {
  const turn = await take();
  try {
    return await work(turn !== null);
  } finally {
    turn?.close();
  }
}

let lastActivation: Promise<unknown> = Promise.resolve();

/** One after the other within this daemon, and then among daemons. */
export function exclusively<Result>(work: (isOurTurn: boolean) => Promise<Result>): Promise<Result> {
  const result = lastActivation.then(() => withPortLock(work));
  // The caller gets the error; the next one only waits for the end.
  lastActivation = result.catch(() => undefined);
  return result;
}

async function take(): Promise<net.Server | null> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const turn = await listen();
    if (turn !== 'taken') return turn;
    await delay(POLL_MS);
  }
  return null;
}

/** Null if this system has no such names. */
function listen(): Promise<net.Server | 'taken' | null> {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.destroy());
    server.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE' ? 'taken' : null));
    server.listen(NAME, () => {
      server.unref();
      resolve(server);
    });
  });
}
