import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { configSchema } from '../../../src/config-schema.ts';
import type { Session } from '../../../src/daemon/session.ts';
import { Tracker, type TrackerOptions } from '../../../src/daemon/tracker.ts';
import { emptySchema } from '../../../src/model/app-schema.ts';
import type { Config } from '../../../src/model/config.ts';
import { AttachError } from '../../../src/probes/probe.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';
import { appIdOf, FakeMachine, NO_LOG, noSignal } from '../../support/fake-machine.ts';
import { FakeProbe } from '../../support/fake-probe.ts';
import { until } from '../../support/real-processes.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { tempFolder } from '../store/temp-folder.ts';

interface Settings extends Partial<Pick<TrackerOptions, 'ownPids' | 'log' | 'users' | 'onFound'>> {
  readonly attach?: Config['scanner']['attach'];
  readonly exclude?: readonly (string | number)[];
  readonly root_inspectors?: boolean;
  readonly settle_ms?: number;
  readonly max_keys?: number;
  limits?: { attached: number; keys: number };
}

function setUp({
  exclude = [],
  attach = 'all',
  root_inspectors = false,
  settle_ms = 0,
  max_keys = 100,
  ownPids = new Set(),
  users = null,
  log = NO_LOG,
  limits = { attached: 500, keys: 2_000_000 },
  onFound,
}: Settings = {}) {
  const machine = new FakeMachine();
  const schemas = new SchemaRegistry({ dir: tempFolder(), logger: NO_LOG });
  const cycles: boolean[] = [];
  const spent: string[] = [];
  const tracker = new Tracker({
    config: configSchema.parse({
      scanner: { exclude, attach, root_inspectors },
      probe: { settle_ms, max_keys, interval_ms: 50 },
    }),
    inspector: machine.inspector,
    signal: noSignal,
    schemas,
    metrics: {
      probeCycle: (_runtime, _seconds, ok) => void cycles.push(ok),
      budgetSpent: (_runtime, part) => void spent.push(part),
    },
    log,
    ownPids,
    users,
    limits,
    onFound,
  });
  onTestFinished(async () => {
    await tracker.stop();
    await schemas.flush();
  });
  const scan = async () => tracker.takeScan(await machine.scanner.scan(), machine.drivers);
  const pids = () => tracker.summaries().map(({ pid }) => pid);
  const summary = (pid: number) => tracker.summaries().find((app) => app.pid === pid);
  const status = (pid: number) => summary(pid)?.probe_status;
  /** Starts it and waits for its first snapshot. */
  const run = async (pid: number, app: string): Promise<Session> => {
    machine.start(pid, app);
    await scan();
    await until(`state of ${pid}`, () => summary(pid)?.has_state);
    return tracker.session(pid);
  };
  return { machine, schemas, tracker, cycles, spent, scan, pids, summary, status, run };
}

