/** The waiting times of a client of the built daemon for the state of a program. */
import { createHost } from '../../src/host/host.ts';
import type { SubstrateState } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon } from '../../test/support/daemon.ts';
import { until } from '../../test/support/real-processes.ts';
import { Client } from './client.ts';
import { repeat, type Timing } from './stats.ts';
import type { TightTarget } from './tight-target.ts';

/** The measurement itself requests polls; limits would only measure themselves. */
const QUIET = {
  SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
  SUBSTRATE_PROBE__INTERVAL_MS: '600000',
  SUBSTRATE_PROBE__SETTLE_MS: '0',
};

export interface DaemonFigures {
  readonly keys: number;
  /** From the daemon's ready line until the program has a state. */
  readonly firstState: number;
  readonly cached: Timing;
  /** A new capture without a change, the whole body read. */
  readonly fresh: Timing;
  readonly freshParsed: Timing;
}

export async function measureDaemon(target: TightTarget): Promise<DaemonFigures> {
  const others = (await createHost().scanner.scan()).appeared.filter(({ pid }) => pid !== target.pid);
  const exclude = ['node', ...others.map(({ pid }) => pid)].join();
  const daemon = await RunningDaemon.start(makeHome(), { env: { ...QUIET, SUBSTRATE_SCANNER__EXCLUDE: exclude } });
  const began = performance.now();
  await until('the first state', async () => (await daemon.app(target.pid))?.has_state);
  const firstState = performance.now() - began;
  const client = new Client(daemon.base, daemon.key);
  const route = `/state/${target.pid}`;
  const read = async (path: string) => void (await client.request(path));
  const state = await client.json<SubstrateState>(`${route}?fresh=true`);
  const cached = await repeat(() => read(route));
  const fresh = await repeat(() => read(`${route}?fresh=true`));
  const freshParsed = await repeat(async () => void (await client.json<SubstrateState>(`${route}?fresh=true`)));
  client.close();
  await daemon.stop();
  return { keys: Object.keys(state.objects).length, firstState, cached, fresh, freshParsed };
}
