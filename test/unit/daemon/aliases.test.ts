import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../src/config-schema.ts';
import { Daemon } from '../../../src/daemon/daemon.ts';
import { recall } from '../../../src/daemon/recall.ts';
import type { CallOptions } from '../../../src/daemon/service.ts';
import { isCalled } from '../../../src/model/app-id.ts';
import { type AppSchema, emptySchema } from '../../../src/model/app-schema.ts';
import { EVERYTHING, Permissions } from '../../../src/model/permissions.ts';
import { importRequest } from '../../../src/model/schema-document.ts';
import { substrateState, verifyRequest } from '../../../src/model/wire.ts';
import type { ProgramIdentity, Recognition } from '../../../src/probes/probe.ts';
import { makeAppId } from '../../../src/semantic/app-id.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';
import { FakeMachine, NO_LOG, noSignal } from '../../support/fake-machine.ts';
import { FakeProbe } from '../../support/fake-probe.ts';
import { until } from '../../support/real-processes.ts';
import { tempFolder } from '../store/temp-folder.ts';

const SHOP = process.pid + 1;
const TWIN = process.pid + 2;
const UID = 1000;
const options: CallOptions = {
  keyId: 'key-1',
  keyLabel: null,
  permissions: EVERYTHING,
  permissionsNow: () => EVERYTHING,
  signal: new AbortController().signal,
  spendSnapshot: () => {},
};

const TITLED: ProgramIdentity = { appName: 'queue', identity: 'node-title:/srv:queue' };
const TITLED_ID = makeAppId('queue', TITLED.identity, UID);
const ORDERS: ProgramIdentity = { appName: 'orders', identity: 'node:/srv/orders.js' };
const ORDERS_ID = makeAppId('orders', ORDERS.identity, UID);
const BILLS: ProgramIdentity = { appName: 'bills', identity: 'node:/srv/bills.js' };
const BILLS_ID = makeAppId('bills', BILLS.identity, UID);

/** `seen`: from outside; `said`: by the runtime, for each attached process. */
function setUp(seen: Partial<Recognition>, said: ReadonlyMap<number, ProgramIdentity>, dir = tempFolder()) {
  const machine = new FakeMachine();
  const schemas = new SchemaRegistry({ dir, logger: NO_LOG });
  const recognise = machine.driver.recognise.bind(machine.driver);
  machine.driver.recognise = (process) => {
    const recognition = recognise(process);
    return recognition && { ...recognition, ...seen };
  };
  machine.driver.onAttach = async ({ pid }) => {
    const probe = new FakeProbe();
    probe.state = { x: 1 };
    return Object.assign(probe, { program: said.get(pid) });
  };
  const daemon = new Daemon({
    config: configSchema.parse({
      scanner: { interval_ms: 50, attach: 'all' },
      probe: { settle_ms: 0, interval_ms: 3_600_000 },
    }),
    scanner: machine.scanner,
    inspector: machine.inspector,
    signal: noSignal,
    loadDrivers: async () => machine.drivers,
    schemas,
    metrics: { probeCycle: () => {}, budgetSpent: () => {} },
    log: NO_LOG,
    actionLog: { note: () => {}, begin: () => () => {} },
    browsers: { open: () => Promise.reject(new Error('no browser was wanted')) },
    users: null,
    owners: null,
  });
  onTestFinished(async () => {
    await daemon.stop();
    await schemas.flush();
  });
  const app = (pid: number) => daemon.listApps(EVERYTHING).find((one) => one.pid === pid);
  const run = async (pid: number) => {
    machine.start(pid, 'x', { uid: UID });
    if (daemon.trackedProcesses() === 0) await daemon.start();
    return until(`the state of ${pid}`, () => {
      const found = app(pid);
      return found?.has_state && found;
    });
  };
  const objects = async (pid: number) => {
    const { bytes } = await daemon.readState(pid, { fresh: false, keys: null, known: [] }, options);
    return substrateState.parse(JSON.parse(Buffer.concat(bytes ?? []).toString())).objects;
  };
  return { machine, daemon, schemas, run, objects, app };
}