/** For long times of the daemon: the test moves the clock, and nothing else does. */
function stopTheClock(): void {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('what a probe costs', () => {
  it('is told, and so is the part of the budget that ended the search, also the next time', async () => {
    const { machine, tracker, spent, scan, summary, run } = setUp();
    machine.driver.onAttach = async () => Object.assign(new FakeProbe(), { costMs: 490, stoppedBy: 'time' });
    await run(100, 'shop');
    expect(tracker.attachment(100).cost).toMatchObject({ search_ms: 490, stopped_by: 'time' });
    expect(spent).toEqual(['time']);
    expect(tracker.session(100).engine.schema.hints.stopped_by).toBe('time');
    machine.driver.onAttach = async () => Object.assign(new FakeProbe(), { costMs: 40.26 });
    machine.start(200, 'shop');
    await scan();
    await until('its state', () => summary(200)?.has_state);
    await until('a poll', () => (tracker.attachment(200).cost?.poll_ms ?? 0) > 0);
    expect(tracker.attachment(200).cost).toMatchObject({ search_ms: 40, poll_ms: 40.3, stopped_by: null });
    expect(tracker.session(200).engine.schema.hints.stopped_by).toBeNull();
    expect(spent).toEqual(['time']);
  });

  it('may be what the configuration says, and a share of what the program has', async () => {
    const { machine, run } = setUp();
    await run(100, 'shop');
    const budget = { searchMs: 500, searchPercent: 5, memoryBytes: 16 * 1024 * 1024 };
    expect(machine.driver.attached[0]?.tools.budget).toEqual(budget);
    machine.start(200, 'large', { residentKb: 1_000_000 });
    await run(300, 'other');
    const large = await until('the attach', () => machine.driver.attached.find(({ pid }) => pid === 200));
    expect(large.tools.budget.memoryBytes).toBe(102_400_000);
  });
});

describe('copies of a program in containers', () => {
  const idOf = (digit: string) => digit.repeat(64);
  const inDocker = (digit: string) => ({ cgroup: `0::/system.slice/docker-${idOf(digit)}.scope` });

  it('are apps of their own, which the next daemon knows again; outside of one it keeps its id', async () => {
    const see = async () => {
      const { machine, scan, summary, tracker } = setUp({ attach: 'asked' });
      machine.start(100, 'shop');
      machine.start(200, 'shop', inDocker('a'));
      machine.start(300, 'shop', inDocker('b'));
      await scan();
      return { summary, tracker };
    };
    const { summary, tracker } = await see();
    expect(summary(100)).toMatchObject({ app_id: appIdOf('shop'), app_name: 'shop' });
    expect(summary(100)).not.toHaveProperty('origin');
    const origin = { engine: 'docker', id: idOf('a'), name: 'aaaaaaaaaaaa', pod: null };
    expect(summary(200)).toMatchObject({ app_name: 'shop@aaaaaaaaaaaa', origin });
    expect(tracker.attachment(200).origin).toEqual(origin);
    const ids = [100, 200, 300].map((pid) => summary(pid)?.app_id);
    expect(new Set(ids).size).toBe(3);
    const { summary: later } = await see();
    expect([100, 200, 300].map((pid) => later(pid)?.app_id)).toEqual(ids);
  });

  it('keep their container when the runtime says what it runs', async () => {
    const { machine, scan, summary } = setUp();
    machine.driver.onAttach = async () =>
      Object.assign(new FakeProbe(), { program: { appName: 'orders', identity: 'node:/srv/orders.js' } });
    machine.start(200, 'shop', inDocker('a'));
    machine.start(300, 'shop', inDocker('b'));
    await scan();
    await until('both', () => summary(200)?.has_state && summary(300)?.has_state);
    expect(summary(200)).toMatchObject({ app_name: 'orders@aaaaaaaaaaaa' });
    expect(summary(300)?.app_id).not.toBe(summary(200)?.app_id);
  });

  it('are excluded by the name of the program', async () => {
    const { machine, scan, pids } = setUp({ exclude: ['shop'] });
    machine.start(200, 'shop', inDocker('a'));
    machine.start(300, 'other', inDocker('a'));
    await scan();
    expect(pids()).toEqual([300]);
  });
});

describe('an app that is not attached to by itself', () => {
  const reasonOf = (tracker: Tracker, pid: number) => tracker.attachment(pid).reason;

  it('is listed, costs nothing, and is attached to when it is asked for', async () => {
    const { machine, tracker, scan, status, summary } = setUp({ attach: 'asked' });
    machine.start(100, 'shop');
    await scan();
    expect([status(100), machine.attachesTo(100)]).toEqual(['detecting', 0]);
    expect(tracker.attachments(() => true)).toEqual([
      {
        pid: 100,
        app_id: appIdOf('shop'),
        origin: null,
        probe_status: 'detecting',
        by_itself: false,
        reason: '[scanner] attach is "asked"',
        problem: null,
        given_up: false,
        verdict:
          'It can be attached to. It is not attached to by itself: [scanner] attach is "asked". Asking for its state attaches to it.',
        cost: null,
        parts: [],
        discarded: {},
      },
    ]);
    const session = tracker.ask(100);
    expect(tracker.isComing(session)).toBe(true);
    await until('its state', () => summary(100)?.has_state);
    expect([tracker.isComing(session), machine.attachesTo(100)]).toEqual([false, 1]);
    expect(tracker.attachment(100)).toMatchObject({ by_itself: true, reason: 'somebody asked for it' });
  });

  it('is attached to at once the next time, unless it was short-lived', async () => {
    const { machine, tracker, scan, status, summary } = setUp({ attach: 'apps' });
    machine.start(100, 'shop');
    await scan();
    expect(reasonOf(tracker, 100)).toMatch(/only just started/);
    tracker.ask(100);
    await until('its state', () => summary(100)?.has_state);
    machine.start(200, 'shop');
    await scan();
    await until('its state', () => summary(200)?.has_state);
    expect(reasonOf(tracker, 200)).toBe('somebody asked for it before');
    machine.start(300, 'inbox');
    await scan();
    expect(status(300)).toBe('detecting');
  });

  it('is a tool, or was started by one', async () => {
    const { machine, tracker, scan } = setUp({ attach: 'apps' });
    machine.start(50, 'shell', { exe: '/bin/sh', argv: ['sh'] });
    machine.start(100, 'runner', { argv: ['node', '/x/node_modules/.bin/vitest'], ppid: 50 });
    machine.start(110, 'between', { exe: '/bin/sh', argv: ['sh'], ppid: 100 });
    machine.start(120, 'server', { ppid: 110 });
    machine.start(130, 'manager', { argv: ['npm start'] });
    machine.start(140, 'shop', { ppid: 130 });
    await scan();
    expect(reasonOf(tracker, 100)).toBe('it is a test runner');
    expect(reasonOf(tracker, 120)).toBe('it was started by a test runner');
    expect(reasonOf(tracker, 130)).toBe('it is a package manager');
    expect(reasonOf(tracker, 140)).toMatch(/only just started/);
  });

  it('belongs to another user, until it is asked for', async () => {
    const { machine, tracker, scan, summary } = setUp({ attach: 'all', users: new Set([4711]) });
    machine.start(100, 'shop');
    await scan();
    expect(reasonOf(tracker, 100)).toContain('another user');
    expect(machine.attachesTo(100)).toBe(0);
    tracker.ask(100);
    await until('its state', () => summary(100)?.has_state);
  });

  it.each([
    ['is root’s and would be open to others meanwhile, until it is asked for', {}, [0, 1000], false],
    ['would, but there are no others', {}, [0, 0], true],
    ['would, and is meant to', { root_inspectors: true }, [0, 1000], true],
    ['would, but is not root’s', {}, [1000, 1000], true],
  ])('%s', async (_, settings, [uid, other], attaches) => {
    const { machine, tracker, scan, summary } = setUp({ attach: 'all', ...settings });
    machine.driver.opensInspector = true;
    machine.start(99, 'other', { uid: other ?? 0, exe: '/bin/sh' });
    machine.start(100, 'shop', { uid: uid ?? 0 });
    await scan();
    expect(tracker.attachment(100).by_itself).toBe(attaches);
    if (!attaches) expect(reasonOf(tracker, 100)).toContain('root_inspectors');
    expect(machine.attachesTo(100)).toBe(attaches ? 1 : 0);
    tracker.ask(100);
    await until('its state', () => summary(100)?.has_state);
  });

  it.each([
    ['would, but not to those in its own network', 'net:[1]', true],
    ['would, to those in its own network', 'net:[2]', false],
  ])('is in a container, and %s', async (_, net, attaches) => {
    const { machine, tracker, scan } = setUp({ attach: 'all' });
    machine.driver.opensInspector = true;
    machine.start(99, 'other', { uid: 1000, exe: '/bin/sh', namespaces: { net } });
    machine.start(100, 'shop', { uid: 0, namespaces: { net: 'net:[2]' } });
    await scan();
    expect(tracker.attachment(100).by_itself).toBe(attaches);
  });

  it('was detached by hand, and stays so until it is asked for', async () => {
    const { machine, tracker, run, status, summary } = setUp();
    const session = await run(100, 'shop');
    const told: string[] = [];
    session.watchers.add({ onChange: () => {}, onExit: () => told.push('exit') });
    await tracker.detach(100);
    expect([status(100), summary(100)?.has_state, machine.probeOf(100).detached]).toEqual(['detached', false, true]);
    expect(told).toEqual(['exit']);
    expect(tracker.attachment(100)).toMatchObject({ by_itself: false, reason: 'it was detached by hand' });
    tracker.ask(100);
    await until('its state', () => summary(100)?.has_state);
    expect([status(100), machine.attachesTo(100)]).toEqual(['active', 2]);
  });

  it('that cannot be attached to is not waited for', async () => {
    const { machine, tracker, scan } = setUp({ attach: 'asked' });
    machine.driver.onAttach = () => Promise.reject(new AttachError('never', { retry: false }));
    machine.start(100, 'shop');
    await scan();
    const session = tracker.ask(100);
    await until('the refusal', () => !tracker.isComing(session));
    expect(tracker.problemOf(100)).toContain('never');
  });
});

describe('a process that no driver knows yet', () => {
  stopTheClock();

  /** The times of its checks, in seconds. */
  async function looksWithin(seconds: number, machine: FakeMachine, scan: () => Promise<void>): Promise<number[]> {
    const looks: number[] = [];
    for (let at = 0; at <= seconds; at += 0.5) {
      const before = machine.driver.asked.length;
      await scan();
      if (machine.driver.asked.length > before) looks.push(at);
      await pass(500);
    }
    return looks;
  }

  it('is looked at again and again, ever later, and then no more', async () => {
    const { machine, scan, pids } = setUp();
    machine.start(100, 'shop', { exe: '/bin/cat' });
    const looks = await looksWithin(400, machine, scan);
    expect(pids()).toEqual([]);
    expect(looks.slice(0, 3)).toEqual([0, 0.5, 1.5]);
    expect(looks.length).toBeLessThan(15);
    expect(looks.at(-1)).toBeGreaterThan(60);
  });

  it('is found when it has loaded late what it is known by', async () => {
    const { machine, scan, pids } = setUp();
    machine.start(100, 'shop');
    machine.driver.onRecognise = () => Date.now() - began > 8000;
    const began = Date.now();
    await looksWithin(15, machine, scan);
    expect(pids()).toEqual([100]);
  });

  it.each([1, -1])('is found as soon where the clock is set meanwhile, by %i day', async (days) => {
    const { machine, scan, pids } = setUp();
    machine.start(100, 'shop');
    let isKnown = false;
    machine.driver.onRecognise = () => isKnown;
    await looksWithin(1, machine, scan);
    vi.setSystemTime(Date.now() + days * 24 * 3_600_000);
    isKnown = true;
    await looksWithin(3, machine, scan);
    expect(pids()).toEqual([100]);
  });
});

describe('a stop', () => {
  it('waits for what is being removed of an app that has gone, also where another one has its pid', async () => {
    const { machine, tracker, scan, run } = setUp();
    const probe = new FakeProbe();
    let removed = () => {};
    probe.detach = () =>
      new Promise((resolve) => {
        removed = resolve;
      });
    machine.driver.onAttach = async () => probe;
    await run(100, 'shop');
    machine.end(100);
    await scan();
    machine.driver.onAttach = async () => new FakeProbe();
    await run(100, 'inbox');
    let isOver = false;
    const stopped = tracker.stop().then(() => {
      isOver = true;
    });
    await setImmediate(null);
    await setImmediate(null);
    expect(isOver).toBe(false);
    removed();
    await stopped;
  });
});

describe('which processes are tracked', () => {
  it('lists one that a driver knows, and shows its first snapshot', async () => {
    const { machine, tracker, run, summary } = setUp();
    machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      probe.state = { 'cart.items': 2, 'cart.total': 9 };
      probe.actions = [
        { binding: 'b', name: 'cart.clear', parameters: [], returns: 'void', effect: 'own-state', description: '' },
      ];
      return probe;
    };
    const session = await run(100, 'shop');
    expect(summary(100)).toEqual({
      pid: 100,
      app_id: appIdOf('shop'),
      app_name: 'shop',
      runtime: 'v8',
      runtime_name: 'Node.js',
      probe_status: 'active',
      confidence: session.head?.confidence,
      confidence_reason: session.head?.confidenceReason,
      object_count: 2,
      action_count: 1,
      last_captured_at: session.head?.capturedAt,
      has_state: true,
      current_view: null,
      current_url: null,
    });
    expect(tracker.liveCount).toBe(1);
  });

  it('lists one from the moment on in which it is found, though it has no state yet', async () => {
    const { machine, scan, summary } = setUp({ settle_ms: 3_600_000 });
    machine.start(100, 'shop');
    await scan();
    expect(summary(100)).toMatchObject({
      probe_status: 'detecting',
      has_state: false,
      confidence: 0,
      object_count: 0,
      action_count: 0,
      last_captured_at: null,
    });
  });

  it('does not look again at a young process that has ended', async () => {
    const { machine, scan } = setUp();
    machine.start(100, 'shop', { exe: '/bin/cat' });
    await scan();
    machine.end(100);
    await scan();
    expect(machine.driver.asked).toEqual([100]);
  });

  it('leaves out one that ends while it is looked at', async () => {
    const { machine, scan, pids } = setUp();
    machine.driver.onRecognise = ({ pid }) => {
      machine.end(pid);
      return true;
    };
    machine.start(100, 'shop');
    await scan();
    expect(pids()).toEqual([]);
  });

  it('finds the others, and says so, when a driver fails on one of them', async () => {
    const log = recordingLogger();
    const { machine, scan, pids } = setUp({ log });
    machine.driver.onRecognise = ({ pid }) => {
      if (pid === 100) throw new Error('a header that makes no sense');
      return true;
    };
    machine.start(100, 'odd');
    await scan();
    machine.start(200, 'shop');
    await scan();
    expect(pids()).toEqual([200]);
    expect(log.complaints[0]).toContain('"pid":100');
    machine.start(300, 'inbox');
    await scan();
    expect(pids()).toEqual([200, 300]);
  });

  it.each<[string, Settings, { name?: string; argv?: string[] }]>([
    ['the daemon and those that started it', { ownPids: new Set([100]) }, {}],
    ['another daemon', {}, { name: 'substrate' }],
    ['a command of ours', {}, { argv: ['node', '/opt/substrate/dist/substrate.js', 'mcp'] }],
    ['a pid that is excluded', { exclude: [100] }, {}],
    ['a pid that is excluded as a text', { exclude: ['100'] }, {}],
    ['a name that is excluded', { exclude: ['till'] }, { name: 'till' }],
    ['an executable that is excluded', { exclude: ['shop'] }, {}],
  ])('does not even look at %s', async (_, settings, process) => {
    const { machine, scan, pids } = setUp(settings);
    machine.start(100, 'shop', process);
    machine.start(200, 'inbox');
    await scan();
    expect(pids()).toEqual([200]);
    expect(machine.driver.asked).toEqual([200]);
  });

  it('leaves out an app whose name is excluded, and does not ask for it again', async () => {
    const { machine, scan, pids } = setUp({ exclude: ['shops/till'] });
    // Neither the process nor its executable has this name.
    machine.start(100, 'shops/till');
    await scan();
    await scan();
    expect(pids()).toEqual([]);
    expect(machine.driver.asked).toEqual([100]);
  });
});

