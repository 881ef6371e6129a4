/** All Node programs of a network open their inspector on one port: one daemon at a time has its turn there. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HeldName, ProcessNetwork } from '../../../../model/process.ts';

/** Of the network of the programs, as the port is: that may be another than the daemon's. */
const NAME = 'substrate-inspector-port';
const WAIT_MS = 5000;
const POLL_MS = 10;

/** Who has it for too long is not waited for: then `isOurs` is false, and the port alone tells whether it is free. */
export async function withPortLock<Result>(
  network: ProcessNetwork,
  work: (isOurs: boolean) => Promise<Result>,
): Promise<Result> {
  const turn = await take(network);
  try {
    return await work(turn !== null);
  } finally {
    turn?.release();
  }
}

/** By network: the last one that began there. */
const lastActivations = new Map<string | null, Promise<unknown>>();

/** In turn, and after all that this daemon began in this network before. */
export function exclusively<Result>(
  network: ProcessNetwork,
  work: (isOurTurn: boolean) => Promise<Result>,
): Promise<Result> {
  const { id } = network;
  const result = (lastActivations.get(id) ?? Promise.resolve()).then(() => withPortLock(network, work));
  const forget = () => {
    if (lastActivations.get(id) === ended) lastActivations.delete(id);
  };
  // Whoever began it is told; the next one only waits for its end.
  const ended: Promise<unknown> = result.then(forget, forget);
  lastActivations.set(id, ended);
  return result;
}

async function take(network: ProcessNetwork): Promise<HeldName | null> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const turn = await network.hold(NAME);
    if (turn !== 'taken') return turn;
    await delay(POLL_MS);
  }
  return null;
}