/** As stored by an earlier version. */
function taught(appId: string, appName: string, label = 'orders.open'): AppSchema {
  const schema = emptySchema(appId, appName);
  schema.labels.x = { label, type: 'number', confidence: 1, confirmed: true };
  schema.schema_version = '1.4.0';
  return schema;
}

async function stored(...schemas: AppSchema[]): Promise<string> {
  const dir = tempFolder();
  const registry = new SchemaRegistry({ dir, logger: NO_LOG });
  for (const schema of schemas) registry.save(schema);
  await registry.flush();
  return dir;
}

describe('an app that the attach shows to be another one', () => {
  it('has the id of what its runtime says; two programs with one title have two', async () => {
    const said = new Map([
      [SHOP, ORDERS],
      [TWIN, BILLS],
    ]);
    const { run, daemon } = setUp(TITLED, said);
    expect(await run(SHOP)).toMatchObject({ app_id: ORDERS_ID, app_name: 'orders', aliases: [TITLED_ID] });
    expect(await run(TWIN)).toMatchObject({ app_id: BILLS_ID, app_name: 'bills', aliases: [TITLED_ID] });
    // Both had this id.
    const request = verifyRequest.parse({ app_id: TITLED_ID, expression: 'x === 1' });
    await expect(daemon.verify(request, options)).rejects.toThrow(
      `${TITLED_ID} was the id of several apps. Name one of ${ORDERS_ID}, ${BILLS_ID}.`,
    );
  });

  it('is found by the id that it had before, also by keys that are for that one alone', async () => {
    const { run, daemon } = setUp(TITLED, new Map([[SHOP, ORDERS]]));
    await run(SHOP);
    for (const app_id of [TITLED_ID, ORDERS_ID, ORDERS_ID.replace('orders', 'renamed')]) {
      const { passed } = await daemon.verify(verifyRequest.parse({ app_id, expression: 'x === 1' }), options);
      expect(passed).toBe(true);
      const both = verifyRequest.parse({ app_id, pid: SHOP, expression: 'x === 1' });
      expect((await daemon.verify(both, options)).passed).toBe(true);
    }
    expect(daemon.listApps(new Permissions({ apps: [TITLED_ID] }))).toHaveLength(1);
    expect(daemon.listApps(new Permissions({ apps: [BILLS_ID] }))).toHaveLength(0);
    daemon.allow({ app_id: TITLED_ID }, new Permissions({ apps: [ORDERS_ID] }));
  });

  it('knows what was taught when it had the other id', async () => {
    const dir = await stored(taught(TITLED_ID, 'queue'));
    const { run, objects, schemas, daemon } = setUp(TITLED, new Map([[SHOP, ORDERS]]), dir);
    await run(SHOP);
    expect(await objects(SHOP)).toEqual({ 'orders.open': 1 });
    await daemon.stop();
    await schemas.flush();
    const next = setUp(ORDERS, new Map([[SHOP, ORDERS]]), dir);
    expect(await next.run(SHOP)).toMatchObject({ app_id: ORDERS_ID, aliases: [TITLED_ID] });
    expect(await next.objects(SHOP)).toEqual({ 'orders.open': 1 });
  });

  it('leaves its id to another program where that was a guess', async () => {
    const dir = await stored(taught(BILLS_ID, 'bills', 'bills.due'));
    const { run, objects } = setUp({ ...BILLS, isGuess: true }, new Map([[SHOP, ORDERS]]), dir);
    const app = await run(SHOP);
    expect(app).toMatchObject({ app_id: ORDERS_ID });
    expect(app).not.toHaveProperty('aliases');
    expect(await objects(SHOP)).toEqual({ x: 1 });
  });
});