describe('the time before an attach', () => {
  stopTheClock();

  it('is the settle time where an app is not known', async () => {
    const { machine, scan, status } = setUp({ settle_ms: 2000 });
    machine.start(100, 'shop');
    await scan();
    await pass(1999);
    expect([status(100), machine.attachesTo(100)]).toEqual(['detecting', 0]);
    await pass(1);
    expect([status(100), machine.attachesTo(100)]).toEqual(['active', 1]);
  });

  it('is none where an app is known from before', async () => {
    const { machine, schemas, scan, status } = setUp({ settle_ms: 2000 });
    schemas.save(emptySchema(appIdOf('shop'), 'shop'));
    machine.start(100, 'shop');
    await scan();
    await pass(0);
    expect(status(100)).toBe('active');
  });

  it('is none where other hosts know it, and nobody waits for a request where one has asked for it there', async () => {
    const found: string[] = [];
    const { machine, tracker, scan, status } = setUp({
      settle_ms: 2000,
      attach: 'apps',
      onFound: (appId) => found.push(appId),
    });
    machine.start(100, 'shop');
    machine.start(200, 'tea');
    await scan();
    expect(found).toEqual([appIdOf('shop'), appIdOf('tea')]);
    tracker.session(100).engine.schema.hints.asked_elsewhere = true;
    for (const appId of found) tracker.becameKnown(appId);
    await pass(0);
    expect([status(100), status(200)]).toEqual(['active', 'detecting']);
  });

  it('is none where another instance has shown its state, and the settle time where none has', async () => {
    const { machine, scan, status } = setUp({ settle_ms: 2000 });
    machine.start(100, 'shop');
    await scan();
    await pass(1000);
    machine.start(200, 'shop');
    await scan();
    await pass(1000);
    expect([status(100), status(200)]).toEqual(['active', 'detecting']);
    machine.start(300, 'shop');
    await scan();
    await pass(0);
    expect([status(200), status(300)]).toEqual(['detecting', 'active']);
  });

  it('is none also where what another instance has shown is nothing that could be written down', async () => {
    const { machine, schemas, scan, status } = setUp({ settle_ms: 2000 });
    machine.driver.onAttach = async () => Object.assign(new FakeProbe(), { state: {} });
    machine.start(100, 'shop');
    await scan();
    await pass(2000);
    expect([status(100), schemas.load(appIdOf('shop'))]).toEqual(['active', null]);
    machine.start(200, 'shop');
    await scan();
    await pass(0);
    expect(status(200)).toBe('active');
  });

  it('touches nothing of a program that ends by then', async () => {
    const { machine, scan, status } = setUp({ settle_ms: 2000 });
    machine.start(100, 'shop');
    await scan();
    machine.end(100);
    await scan();
    await pass(5000);
    expect([status(100), machine.driver.attached]).toEqual(['detached', []]);
  });

  it('is the settle time again for a command that was soon over the last time, until it lives long', async () => {
    const { machine, scan, status } = setUp({ settle_ms: 2000 });
    const liveFor = async (pid: number, ms: number) => {
      machine.start(pid, 'build');
      await scan();
      await pass(0);
      const first = status(pid);
      await pass(ms);
      machine.end(pid);
      await scan();
      return first;
    };
    expect(await liveFor(100, 3000)).toBe('detecting');
    expect(await liveFor(200, 3000)).toBe('detecting');
    expect(await liveFor(300, 20_000)).toBe('detecting');
    expect(await liveFor(400, 20_000)).toBe('active');
    expect(await liveFor(500, 3000)).toBe('active');
    expect(await liveFor(600, 3000)).toBe('detecting');
  });

  it('is not made longer by an instance that was over before anything was seen of it', async () => {
    const { machine, schemas, scan, status } = setUp({ settle_ms: 2000 });
    schemas.save(emptySchema(appIdOf('shop'), 'shop'));
    machine.driver.onAttach = () => Promise.reject(new AttachError('no', { retry: false }));
    machine.start(100, 'shop');
    await scan();
    await pass(0);
    machine.end(100);
    await scan();
    machine.driver.onAttach = async () => new FakeProbe();
    machine.start(200, 'shop');
    await scan();
    await pass(0);
    expect(status(200)).toBe('active');
  });
});

