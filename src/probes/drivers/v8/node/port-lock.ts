/** All Node programs of a network open their inspector on one port: only one daemon at a time may use it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HeldName, ProcessNetwork } from '../../../../model/process.ts';

/** It belongs to the network of the programs, like the port. That may be another network than the daemon's. */
const NAME = 'substrate-inspector-port';
const WAIT_MS = 5000;
const POLL_MS = 10;

/** After too long a wait `isOurs` is false, and only the port shows whether it is free. */
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

/** One after the other within this daemon and network, and then among daemons. */
export function exclusively<Result>(
  network: ProcessNetwork,
  work: (isOurTurn: boolean) => Promise<Result>,
): Promise<Result> {
  const { id } = network;
  const result = (lastActivations.get(id) ?? Promise.resolve()).then(() => withPortLock(network, work));
  const forget = () => {
    if (lastActivations.get(id) === ended) lastActivations.delete(id);
  };
  // The caller gets the error; the next one only waits for the end.
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
