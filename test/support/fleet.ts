/** Daemons of a fleet in this process: real edges and a real NATS server, but no apps. */
import { onTestFinished, vi } from 'vitest';
import { configSchema } from '../../src/config-schema.ts';
import { Fleet, type FleetParts } from '../../src/fleet/fleet.ts';
import { type Harness, type HarnessOptions, startServer } from '../unit/http/harness.ts';
import type { Nats } from './nats.ts';

export interface FleetDaemon extends Harness {
  readonly fleet: Fleet;
}

export interface FleetDaemonOptions extends HarnessOptions {
  readonly credentials?: Uint8Array;
  /** Further settings of [fleet]. */
  readonly settings?: object;
  readonly schemas?: NonNullable<FleetParts['schemas']>;
  /** False if the test itself waits for the result. */
  readonly joins?: boolean;
}

export async function startInFleet(nats: Nats, host: string, options: FleetDaemonOptions = {}): Promise<FleetDaemon> {
  let fleet: Fleet | null = null;
  const harness = await startServer({ ...options, fleet: () => fleet });
  const note = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    void harness.log.push({ ...fields, level, message });
  fleet = new Fleet({
    settings: configSchema.parse({ fleet: { servers: [nats.address], host, ...options.settings } }).fleet,
    credentials: options.credentials ?? null,
    machine: 'machine',
    version: '1.2.3',
    server: harness.server,
    ...(options.schemas === undefined ? {} : { schemas: options.schemas }),
    log: { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') },
  });
  const started = fleet;
  onTestFinished(() => started.close());
  started.start();
  const hasJoined = () => {
    if (!started.isAnswering) throw new Error(started.problem ?? 'not in the fleet yet');
  };
  if (options.joins !== false) await vi.waitFor(hasJoined, { timeout: 10_000, interval: 20 });
  return { ...harness, fleet: started };
}