describe('what is known of an app', () => {
  it('is shared by its instances, and by no other app', async () => {
    const { schemas, run } = setUp();
    const first = await run(100, 'shop');
    // A schema on disk by now would give the second one a schema of its own.
    await schemas.flush();
    const [second, other] = [await run(200, 'shop'), await run(300, 'inbox')];
    expect(second.engine.schema).toBe(first.engine.schema);
    expect(other.engine.schema).not.toBe(first.engine.schema);
  });

  it('names its keys from the start', async () => {
    const { schemas, run } = setUp();
    const schema = emptySchema(appIdOf('shop'), 'shop');
    schema.labels.count = { label: 'visitors', type: 'number', confidence: 1, confirmed: true };
    schemas.save(schema);
    expect((await run(100, 'shop')).look().keys.keys).toEqual(['visitors']);
  });

  it('is kept when the last instance ends', async () => {
    const { machine, schemas, run, scan } = setUp();
    const { engine } = await run(100, 'shop');
    expect(engine.schemaChanged).toBe(false);
    machine.end(100);
    await scan();
    await schemas.flush();
    expect(schemas.load(appIdOf('shop'))).toMatchObject({ app_name: 'shop', labels: { count: { label: 'count' } } });
  });

  it('is told only as far as the limit of keys, which each attach is given', async () => {
    const { machine, run } = setUp({ max_keys: 7 });
    await run(100, 'shop');
    expect(machine.driver.attached.map(({ tools }) => tools.maxKeys)).toEqual([7]);
  });
});