describe('an app whose rule has changed', () => {
  const OLD = makeAppId('New Driver', 'jvm:jar:/opt/jmeter.jar', UID);
  const NEW = { appName: 'JMeter', identity: 'jvm:jar:/opt/jmeter.jar' };

  it('keeps what was taught under another name', async () => {
    const dir = await stored(taught(OLD, 'New Driver'));
    const { run, objects, daemon, machine, app } = setUp(NEW, new Map(), dir);
    expect(await run(SHOP)).toMatchObject({ app_name: 'JMeter', aliases: [OLD] });
    expect(await objects(SHOP)).toEqual({ 'orders.open': 1 });
    expect(daemon.exportSchema(OLD, false)).toMatchObject({ app_name: 'JMeter', labels: [{ label: 'orders.open' }] });
    expect(new Permissions({ apps: ['new-driver*'] }).includesApp({ ...identity(NEW), aliases: [OLD] })).toBe(true);
    machine.end(SHOP);
    await until('its end', () => app(SHOP)?.probe_status === 'detached');
  });

  it('keeps what was taught under another identity, which is its own by now', async () => {
    const earlier = { ...NEW, identity: 'jvm:jar:/opt/jmeter.jar#perf', earlier: [NEW.identity] };
    const id = makeAppId('JMeter', earlier.identity, UID);
    const dir = await stored(taught(OLD, 'New Driver'), taught(id, 'JMeter', 'mine'));
    const { run, objects, daemon, schemas } = setUp(earlier, new Map(), dir);
    await run(SHOP);
    // The correction of the new one stays.
    expect(await objects(SHOP)).toEqual({ mine: 1 });
    await daemon.stop();
    await schemas.flush();
    // Also if it is not running.
    const next = setUp({}, new Map(), dir);
    expect(next.daemon.exportSchema(OLD, false)).toMatchObject({ app_id: id, labels: [{ label: 'mine' }] });
    const document = { ...next.daemon.exportSchema(OLD, false), app_id: OLD };
    const imported = next.daemon.importSchema(importRequest.parse({ document }), options);
    expect(imported.app_id).toBe(id);
    next.daemon.allow({ app_id: OLD }, new Permissions({ apps: [id] }));
    next.daemon.allow({ app_id: OLD }, new Permissions({ apps: [OLD] }));
    expect(() => next.daemon.allow({ app_id: OLD }, new Permissions({ apps: [BILLS_ID] }))).toThrow('This key is for');
  });
});

const identity = ({ appName, identity: what }: ProgramIdentity) => ({
  appId: makeAppId(appName, what, UID),
  appName,
  isForeign: false,
});

describe('an id of before', () => {
  it('means a program of another user only by its digits, not by a pattern', () => {
    const app = { ...identity(ORDERS), aliases: [TITLED_ID], isForeign: true };
    expect(new Permissions({ apps: [TITLED_ID] }).includesApp(app)).toBe(true);
    expect(new Permissions({ apps: ['queue*', 'orders'] }).includesApp(app)).toBe(false);
    expect(isCalled({ appId: 'shop' }, 'shop')).toBe(true);
    expect(isCalled({ appId: 'shop-1' }, 'cart-1')).toBe(false);
  });

  it('is one of sixteen at the most, the newest', () => {
    const ids = Array.from({ length: 40 }, (_, at) => makeAppId('shop', `node:/${at}`, UID));
    const store = { load: () => null, save: () => {}, namesakes: () => [], currentId: (id: string) => id };
    const { schema, isKnown } = recall({ appId: ORDERS_ID, appName: 'orders' }, null, ids, store);
    expect(schema?.aliases).toEqual(ids.slice(-16));
    expect(isKnown).toBe(false);
  });

  it('is that of the program with the same name, where several names have the digits', () => {
    const one = taught('orders-00000000000000aa', 'orders', 'orders.open');
    const other = taught('bills-00000000000000aa', 'bills', 'bills.due');
    const found = new Map([one, other].map((schema) => [schema.app_id, schema]));
    const store = {
      load: (id: string) => found.get(id) ?? null,
      save: () => {},
      namesakes: (id: string) => [...found.keys()].filter((known) => known !== id && known.endsWith(id.slice(-16))),
      currentId: (id: string) => id,
    };
    const earlier = ['bills-00000000000000aa'];
    const { schema } = recall({ appId: 'bills-00000000000000bb', appName: 'bills' }, null, earlier, store);
    expect(schema?.labels.x?.label).toBe('bills.due');
    expect(schema?.aliases).toEqual(earlier);
  });
});
