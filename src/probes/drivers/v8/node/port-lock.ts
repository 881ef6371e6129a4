/** All Node programs of a network open their inspector on one port: one daemon at a time has its turn there. */
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A name of no file: it is of this network, as the port is, and ends with the process that has it. Filled up, because not
 * all versions of Node do that.
 */
const NAME = '\0substrate-inspector-port'.padEnd(108, '\0');
const WAIT_MS = 5000;
const POLL_MS = 10;

/** Who has it for too long is not waited for: then `isOurs` is false, and the port alone tells whether it is free. */
export async function withPortLock<Result>(work: (isOurs: boolean) => Promise<Result>): Promise<Result> {
  const turn = await take();
  try {
    return await work(turn !== null);
  } finally {
    turn?.close();
  }
}

let lastActivation: Promise<unknown> = Promise.resolve();

/** In turn, and after all that this daemon began before. */
export function exclusively<Result>(work: (isOurTurn: boolean) => Promise<Result>): Promise<Result> {
  const result = lastActivation.then(() => withPortLock(work));
  // Whoever began it is told; the next one only waits for its end.
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

/** Null: this system has no such names. */
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