describe('finding a session', () => {
  it('by pid fails for one that is not tracked', () => {
    const { tracker } = setUp();
    expect(() => tracker.session(100)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(tracker.problemOf(100)).toBeNull();
  });

  it('takes a pid, an app_id, or both if they agree', async () => {
    const { tracker, run } = setUp();
    const shop = await run(100, 'shop');
    const inbox = await run(200, 'inbox');
    expect(tracker.session(100)).toBe(shop);
    expect(tracker.resolve(100, undefined)).toBe(shop);
    expect(tracker.resolve(undefined, inbox.appId)).toBe(inbox);
    expect(tracker.resolve(200, inbox.appId)).toBe(inbox);
    expect(() => tracker.resolve(200, shop.appId)).toThrow(`pid 200 is ${inbox.appId}, not ${shop.appId}.`);
  });

  it('asks for a pid where different users run an app', async () => {
    const { tracker, run } = setUp();
    const first = await run(100, 'shop');
    const second = await run(200, 'shop');
    Object.assign(second.process, { uid: 1001 });
    expect(() => tracker.resolve(undefined, first.appId)).toThrow('name one pid of 200, 100.');
    expect(tracker.resolve(100, first.appId)).toBe(first);
  });

  it('falls back on the app_id when the pid is not tracked (any more)', async () => {
    const { tracker, run } = setUp();
    const shop = await run(100, 'shop');
    expect(tracker.resolve(999, shop.appId)).toBe(shop);
  });

  it('finds nothing for what is not known', async () => {
    const { tracker, run } = setUp();
    await run(100, 'shop');
    expect(tracker.resolve(999, undefined)).toBeNull();
    expect(tracker.resolve(undefined, 'nothing-00000000')).toBeNull();
    expect(tracker.resolve(999, 'nothing-00000000')).toBeNull();
    expect(tracker.resolve(undefined, undefined)).toBeNull();
    expect(tracker.instances('nothing-00000000')).toEqual([]);
  });

  it('prefers the newest instance of an app that has state', async () => {
    const { machine, tracker, run, scan } = setUp();
    await run(100, 'shop');
    const second = await run(200, 'shop');
    machine.driver.onAttach = () => Promise.reject(new AttachError('no', { retry: false }));
    machine.start(300, 'shop');
    await scan();
    expect(tracker.instances(second.appId).map(({ process }) => process.pid)).toEqual([100, 200, 300]);
    expect(tracker.resolve(undefined, second.appId)).toBe(second);
  });

  // However much later: a clock that moves while two ages are compared must not change which is newer.
  it.each([0, 1])('takes the newest where no instance has state, found %i ms later', async (laterMs) => {
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += laterMs;
      return now;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { machine, tracker, scan } = setUp({ settle_ms: 3_600_000 });
    for (const pid of [100, 200]) {
      machine.start(pid, 'shop');
      await scan();
    }
    expect(tracker.resolve(undefined, appIdOf('shop'))?.process.pid).toBe(200);
  });

  it('knows the newest also when it has the pid of an earlier one', async () => {
    const { machine, tracker, run, scan } = setUp();
    await run(100, 'shop');
    await run(200, 'shop');
    machine.end(100);
    await scan();
    const newest = await run(100, 'shop');
    expect(tracker.resolve(undefined, appIdOf('shop'))).toBe(newest);
  });

  it('leaves out instances that have ended', async () => {
    const { machine, tracker, run, scan } = setUp();
    const first = await run(100, 'shop');
    const second = await run(200, 'shop');
    machine.end(200);
    await scan();
    expect(tracker.resolve(undefined, second.appId)).toBe(first);
    expect(tracker.resolve(200, undefined)).toBeNull();
    expect(tracker.instances(second.appId)).toEqual([first]);
  });

  it('goes by a capture too, as long as the app lives', async () => {
    const { machine, tracker, run, scan } = setUp();
    await run(100, 'shop');
    const inbox = await run(200, 'inbox');
    const { captureId } = inbox.requireHead();
    expect(tracker.ownerOfCapture(captureId)).toBe(inbox);
    machine.end(200);
    await scan();
    expect(tracker.ownerOfCapture(captureId)).toBeNull();
  });
});

describe('an app that ends', () => {
  it('has no state any more, tells its watchers, and is listed as detached', async () => {
    const { machine, tracker, run, scan, summary } = setUp();
    const session = await run(100, 'shop');
    const told: string[] = [];
    session.watchers.add({ onChange: () => told.push('change'), onExit: () => told.push('exit') });
    const probe = machine.probeOf(100);
    machine.end(100);
    await scan();
    expect(told).toEqual(['exit']);
    expect(summary(100)).toMatchObject({
      probe_status: 'detached',
      has_state: false,
      confidence: 0,
      object_count: 0,
      action_count: 0,
      last_captured_at: expect.stringMatching(/^20\d\d-/),
    });
    expect(tracker.liveCount).toBe(0);
    expect(() => tracker.session(100)).toThrow('No tracked application has pid 100');
    await until('the detach', () => probe.detached);
  });

  it('is known to have ended as soon as its connection breaks, before the next scan', async () => {
    const { machine, run, status } = setUp();
    await run(100, 'shop');
    machine.end(100);
    machine.probeOf(100).close();
    await until('the end', () => status(100) === 'detached');
  });

  it('is told from one that only lost its connection, which is attached again', async () => {
    const { machine, run, status } = setUp();
    await run(100, 'shop');
    machine.probeOf(100).close();
    await until('the second attach', () => machine.attachesTo(100) === 2 && status(100) === 'active');
  });

  it('is not the one of its pid that went before', async () => {
    const { machine, tracker, run, status } = setUp();
    const { process } = await run(100, 'shop');
    tracker.takeScan(
      { appeared: [], gone: [{ pid: 100, startTime: `${process.startTime}0` }], total: 1 },
      machine.drivers,
    );
    expect(status(100)).toBe('active');
  });
});

describe('the list of those that ended', () => {
  stopTheClock();

  it('keeps each for half a minute', async () => {
    const { machine, scan, pids } = setUp();
    machine.start(100, 'shop');
    await scan();
    machine.end(100);
    await scan();
    await pass(30_000);
    await scan();
    expect(pids()).toEqual([100]);
    await pass(1);
    await scan();
    expect(pids()).toEqual([]);
  });

  it('keeps a hundred at the most: those that ended last', async () => {
    const { machine, scan, pids } = setUp({ settle_ms: 3_600_000 });
    machine.start(1, 'server');
    await scan();
    const commands = Array.from({ length: 100 }, (_, at) => 1000 + at);
    for (const pid of commands) machine.start(pid, 'command');
    await scan();
    for (const pid of commands) machine.end(pid);
    await scan();
    expect(pids()).toHaveLength(101);
    await pass(1000);
    machine.end(1);
    await scan();
    expect(pids()).toHaveLength(100);
    expect(pids()).toContain(1);
  });
});

describe('a pid that is given out again', () => {
  it('is another app from then on, of which nothing is left', async () => {
    const { machine, tracker, run, scan, pids, summary } = setUp();
    const before = await run(100, 'shop');
    const { captureId } = before.requireHead();
    const after = await run(100, 'inbox');
    expect(pids()).toEqual([100]);
    expect(summary(100)).toMatchObject({ app_name: 'inbox', probe_status: 'active' });
    expect(tracker.session(100)).toBe(after);
    expect([before.head, after.hasCapture(captureId)]).toEqual([null, false]);
    expect(machine.attachesTo(100)).toBe(2);
    await scan();
    expect(tracker.liveCount).toBe(1);
  });

  it('belongs to the new process, though the old one is said to be gone only later', async () => {
    const { machine, tracker, run } = setUp();
    const { process } = await run(100, 'shop');
    const inbox = await run(100, 'inbox');
    tracker.takeScan({ appeared: [], gone: [process], total: 1 }, machine.drivers);
    expect(tracker.session(100)).toBe(inbox);
  });

  it('shows the one that ended until it is known who has the pid now', async () => {
    const { machine, run, scan, summary } = setUp();
    await run(100, 'shop');
    machine.start(100, 'shop', { exe: '/bin/cat' });
    await scan();
    expect(summary(100)).toMatchObject({ app_name: 'shop', probe_status: 'detached' });
  });

  it('is also that of a program that became another one by exec', async () => {
    const { machine, run, scan, summary } = setUp();
    const { process } = await run(100, 'launcher');
    const launcher = machine.probeOf(100);
    machine.exec(100, 'shop');
    await scan();
    await until('its state', () => summary(100)?.app_name === 'shop' && summary(100)?.has_state);
    await until('the detach from the former', () => launcher.detached);
    expect(summary(100)?.probe_status).toBe('active');
    expect(machine.inspector.isAlive(process)).toBe(true);
  });
});

describe('a probe that fails', () => {
  stopTheClock();

  it('makes an error of it, with the reason, and tries again', async () => {
    const { machine, tracker, scan, status } = setUp();
    machine.driver.onAttach = () =>
      Promise.reject(new AttachError('Port 9229 is taken.', { retry: true, remedy: 'Free it.' }));
    machine.start(100, 'shop');
    await scan();
    await pass(0);
    expect([status(100), tracker.problemOf(100)]).toEqual(['error', 'Port 9229 is taken. Free it.']);
    machine.driver.onAttach = async () => new FakeProbe();
    await pass(60_000);
    expect([status(100), tracker.problemOf(100)]).toEqual(['active', null]);
  });

  it('is left at that where another try cannot help', async () => {
    const { machine, scan, status } = setUp();
    let tries = 0;
    machine.driver.onAttach = () => {
      tries++;
      return Promise.reject(new AttachError('never', { retry: false }));
    };
    machine.start(100, 'shop');
    await scan();
    await pass(600_000);
    expect([status(100), tries]).toEqual(['error', 1]);
  });

  it('keeps the last state while captures fail, and each of them is counted', async () => {
    const { machine, tracker, cycles, scan, summary } = setUp();
    machine.start(100, 'shop');
    await scan();
    await pass(0);
    machine.probeOf(100).failure = new Error('the app does not answer');
    await pass(100);
    expect(summary(100)).toMatchObject({ probe_status: 'error', has_state: true, object_count: 1 });
    expect(tracker.problemOf(100)).toBe('the app does not answer');
    expect(cycles).toContain(true);
    expect(cycles.at(-1)).toBe(false);
  });

  it('is attached again after three failures in a row', async () => {
    const { machine, scan, status } = setUp();
    machine.start(100, 'shop');
    await scan();
    await pass(0);
    const first = machine.probeOf(100);
    first.failure = new Error('the app does not answer');
    await pass(60_000);
    expect(first.detached).toBe(true);
    expect([machine.attachesTo(100), status(100)]).toEqual([2, 'active']);
  });
});

describe('stopping', () => {
  it('detaches from all, and writes down what is known of them', async () => {
    const { machine, schemas, tracker, run } = setUp();
    const sessions = [await run(100, 'shop'), await run(200, 'inbox')];
    for (const { engine } of sessions) engine.schema.hints.deep = true;
    for (const { engine } of sessions) engine.schemaChanged = true;
    await tracker.stop();
    await schemas.flush();
    expect([machine.probeOf(100).detached, machine.probeOf(200).detached]).toEqual([true, true]);
    for (const app of ['shop', 'inbox']) expect(schemas.load(appIdOf(app))?.hints).toEqual({ deep: true });
    expect(tracker.summaries().map(({ probe_status }) => probe_status)).toEqual(['detached', 'detached']);
  });

  it('gives up an attach that is under way', async () => {
    const { machine, tracker, scan } = setUp();
    let abort: AbortSignal | null = null;
    machine.driver.onAttach = (_process, tools) => {
      abort = tools.abort;
      return new Promise((_, reject) => tools.abort.addEventListener('abort', () => reject(tools.abort.reason)));
    };
    machine.start(100, 'shop');
    await scan();
    await until('the attach', () => abort);
    await tracker.stop();
    expect(abort).toMatchObject({ aborted: true });
    expect(machine.driver.attached).toEqual([]);
  });

  it('leaves those alone that have ended', async () => {
    const { machine, tracker, run, scan } = setUp();
    await run(100, 'shop');
    machine.end(100);
    await scan();
    await tracker.stop();
    expect(machine.attachesTo(100)).toBe(1);
  });
});

describe('however much runs', () => {
  it('attaches by itself to so many programs of one user, and to more when asked', async () => {
    const { machine, tracker, run, scan } = setUp({ limits: { attached: 2, keys: 1000 } });
    await run(100, 'shop');
    await run(200, 'inbox');
    machine.start(300, 'desk');
    await scan();
    expect(tracker.attachment(300)).toMatchObject({
      by_itself: false,
      reason: '2 programs of this user are attached to already',
      probe_status: 'detecting',
    });
    tracker.ask(300);
    await until('its state', () => tracker.session(300).head !== null);
  });

  it('shares the keys that there may be among the apps', async () => {
    const { machine, run } = setUp({ max_keys: 50_000, limits: { attached: 10, keys: 1500 } });
    machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      probe.state = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`key${at}`, at]));
      return probe;
    };
    await run(100, 'shop');
    await run(200, 'inbox');
    await run(300, 'desk');
    expect(machine.driver.attached.map(({ tools }) => tools.maxKeys)).toEqual([1500, 1100, 1000]);
  });
});

it('says whether an attach is given up for good', async () => {
  const { machine, tracker, scan, status } = setUp();
  machine.driver.onAttach = () => Promise.reject(new AttachError('It takes no agents.', { retry: false }));
  machine.start(100, 'shop');
  await scan();
  await until('the failure', () => status(100) === 'error');
  expect(tracker.attachment(100)).toMatchObject({ problem: 'It takes no agents.', given_up: true });
  expect(tracker.problemOf(100)).toBe('It takes no agents. It is not tried again while this process runs.');
  machine.driver.onAttach = () => Promise.reject(new AttachError('Not now.', { retry: true }));
  machine.start(200, 'inbox');
  await scan();
  await until('the failure', () => status(200) === 'error');
  expect(tracker.attachment(200)).toMatchObject({ problem: 'Not now.', given_up: false });
});
