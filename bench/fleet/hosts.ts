/** The simulated hosts, and the gateway: the product's edges over a service with one recorded app. */
import { configSchema } from '../../src/config-schema.ts';
import type { Service } from '../../src/daemon/service.ts';
import { Teaching } from '../../src/daemon/teaching.ts';
import { Fleet, type FleetParts } from '../../src/fleet/fleet.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { type AppSchema, emptySchema } from '../../src/model/app-schema.ts';
import type { FleetPort } from '../../src/model/fleet.ts';
import { KeyStore } from '../../src/store/key-store.ts';

const LOG = { debug() {}, info() {}, warn() {}, error() {} };
const APP_ID = 'shop-0123456789abcdef';
const CAPTURE_ID = '01900000-0000-7000-8000-000000000000';

/** The size of a small app. */
export function stateBytes(): Buffer {
  const objects = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`shop.orders[${at}].customer`, `Ada ${at}`]),
  );
  return Buffer.from(JSON.stringify({ capture_id: CAPTURE_ID, app_id: APP_ID, pid: 1, objects, actions: {} }));
}

function edge(keys: KeyStore, fleet: () => FleetPort | null = () => null): HttpServer {
  const bytes = stateBytes();
  const known: Partial<Service> = {
    trackedProcesses: () => 1,
    allow: () => {},
    listApps: () => [],
    readFromMemory: () => null,
    readState: async () => ({ bytes: [bytes], captureId: CAPTURE_ID }),
  };
  return createHttpServer({
    // Nothing else of it is used.
    service: known as Service,
    keys,
    config: configSchema.parse({ rate_limit: { enabled: false } }),
    log: LOG,
    version: '0.1.0',
    startedAt: performance.now(),
    metrics: createMetrics(),
    retries: { claim: () => ({ kind: 'new' }), finish: () => {}, release: () => {} },
    mcp: () => Promise.reject(new Error('not measured')),
    fleet,
  });
}

/** What a host knows of the app, in memory, and how it is told that it knows something. */
class Known {
  private schema: AppSchema = emptySchema(APP_ID, 'shop');
  private readonly bases = new Map<string, unknown>();
  readonly teaching = new Teaching({
    tracker: { instances: () => [], becameKnown: () => {} },
    schemas: {
      load: () => this.schema,
      save: (schema) => {
        this.schema = schema;
      },
      namesakes: () => [],
      currentId: (appId) => appId,
    },
    actionLog: { note: () => {}, begin: () => () => {} },
  });

  get parts(): NonNullable<FleetParts['schemas']> {
    const of = (appId: string) => ({
      load: () => this.bases.get(appId),
      save: (base: unknown) => void this.bases.set(appId, base),
    });
    return { knowledgeAs: (host) => this.teaching.knowledgeAs(host), bases: { of } };
  }

  get hasName(): boolean {
    return this.schema.labels['s.q']?.label === 'shop.queue';
  }

  teach(): void {
    this.schema.labels['s.q'] = { label: 'shop.queue', type: 'number', confidence: 1, confirmed: true, by: 'bench' };
  }
}

function fleetOf(server: HttpServer, address: string, host: string, known: Known | null = null): Fleet {
  const { fleet: settings } = configSchema.parse({ fleet: { servers: [address], host, publish: ['shop*:**'] } });
  const schemas = known === null ? {} : { schemas: known.parts };
  return new Fleet({ settings, credentials: null, machine: host, version: '0.1.0', server, log: LOG, ...schemas });
}

export async function startGateway(address: string, keysFile: string) {
  const keys = new KeyStore({ file: keysFile, logger: LOG });
  const { key } = await keys.create('bench');
  keys.start();
  const server = edge(keys, () => fleet);
  const fleet = fleetOf(server, address, 'gate');
  const { port } = await server.listen('127.0.0.1', 0);
  fleet.start();
  return {
    key,
    fleet,
    url: `http://127.0.0.1:${port}`,
    async close() {
      await fleet.close();
      await server.close();
      await keys.close();
    },
  };
}

/** In a process of their own, which reports when all have joined. */
export async function runHosts(count: number, eventsPerHost: number): Promise<void> {
  const keys = new KeyStore({ file: process.env.FLEET_KEYS ?? '', logger: LOG });
  keys.start();
  const server = edge(keys);
  const { port } = await server.listen('127.0.0.1', 0);
  const address = process.env.FLEET_SERVER ?? '';
  const known = Array.from({ length: count }, () => new Known());
  const fleets = known.map((one, at) => fleetOf(server, address, `host-${at}`, one));
  for (const fleet of fleets) fleet.start();
  // Their app runs.
  for (const fleet of fleets) fleet.schemaChanged(APP_ID);
  await until(() => fleets.every(({ isAnswering }) => isAnswering));
  process.send?.(['joined', port]);
  process.on('message', (word) => void (word === 'publish' ? publish(fleets, eventsPerHost) : teach(fleets, known)));
  process.once('disconnect', () => process.exit(0));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A person says a name on one host. */
async function teach([fleet]: readonly Fleet[], known: readonly Known[]): Promise<void> {
  known[0]?.teach();
  fleet?.schemaChanged(APP_ID);
  await until(() => known.every(({ hasName }) => hasName));
  process.send?.(['learnt', 0]);
}

async function publish(fleets: readonly Fleet[], events: number): Promise<void> {
  const app = { appId: APP_ID, appName: 'shop', isForeign: false };
  for (let at = 0; at < events; at++) {
    const changes = [{ key: 'shop.queue.length', before: at, after: at + 1 }];
    for (const { publisher } of fleets)
      publisher?.changed({ pid: 1, app, captureId: CAPTURE_ID, timestamp: new Date().toISOString(), changes });
    await new Promise((resolve) => setImmediate(resolve));
  }
}
