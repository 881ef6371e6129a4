import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { configSchema } from '../../../src/config-schema.ts';
import { Daemon } from '../../../src/daemon/daemon.ts';
import type { OpenedBrowser } from '../../../src/daemon/open-browser.ts';
import type { CallOptions, JsonBytes, WatchEvent } from '../../../src/daemon/service.ts';
import { emptySchema } from '../../../src/model/app-schema.ts';
import type { AuditEntry } from '../../../src/model/audit-entry.ts';
import type { AppChange } from '../../../src/model/change-feed.ts';
import { SubstrateError } from '../../../src/model/errors.ts';
import type { Restrictions } from '../../../src/model/key-record.ts';
import { EVERYTHING, Permissions } from '../../../src/model/permissions.ts';
import type { ProcessScanner, ScanDelta } from '../../../src/model/process.ts';
import type { RawAction } from '../../../src/model/raw-action.ts';
import { importRequest } from '../../../src/model/schema-document.ts';
import {
  actionRequest,
  approval,
  browserResponse,
  learnRequest,
  substrateState,
  verifyRequest,
} from '../../../src/model/wire.ts';
import { AttachError, TargetBusyError } from '../../../src/probes/probe.ts';
import { SchemaRegistry } from '../../../src/store/schema-registry.ts';
import { appIdOf, FakeMachine, NO_LOG, noSignal } from '../../support/fake-machine.ts';
import { FakeProbe } from '../../support/fake-probe.ts';
import { until } from '../../support/real-processes.ts';
import { recordingLogger } from '../store/recording-logger.ts';
import { tempFolder } from '../store/temp-folder.ts';

/** None of them is the process of the tests, which is the daemon's own. */
const SHOP = process.pid + 1;
const TWIN = process.pid + 2;
const INBOX = process.pid + 3;
const NOBODY = process.pid + 4;
const NEVER_MS = 3_600_000;

const options: CallOptions = {
  keyId: 'key-1',
  keyLabel: null,
  permissions: EVERYTHING,
  permissionsNow: () => EVERYTHING,
  signal: new AbortController().signal,
  spendSnapshot: () => {},
};

const ADD: RawAction = {
  binding: 'cart#add',
  name: 'cart.add',
  parameters: [],
  returns: 'void',
  effect: 'own-state',
  description: '',
};

interface Settings {
  readonly settle_ms?: number;
  readonly attach?: 'apps' | 'all' | 'asked' | 'none';
  readonly interval_ms?: number;
  readonly scanner?: ProcessScanner;
  readonly openBrowser?: (url: string, machine: FakeMachine) => OpenedBrowser;
}

function noBrowser(): never {
  throw new Error('no browser was wanted');
}

function setUp({ settle_ms = 0, scanner, attach = 'all', interval_ms = 50, openBrowser = noBrowser }: Settings = {}) {
  const machine = new FakeMachine();
  const log = recordingLogger();
  const noted: AuditEntry[] = [];
  const schemas = new SchemaRegistry({ dir: tempFolder(), logger: NO_LOG });
  const fed: (AppChange | number)[] = [];
  const daemon = new Daemon({
    feed: { changed: (change) => void fed.push(change), forgotten: (pid) => void fed.push(pid) },
    // Polls would interfere with the reads of a test.
    config: configSchema.parse({ scanner: { interval_ms, attach }, probe: { settle_ms, interval_ms: NEVER_MS } }),
    scanner: scanner ?? machine.scanner,
    inspector: machine.inspector,
    signal: noSignal,
    loadDrivers: async () => machine.drivers,
    schemas,
    metrics: { probeCycle: () => {}, budgetSpent: () => {} },
    log,
    actionLog: { note: (entry) => void noted.push(entry), begin: () => () => {} },
    browsers: { open: async (url) => openBrowser(url, machine) },
    users: null,
    owners: null,
  });
  onTestFinished(async () => {
    await daemon.stop();
    await schemas.flush();
  });
  const status = (pid: number) => daemon.listApps(EVERYTHING).find((app) => app.pid === pid)?.probe_status;
  /** Starts it; its first two captures are done, and no further one comes without a request. */
  const run = async (pid: number, app: string): Promise<FakeProbe> => {
    machine.start(pid, app);
    if (daemon.trackedProcesses() === 0) await daemon.start();
    await until(`the first poll of ${pid}`, () => machine.attachesTo(pid) > 0 && machine.probeOf(pid).captures === 2);
    return machine.probeOf(pid);
  };
  const read = async (pid: number, fresh: boolean) =>
    stateOf((await daemon.readState(pid, whole(fresh), options)).bytes);
  return { fed, noted, machine, daemon, schemas, log, status, run, read };
}

const whole = (fresh: boolean) => ({ fresh, keys: null, known: [] });

const stateOf = (bytes: JsonBytes | null) =>
  substrateState.strict().parse(JSON.parse(Buffer.concat(bytes ?? []).toString()));

const failure = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

/** The outcome, even if the call itself throws. */
const outcome = async (call: () => unknown): Promise<unknown> => {
  try {
    return await call();
  } catch (error) {
    return error;
  }
};

describe('a part of a state', () => {
  it('says which globs match nothing, with the nearest keys, and nothing of those that match', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.state = { 'cart.total': 3, 'jmx["java.lang:type=Memory"].used': 7 };
    const part = async (keys: string, fresh = false) =>
      stateOf((await daemon.readState(SHOP, { fresh, keys, known: [] }, options)).bytes);
    const { objects, unmatched } = await part('jmx.**,crat.**,cart.totl', true);
    expect(objects).toEqual({ 'jmx["java.lang:type=Memory"].used': 7 });
    expect(unmatched).toEqual([
      { glob: 'crat.**', nearest: ['cart'] },
      { glob: 'cart.totl', nearest: ['cart.total'] },
    ]);
    expect(await part('jmx.*,cart')).not.toHaveProperty('unmatched');
    expect((await daemon.unmatched(SHOP, 'crat', 'key-1'))?.globs).toEqual([{ glob: 'crat', nearest: ['cart'] }]);
    expect((await daemon.unmatched(SHOP, 'cart', 'key-1'))?.globs).toEqual([]);
    // As soon as it exists.
    probe.state = { ...probe.state, 'crat.x': 1 };
    expect((await part('crat.**', true)).objects).toEqual({ 'crat.x': 1 });
    expect(await part('crat.**')).not.toHaveProperty('unmatched');
    expect(await daemon.unmatched(NOBODY, 'cart', 'key-1')).toBeNull();
  });
});

describe('who follows all apps', () => {
  it('gets all keys of an app, then what changes, redacted, and its end, without more captures', async () => {
    const { fed, machine, run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    const app = expect.objectContaining({ appId: appIdOf('shop'), appName: 'shop', isForeign: false });
    expect(fed).toEqual([
      expect.objectContaining({ pid: SHOP, app, changes: [{ key: 'count', before: undefined, after: 1 }] }),
    ]);
    probe.state = { count: 2, password: 'hunter2' };
    const { capture_id } = await read(SHOP, true);
    expect(fed[1]).toMatchObject({
      captureId: capture_id,
      changes: [
        { key: 'count', before: 1, after: 2 },
        { key: 'password', after: '[redacted]' },
      ],
    });
    expect(JSON.stringify(fed)).not.toContain('hunter2');
    expect(probe.captures).toBe(3);
    machine.end(SHOP);
    await until('the end', () => fed.length === 3);
    expect(fed[2]).toBe(SHOP);
  });
});

describe('scanning', () => {
  it('never takes place in a daemon beside no app, also when one is asked for', async () => {
    const { machine, daemon } = setUp({ attach: 'none' });
    machine.start(SHOP, 'shop');
    await daemon.start();
    expect(await outcome(() => daemon.attach(SHOP, options))).toEqual(failure('not_found'));
    expect(daemon.listApps(EVERYTHING)).toEqual([]);
    expect(machine.driver.asked).toEqual([]);
  });

  it('has looked once when it has started, and looks again and again', async () => {
    const { machine, daemon, status } = setUp();
    machine.start(SHOP, 'shop');
    await daemon.start();
    expect(daemon.listApps(EVERYTHING).map(({ pid }) => pid)).toEqual([SHOP]);
    machine.start(INBOX, 'inbox');
    await until('the other', () => status(INBOX) === 'active');
    expect(daemon.trackedProcesses()).toBe(2);
    machine.end(SHOP);
    await until('the end of the first', () => status(SHOP) === 'detached');
    expect(daemon.trackedProcesses()).toBe(1);
  });

  it('goes on after a scan that failed, which is logged', async () => {
    const machine = new FakeMachine();
    let scans = 0;
    const scanner: ProcessScanner = {
      scan: () => (++scans === 1 ? Promise.reject(new Error('no /proc')) : machine.scanner.scan()),
    };
    const { daemon, log } = setUp({ scanner });
    await daemon.start();
    expect(log.complaints).toEqual([expect.stringContaining('process scan failed')]);
    await until('two more scans', () => scans > 2);
    expect(log.complaints).toHaveLength(1);
  });

  it('finds neither itself nor the Node program that started it', async () => {
    const { machine, daemon } = setUp();
    machine.start(process.pid, 'node', { ppid: NOBODY });
    machine.start(NOBODY, 'node');
    machine.start(SHOP, 'shop');
    await daemon.start();
    expect(daemon.listApps(EVERYTHING).map(({ pid }) => pid)).toEqual([SHOP]);
  });

  it('does not take who started it for an app when that becomes another program', async () => {
    const { machine, daemon, status } = setUp();
    machine.start(process.pid, 'node', { ppid: NOBODY });
    machine.start(NOBODY, 'node');
    await daemon.start();
    machine.exec(NOBODY, 'shop');
    machine.start(INBOX, 'inbox');
    await until('the app that came with it', () => status(INBOX));
    expect(status(NOBODY)).toBeUndefined();
  });

  it('finds an app that has the pid of who started the daemon, which is gone', async () => {
    const { machine, daemon, status } = setUp();
    machine.start(process.pid, 'node', { ppid: NOBODY });
    machine.start(NOBODY, 'node');
    await daemon.start();
    expect(daemon.trackedProcesses()).toBe(0);
    machine.start(NOBODY, 'shop');
    await until('the app', () => status(NOBODY) === 'active');
  });
});

describe('reading the state', () => {
  it('gives the last snapshot, and leaves the app alone', async () => {
    const { run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.state = { count: 2 };
    const [first, second] = [await read(SHOP, false), await read(SHOP, false)];
    expect(first).toMatchObject({ pid: SHOP, app_id: appIdOf('shop'), objects: { count: 1 } });
    expect(first.probe_metadata.cache_hit).toBe(true);
    expect(second.capture_id).toBe(first.capture_id);
    expect(probe.captures).toBe(2);
  });

  it('takes a new one for who wants it fresh', async () => {
    const { run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    const before = await read(SHOP, false);
    probe.state = { count: 2 };
    const fresh = await read(SHOP, true);
    expect(fresh.objects).toEqual({ count: 2 });
    expect(fresh.probe_metadata.cache_hit).toBe(false);
    expect(fresh.capture_id).not.toBe(before.capture_id);
    expect((await read(SHOP, false)).capture_id).toBe(fresh.capture_id);
  });

  it('gives the same to those in this process', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.state = { count: 2 };
    const cached = await daemon.lookAt(SHOP, false, options);
    expect([cached.get('count'), cached.keys.keys]).toEqual([1, ['count']]);
    const fresh = await daemon.lookAt(SHOP, true, options);
    expect([fresh.get('count'), fresh.facts.pid]).toEqual([2, SHOP]);
  });

  it('says that a capture failed, and why, and still has the last state', async () => {
    const { run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.failure = new Error('the page has crashed');
    await expect(read(SHOP, true)).rejects.toEqual(failure('probe_not_ready', 'the page has crashed. fresh=false'));
    expect((await read(SHOP, false)).objects).toEqual({ count: 1 });
  });

  it('tells an app that does not answer in time from one that fails', async () => {
    const { run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.failure = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    await expect(read(SHOP, true)).rejects.toEqual(failure('probe_timeout', 'did not answer in time'));
    probe.failure = new TargetBusyError('The page does not answer.');
    await expect(read(SHOP, true)).rejects.toEqual(failure('probe_timeout', 'The page does not answer.'));
    probe.failure = new Error('its answer makes no sense');
    await expect(read(SHOP, true)).rejects.toEqual(failure('probe_not_ready', 'its answer makes no sense'));
  });

  it('says that the probe is being attached again while it is', async () => {
    const { machine, run, read, status } = setUp();
    const probe = await run(SHOP, 'shop');
    machine.driver.onAttach = () => Promise.reject(new AttachError('not yet', { retry: true }));
    probe.close();
    await until('the loss', () => status(SHOP) === 'error');
    await until('the detach', () => probe.detached);
    await expect(read(SHOP, true)).rejects.toEqual(failure('probe_not_ready', 'being attached again'));
  });

  it('asks before it looks through the heap, and takes no for an answer', async () => {
    const { machine, daemon, schemas, run } = setUp();
    const known = emptySchema(appIdOf('shop'), 'shop');
    schemas.save({ ...known, hints: { deep: false } });
    const depths: string[] = [];
    machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      const { capture } = probe;
      probe.capture = async (request) => {
        depths.push(request.depth);
        return { ...(await capture.call(probe, request)), suggestsHeapScan: true };
      };
      return probe;
    };
    await run(SHOP, 'shop');
    const refuse = () => {
      throw new SubstrateError('rate_limited', 'no snapshot is left');
    };
    const refused = daemon.readState(SHOP, whole(true), { ...options, spendSnapshot: refuse });
    await expect(refused).rejects.toEqual(failure('rate_limited', 'no snapshot is left'));
    expect(depths).not.toContain('deep');
    await daemon.readState(SHOP, whole(true), options);
    expect(depths.at(-1)).toBe('deep');
  });

  it('lets one go who does not wait any more; the capture goes on for the others', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    let answer: () => void = () => {};
    const isThere = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { capture } = probe;
    probe.capture = async (request) => {
      await isThere;
      return capture.call(probe, request);
    };
    probe.state = { count: 2 };
    const leaving = new AbortController();
    const left = daemon.readState(SHOP, whole(true), { ...options, signal: leaving.signal });
    const stays = daemon.readState(SHOP, whole(true), options);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    answer();
    expect(stateOf((await stays).bytes).objects).toEqual({ count: 2 });
  });

  it('does not begin for one who has gone already', async () => {
    const { daemon, run } = setUp();
    await run(SHOP, 'shop');
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(daemon.readState(SHOP, whole(true), { ...options, signal })).rejects.toThrow('gone');
  });
});

describe('whatever is asked of one app', () => {
  const learning = learnRequest.parse({
    capture_id: 'x',
    schema_version: '1.0.0',
    corrections: [{ observed_key: 'count', correct_label: 'n', correct_type: 'number' }],
  });
  type Question = (daemon: Daemon, pid: number) => unknown;
  const questions: [string, Question][] = [
    ['its state', (daemon, pid) => daemon.readState(pid, whole(false), options)],
    ['its fresh state', (daemon, pid) => daemon.readState(pid, whole(true), options)],
    ['a look at it', (daemon, pid) => daemon.lookAt(pid, false, options)],
    ['its schema', (daemon, pid) => daemon.readSchema(pid)],
    ['a diff', (daemon, pid) => daemon.diff(pid, 'x', false, options)],
    ['the history of a key', (daemon, pid) => daemon.keyHistory(pid, ['count'])],
    ['to learn', (daemon, pid) => daemon.learn(pid, learning, options)],
    ['to verify', (daemon, pid) => daemon.verify(verifyRequest.parse({ pid, expression: 'count' }), options)],
  ];

  it.each(questions)('fails for a pid that is not tracked: %s', async (_, ask) => {
    const { daemon } = setUp();
    await daemon.start();
    expect(await outcome(() => ask(daemon, NOBODY))).toEqual(failure('not_found', 'No tracked application has'));
  });

  it.each(questions)('fails for an app that has ended: %s', async (_, ask) => {
    const { machine, daemon, run, status } = setUp();
    await run(SHOP, 'shop');
    machine.end(SHOP);
    await until('its end', () => status(SHOP) === 'detached');
    expect(await outcome(() => ask(daemon, SHOP))).toEqual(failure('not_found', 'No tracked application has'));
  });

  it.each(questions)('fails for an app without state, and says when it has some: %s', async (_, ask) => {
    const { machine, daemon, status } = setUp();
    machine.driver.onAttach = (_, { abort }) =>
      new Promise((_, reject) => abort.addEventListener('abort', () => reject(new Error('it was given up'))));
    machine.start(SHOP, 'shop');
    await daemon.start();
    expect(status(SHOP)).toBe('attaching');
    expect(await outcome(() => ask(daemon, SHOP))).toEqual(failure('probe_not_ready', 'until has_state is true'));
  });

  const plain = ['a diff', 'the history of a key', 'its schema', 'to learn'];
  const waiting = questions.filter(([what]) => !plain.includes(what));
  it.each(waiting)('attaches to an app that is not attached to by itself, and waits for it: %s', async (_, ask) => {
    const { machine, daemon, status } = setUp({ attach: 'asked' });
    machine.start(SHOP, 'shop');
    await daemon.start();
    expect([status(SHOP), machine.attachesTo(SHOP)]).toEqual(['detecting', 0]);
    await ask(daemon, SHOP);
    expect([status(SHOP), machine.attachesTo(SHOP)]).toEqual(['active', 1]);
  });

  it('attaches by hand, and detaches', async () => {
    const { machine, daemon } = setUp({ attach: 'asked' });
    machine.start(SHOP, 'shop');
    await daemon.start();
    expect(daemon.attachments(EVERYTHING)).toMatchObject([{ pid: SHOP, by_itself: false }]);
    expect(await daemon.attach(SHOP, options)).toMatchObject({ probe_status: 'active', by_itself: true });
    expect(await daemon.detach(SHOP, options)).toMatchObject({ probe_status: 'detached', by_itself: false });
    await daemon.ask(SHOP, options);
    expect(daemon.readSchema(SHOP)).toMatchObject({ pid: SHOP });
  });

  it('attaches by hand to what was started a moment ago', async () => {
    const { machine, daemon } = setUp({ attach: 'asked', interval_ms: NEVER_MS });
    await daemon.start();
    machine.start(SHOP, 'shop');
    expect(await daemon.attach(SHOP, options)).toMatchObject({ probe_status: 'active' });
  });

  it.each(questions)('says why there is no state where that is known: %s', async (_, ask) => {
    const { machine, daemon, status } = setUp();
    machine.driver.onAttach = () => Promise.reject(new AttachError('It listens to nobody.', { retry: false }));
    machine.start(SHOP, 'shop');
    await daemon.start();
    await until('the error', () => status(SHOP) === 'error');
    const text = `shop (pid ${SHOP}) has no state: It listens to nobody.`;
    expect(await outcome(() => ask(daemon, SHOP))).toEqual(failure('probe_not_ready', text));
  });

  it('says why an app is not there yet that it was asked for', async () => {
    const { machine, daemon } = setUp({ attach: 'asked' });
    machine.driver.onAttach = () => Promise.reject(new AttachError('It has no room.', { retry: true }));
    machine.start(SHOP, 'shop');
    await daemon.start();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked = outcome(() => daemon.ask(SHOP, options));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await asked).toEqual(
      failure('probe_not_ready', 'Ask again in some seconds. So far it did not work: It has'),
    );
  });
});

describe('a key for some apps', () => {
  const permissions = new Permissions({ apps: ['inbox*'] });

  it('sees only those', async () => {
    const { daemon, run } = setUp();
    await run(SHOP, 'shop');
    await run(INBOX, 'inbox');
    expect(daemon.listApps(permissions).map(({ pid }) => pid)).toEqual([INBOX]);
    expect(daemon.attachments(permissions).map(({ pid }) => pid)).toEqual([INBOX]);
    for (const app of [{ pid: INBOX }, { app_id: appIdOf('inbox') }, { pid: NOBODY }])
      expect(() => daemon.allow(app, permissions)).not.toThrow();
    for (const app of [{ pid: SHOP }, { app_id: appIdOf('shop') }, { pid: INBOX, app_id: appIdOf('shop') }])
      expect(() => daemon.allow(app, permissions)).toThrow(/for apps called inbox\*, not for shop/);
  });

  it('attaches to no other, not even to one that has just started', async () => {
    const { machine, daemon } = setUp({ attach: 'asked', interval_ms: NEVER_MS });
    await daemon.start();
    machine.start(SHOP, 'shop');
    const refused = await outcome(() => daemon.attach(SHOP, { ...options, permissions }));
    expect(refused).toEqual(failure('forbidden_scope', 'not for shop'));
    expect(machine.attachesTo(SHOP)).toBe(0);
    expect((await daemon.attach(SHOP, options)).pid).toBe(SHOP);
  });
});

describe('the schema and the diff', () => {
  it('tells the actions that there are', async () => {
    const { machine, daemon, run } = setUp();
    machine.driver.onAttach = async () => Object.assign(new FakeProbe(), { actions: [ADD] });
    await run(SHOP, 'shop');
    expect(daemon.readSchema(SHOP)).toEqual({
      pid: SHOP,
      app_id: appIdOf('shop'),
      app_name: 'shop',
      schema_version: '1.0.0',
      actions: { 'cart.add': expect.objectContaining({ signature: 'fn() -> void' }) },
    });
  });

  it('tells what differs from an earlier capture', async () => {
    const { daemon, run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.state = { count: 1, old: 'x' };
    const { capture_id: since } = await read(SHOP, true);
    probe.state = { count: 2, fresh: true };
    const { capture_id } = await read(SHOP, true);
    expect(daemon.diff(SHOP, since, false, options)).toEqual({
      pid: SHOP,
      app_id: appIdOf('shop'),
      capture_id,
      prev_capture_id: since,
      changed: [{ path: 'count', before: 1, after: 2 }],
      added: [{ path: 'fresh', value: true }],
      removed: [{ path: 'old', value: 'x' }],
    });
  });

  it('tells what keys held over the captures, and where they were not there; no secret, no long text', async () => {
    const { daemon, run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    const times: string[] = [];
    for (const state of [{ count: 1, note: 'x'.repeat(500) }, { count: 2 }, { count: 2, password: 'hunter2' }]) {
      probe.state = state;
      times.push((await read(SHOP, true)).captured_at);
    }
    const { series, from, to, ...rest } = daemon.keyHistory(SHOP, ['count', 'note', 'password', 'never', 'count']);
    const [first = '', second = '', third = ''] = times;
    expect(rest).toEqual({ pid: SHOP, app_id: appIdOf('shop'), capture_id: (await read(SHOP, false)).capture_id });
    expect(to).toBe(third);
    expect(series).toEqual([
      {
        key: 'count',
        points: [
          { at: from, value: 1 },
          { at: second, value: 2 },
        ],
      },
      { key: 'note', points: [{ at: from }, { at: first, value: `${'x'.repeat(200)}…` }, { at: second }] },
      { key: 'password', points: [{ at: from }, { at: third, value: '[redacted]' }] },
      { key: 'never', points: [] },
    ]);
  });

  it('tells a capture of another app from one that nobody knows', async () => {
    const { daemon, run, read } = setUp();
    await run(SHOP, 'shop');
    await run(INBOX, 'inbox');
    const { capture_id } = await read(INBOX, false);
    const belongs = `belongs to pid ${INBOX}, not to ${SHOP}`;
    expect(() => daemon.diff(SHOP, capture_id, false, options)).toThrow(failure('capture_pid_mismatch', belongs));
    expect(() => daemon.diff(SHOP, 'never', false, options)).toThrow(failure('capture_not_found'));
  });

  it('says nothing of a capture of an app that the key is not for', async () => {
    const { daemon, run, read } = setUp();
    await run(SHOP, 'shop');
    await run(INBOX, 'inbox');
    const { capture_id } = await read(INBOX, false);
    const corrections = [{ observed_key: 'count', correct_label: 'visitors', correct_type: 'number' }];
    const request = learnRequest.parse({ capture_id, schema_version: '1.0.0', corrections });
    const message = expect.not.stringContaining(String(INBOX));
    const unknown = expect.objectContaining({ code: 'capture_not_found', message });
    for (const [apps, error] of [
      [['shop'], unknown],
      [['shop', 'inbox'], failure('capture_pid_mismatch')],
    ] as const) {
      const restricted = { ...options, permissions: new Permissions({ apps: [...apps] }) };
      expect(() => daemon.diff(SHOP, capture_id, false, restricted)).toThrow(error);
      expect(() => daemon.learn(SHOP, request, restricted)).toThrow(error);
    }
  });
});

describe('verifying', () => {
  const ask = (body: object) => verifyRequest.parse({ pid: SHOP, timeout_ms: 100, ...body });

  it('is content with the last snapshot where that will do', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    const verified = await daemon.verify(ask({ expression: 'count === 1' }), options);
    expect(verified).toMatchObject({ passed: true, poll_cycles: 1, actual_value: 1, changed_fields: [] });
    expect(probe.captures).toBe(2);
  });

  it('waits until it holds, and tells what changed meanwhile', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    const { capture } = probe;
    probe.capture = async (request) => {
      probe.state = { count: Number(probe.state.count) + 1 };
      return capture.call(probe, request);
    };
    const verified = await daemon.verify(ask({ expression: 'count >= 5', timeout_ms: 30_000 }), options);
    expect(verified).toMatchObject({
      passed: true,
      poll_cycles: 5,
      actual_value: 5,
      changed_fields: [{ path: 'count', before: 1, after: 5 }],
    });
  });

  it('says what it saw when the time is up', async () => {
    const { daemon, run } = setUp();
    await run(SHOP, 'shop');
    const verified = await daemon.verify(ask({ expression: 'count === 7' }), options);
    expect(verified).toMatchObject({ passed: false, actual_value: 1 });
    expect(verified.explanation).toContain('1');
  });

  it('names no value where the expression is about several', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    probe.state = { count: 1, total: 1 };
    const verified = await daemon.verify(ask({ expression: 'count === total', timeout_ms: 30_000 }), options);
    expect(verified.passed).toBe(true);
    expect(verified).not.toHaveProperty('actual_value');
  });

  it('takes an app_id: the newest instance', async () => {
    const { daemon, run, read } = setUp();
    await run(SHOP, 'shop');
    const twin = await run(TWIN, 'shop');
    twin.state = { count: 2 };
    await read(TWIN, true);
    const request = verifyRequest.parse({ app_id: appIdOf('shop'), expression: 'count' });
    expect(await daemon.verify(request, options)).toMatchObject({ actual_value: 2 });
  });

  it('refuses an expression before it looks for the app', async () => {
    const { daemon } = setUp();
    const long = `count === ${'1'.repeat(2048)}`;
    const tooLarge = failure('verify_expression_too_large', `${long.length} bytes; at most 2048`);
    await expect(daemon.verify(ask({ expression: long }), options)).rejects.toEqual(tooLarge);
    await expect(daemon.verify(ask({ expression: 'count ===' }), options)).rejects.toEqual(failure('invalid_request'));
  });

  it('ends when its client has gone', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    const leaving = new AbortController();
    const verifying = daemon.verify(ask({ expression: 'count === 2', timeout_ms: 30_000 }), {
      ...options,
      signal: leaving.signal,
    });
    const left = expect(verifying).rejects.toThrow('gone');
    await until('it to look', () => probe.captures > 2);
    leaving.abort(new Error('gone'));
    await left;
  });
});

describe('acting', () => {
  const ask = (body: object) => actionRequest.parse({ pid: SHOP, action: 'cart.add', parameters: {}, ...body });

  async function withAction() {
    const all = setUp();
    const invoked: number[] = [];
    all.machine.driver.onAttach = async ({ pid }) => {
      const probe = new FakeProbe();
      probe.actions = [ADD];
      probe.onInvoke = () => {
        invoked.push(pid);
        probe.state = { count: 2 };
      };
      return probe;
    };
    await all.run(SHOP, 'shop');
    return { ...all, invoked };
  }

  it('runs the action, and shows what it changed', async () => {
    const { daemon, invoked } = await withAction();
    const { fields, updatedState } = await daemon.act(ask({ verify_expression: 'count === 2' }), options);
    expect(fields).toMatchObject({
      success: true,
      executed: true,
      action: 'cart.add',
      runtime: 'v8',
      verification: { passed: true },
      state_delta: { count: { before: 1, after: 2 } },
    });
    expect(stateOf(updatedState).objects).toEqual({ count: 2 });
    expect(invoked).toEqual([SHOP]);
  });

  it('takes an app_id: the newest instance', async () => {
    const { daemon, run, invoked } = await withAction();
    await run(TWIN, 'shop');
    await daemon.act(ask({ pid: undefined, app_id: appIdOf('shop'), verify_expression: 'count === 2' }), options);
    expect(invoked).toEqual([TWIN]);
  });

  it.each([
    ['an app that is not tracked', { pid: NOBODY }, 'pid_not_found', `pid ${NOBODY}.`],
    ['an app_id that is not known', { pid: undefined, app_id: 'x-0' }, 'pid_not_found', 'app_id x-0'],
    ['a pid and an app_id that disagree', { app_id: 'x-0' }, 'invalid_request', ', not x-0'],
    ['something destructive of no known app', { pid: NOBODY, action: 'deleteAll' }, 'dangerous_action_unverified', ''],
    ['an expression that is none', { verify_expression: 'count ===' }, 'invalid_request', ''],
    ['an expression that is too long', { verify_expression: '1'.repeat(2049) }, 'verify_expression_too_large', '2049'],
    ['an action that there is not', { action: 'cart.ad' }, 'unknown_action', 'cart.add'],
  ])('refuses %s, and runs nothing', async (_, body, code, message) => {
    const { daemon, invoked } = await withAction();
    const refused = await outcome(() => daemon.act(ask(body), options));
    expect(refused).toEqual(failure(code, message));
    expect(refused).toMatchObject({ extra: { executed: false } });
    expect(invoked).toEqual([]);
  });

  it('says of an app that has ended what it says of one that was never there', async () => {
    const { machine, daemon, status } = await withAction();
    machine.end(SHOP);
    await until('its end', () => status(SHOP) === 'detached');
    const permissions = new Permissions({ apps: ['shop'] });
    for (const caller of [options, { ...options, permissions }])
      expect(await outcome(() => daemon.act(ask({}), caller))).toEqual(failure('pid_not_found'));
  });

  it('refuses what the key may not do, and runs nothing', async () => {
    const { daemon, invoked } = await withAction();
    const permissions = new Permissions({ max_reversibility: 'reversible_read' });
    const caller = { ...options, permissions, permissionsNow: () => permissions };
    const act = () => daemon.act(ask({ verify_expression: 'count === 2' }), caller);
    const refused = await outcome(act);
    expect(refused).toEqual(failure('forbidden_scope', 'may run actions up to reversible_read'));
    expect(refused).toMatchObject({ extra: { action: 'cart.add', executed: false } });
    expect(invoked).toEqual([]);
  });

  it('is logged by names alone, with what came of it', async () => {
    const { daemon, noted } = await withAction();
    const given = { parameters: {}, verify_expression: 'count === 2' };
    await daemon.act(ask(given), options);
    await daemon.act(ask({ ...given, verify_expression: 'count === 3', verify_timeout_ms: 100 }), options);
    await daemon.act(ask({ verify_expression: undefined, action: 'cart.total' }), options).catch(() => undefined);
    const restricted = { ...options, keyId: 'key-2', permissions: new Permissions({ scopes: ['read'] }) };
    await outcome(() => daemon.act(ask({ ...given, parameters: { secret: 'hunter2' } }), restricted));
    await outcome(() => daemon.act(ask({ pid: NOBODY, action: 'x' }), options));
    const nothing = { binding: null, reversibility: null };
    const common = {
      time: expect.any(String),
      event: 'action',
      confirmed_by: null,
      parameters: [],
      count: 1,
      ...nothing,
    };
    const ran = { binding: 'cart#add', reversibility: 'irreversible_write' };
    const shop = { ...common, key_id: 'key-1', pid: SHOP, app_id: appIdOf('shop'), action: 'cart.add' };
    expect(noted).toEqual([
      { ...shop, ...ran, outcome: 'ran', code: null },
      { ...shop, ...ran, outcome: 'unverified', code: 'verification_failed' },
      { ...shop, action: 'cart.total', outcome: 'refused', code: 'unknown_action' },
      { ...shop, key_id: 'key-2', parameters: ['secret'], outcome: 'refused', code: 'forbidden_scope' },
      { ...shop, pid: NOBODY, app_id: null, action: 'x', outcome: 'refused', code: 'pid_not_found' },
    ]);
    expect(JSON.stringify(noted)).not.toContain('hunter2');
  });

  it('refuses an app without state, and says why it has none', async () => {
    const { machine, daemon, status } = setUp();
    machine.driver.onAttach = () => Promise.reject(new AttachError('It listens to nobody.', { retry: false }));
    machine.start(SHOP, 'shop');
    await daemon.start();
    await until('the error', () => status(SHOP) === 'error');
    const refused = await outcome(() => daemon.act(ask({}), options));
    expect(refused).toEqual(failure('probe_not_ready', 'It listens to nobody.'));
    expect(refused).toMatchObject({ extra: { action: 'cart.add', executed: false } });
  });
});

describe('comparing and acting', () => {
  async function withCart() {
    const all = setUp();
    const invoked: true[] = [];
    all.machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      probe.state = { 'cart.total': 1, visits: 1, clock: 1 };
      probe.actions = [ADD, { ...ADD, binding: 'ping', name: 'ping', effect: 'none' }];
      probe.onInvoke = () => {
        invoked.push(true);
      };
      return probe;
    };
    const probe = await all.run(SHOP, 'shop');
    const { capture_id } = await all.read(SHOP, true);
    const act = (action: string, verify_expression: string | undefined, ifMatch = capture_id) =>
      outcome(() =>
        all.daemon.act(
          actionRequest.parse({ pid: SHOP, action, parameters: {}, verify_expression, verify_timeout_ms: 100 }),
          options,
          ifMatch,
        ),
      );
    return { ...all, probe, invoked, act };
  }

  it('runs while what it reads is as it was, whatever else has changed', async () => {
    const { probe, act, invoked } = await withCart();
    probe.state = { 'cart.total': 1, visits: 1, clock: 2 };
    await act('cart.add', 'visits === 1');
    expect(invoked).toHaveLength(1);
  });

  it.each([
    ['a key beside the action', { 'cart.total': 2, visits: 1, clock: 1 }, 'cart.total'],
    ['a key that its expression reads', { 'cart.total': 1, visits: 2, clock: 1 }, 'visits'],
    ['a key that is gone', { visits: 1, clock: 1 }, 'cart.total'],
  ])('does not run when %s has changed, and tells the diff', async (_, state, key) => {
    const { probe, act, invoked } = await withCart();
    probe.state = state;
    const refused = await act('cart.add', 'visits === 1');
    expect(refused).toEqual(failure('state_changed', `Changed since the capture of If-Match: ${key}.`));
    expect(refused).toMatchObject({ extra: { action: 'cart.add', executed: false } });
    expect(JSON.stringify(refused)).toContain(`"path":"${key}"`);
    expect(invoked).toEqual([]);
  });

  it('takes every shown key for read where nothing tells which are', async () => {
    const { probe, act, invoked } = await withCart();
    probe.state = { 'cart.total': 1, visits: 1, clock: 2 };
    expect(await act('ping', undefined)).toEqual(failure('state_changed', 'If-Match: clock.'));
    expect(invoked).toEqual([]);
    await act('ping', 'visits === 1');
    expect(invoked).toHaveLength(1);
  });

  it('does not run where the capture is not known', async () => {
    const { act, invoked } = await withCart();
    expect(await act('cart.add', 'visits === 1', 'nothing')).toEqual(failure('state_changed', 'not known any more'));
    expect(invoked).toEqual([]);
  });
});

describe('an action that needs a person', () => {
  const permissions = new Permissions({ confirm: true, scopes: ['read', 'act', 'teach'] });
  const asking = { ...options, keyId: 'agent', keyLabel: 'my agent', permissions, permissionsNow: () => permissions };
  const REQUEST = actionRequest.parse({
    pid: SHOP,
    action: 'cart.add',
    parameters: { password: 'correct horse battery', name: 'tea' },
    verify_expression: 'count === 2',
  });

  async function withQuestion() {
    const all = setUp();
    const invoked: unknown[] = [];
    all.machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      probe.state = { count: 1, other: 1 };
      const parameters = ['password', 'name'].map((name) => ({ name, type: 'string' as const, required: true }));
      probe.actions = [{ ...ADD, parameters }];
      probe.onInvoke = () => {
        invoked.push(true);
        probe.state = { ...probe.state, count: 2 };
      };
      return probe;
    };
    const probe = await all.run(SHOP, 'shop');
    const acting = outcome(() => all.daemon.act(REQUEST, asking));
    await until('the question', () => all.daemon.approvals(EVERYTHING).length > 0);
    const [question] = all.daemon.approvals(EVERYTHING);
    if (question === undefined) throw new Error('nothing is asked');
    return { ...all, probe, invoked, acting, question };
  }

  it('waits, and tells who asks for what; secrets are hidden', async () => {
    const { daemon, read, probe, question, invoked, acting } = await withQuestion();
    expect(approval.strict().parse(question)).toMatchObject({
      id: expect.stringMatching(/^ask_[0-9a-f]{8}$/),
      key_id: 'agent',
      key_label: 'my agent',
      pid: SHOP,
      app_name: 'shop',
      action: 'cart.add',
      parameters: { name: 'tea' },
      verify_expression: 'count === 2',
      changes: [],
      change_count: 0,
    });
    expect(JSON.stringify(question)).not.toContain('horse');
    probe.state = { count: 1, other: 7 };
    await read(SHOP, true);
    expect(daemon.approvals(EVERYTHING)[0]).toMatchObject({
      changes: [{ path: 'other', before: 1, after: 7 }],
      change_count: 1,
    });
    expect(invoked).toEqual([]);
    daemon.decide(question.id, false, options);
    await acting;
  });

  it('runs when another key agrees, and the log says which', async () => {
    const { daemon, question, acting, invoked, noted } = await withQuestion();
    expect(daemon.decide(question.id, true, options).action).toBe('cart.add');
    expect(await acting).toMatchObject({ fields: { success: true } });
    expect(invoked).toEqual([true]);
    expect(daemon.approvals(EVERYTHING)).toEqual([]);
    expect(noted).toMatchObject([
      { event: 'approve', key_id: 'key-1' },
      {
        key_id: 'agent',
        outcome: 'ran',
        confirmed_by: 'key-1',
        binding: 'cart#add',
        reversibility: 'irreversible_write',
      },
    ]);
  });

  it('does not run when a person says no', async () => {
    const { daemon, question, acting, invoked, noted } = await withQuestion();
    daemon.decide(question.id, false, options);
    const refused = await acting;
    expect(refused).toEqual(failure('not_confirmed', 'A person said no: cart.add was not run.'));
    expect(refused).toMatchObject({ extra: { executed: false } });
    expect(invoked).toEqual([]);
    expect(noted).toMatchObject([
      { event: 'deny', key_id: 'key-1', action: 'cart.add for agent' },
      { outcome: 'refused', code: 'not_confirmed', confirmed_by: null, binding: null },
    ]);
    expect(() => daemon.decide(question.id, true, options)).toThrow(failure('not_found', 'it was decided'));
  });

  it('is not decided by the key that asks, by one that needs a person itself, or by one for other apps', async () => {
    const { daemon, question, acting, invoked } = await withQuestion();
    const decide = (keyId: string, restrictions: Restrictions) =>
      outcome(async () =>
        daemon.decide(question.id, true, { ...options, keyId, permissions: new Permissions(restrictions) }),
      );
    expect(await decide('agent', {})).toEqual(failure('forbidden_scope', 'another one has to decide'));
    expect(await decide('other', { confirm: true })).toEqual(failure('forbidden_scope', 'decides nothing'));
    expect(await decide('other', { apps: ['inbox*'] })).toEqual(failure('not_found'));
    expect(daemon.approvals(new Permissions({ apps: ['inbox*'] }))).toEqual([]);
    expect(invoked).toEqual([]);
    daemon.decide(question.id, false, options);
    await acting;
  });

  it('may be one that has come since the last capture', async () => {
    const { machine, daemon, run } = setUp();
    machine.driver.onAttach = async () => Object.assign(new FakeProbe(), { state: { count: 1 } });
    const probe = await run(SHOP, 'shop');
    probe.actions = [{ ...ADD, effect: 'none' }];
    const acting = outcome(() => daemon.act({ ...REQUEST, parameters: {}, verify_expression: undefined }, asking));
    await until('the question', () => daemon.approvals(EVERYTHING).length > 0);
    daemon.decide(daemon.approvals(EVERYTHING)[0]?.id ?? '', false, options);
    expect(await acting).toEqual(failure('not_confirmed'));
  });

  it('runs only what the person saw: not a method that the name was bound to since', async () => {
    const { daemon, machine, run, noted } = setUp();
    const invoked: unknown[] = [];
    machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      probe.state = { count: 1 };
      probe.actions = [
        { ...ADD, binding: 'shop#getViews', name: 'shop.getViews', effect: 'none' },
        { ...ADD, binding: 'shop#wipe', name: 'shop.wipe', effect: 'none' },
      ];
      probe.onInvoke = () => void invoked.push(true);
      return probe;
    };
    await run(SHOP, 'shop');
    const request = actionRequest.parse({ pid: SHOP, action: 'shop.getViews', parameters: {} });
    const acting = outcome(() => daemon.act(request, asking));
    await until('the question', () => daemon.approvals(EVERYTHING).length > 0);
    const [question] = daemon.approvals(EVERYTHING);
    expect(question).toMatchObject({ binding: 'shop#getViews', reversibility: 'reversible_read' });
    const { capture_id, schema_version } = stateOf((await daemon.readState(SHOP, whole(false), options)).bytes);
    const correction = { observed_key: 'shop.getViews', correct_label: 'shop.getViews', correct_type: 'object' };
    const taught = daemon.learn(
      SHOP,
      learnRequest.parse({
        capture_id,
        schema_version,
        feedback_type: 'action_correction',
        corrections: [{ ...correction, binding: 'shop#wipe' }],
      }),
      asking,
    );
    expect(taught.accepted).toBe(1);
    await daemon.readState(SHOP, whole(true), options);
    daemon.decide(question?.id ?? '', true, options);
    expect(await acting).toEqual(
      failure(
        'not_confirmed',
        'since it was approved, it has changed: it called shop#getViews, and would call shop#wipe',
      ),
    );
    expect(invoked).toEqual([]);
    // The log has everything: who taught and who approved what, and that nothing ran.
    expect(noted).toMatchObject([
      { event: 'learn', key_id: 'agent', action: expect.stringContaining('bound to shop#wipe') },
      { event: 'approve', key_id: 'key-1', action: 'shop.getViews for agent' },
      { event: 'action', outcome: 'refused', code: 'not_confirmed', binding: null, confirmed_by: 'key-1' },
    ]);
  });

  it('does not run for a key that was disabled, or may do less, since it asked', async () => {
    for (const permissionsNow of [
      () => {
        throw new SubstrateError('disabled_key', 'It was disabled.');
      },
      () => new Permissions({ scopes: ['read'] }),
      () => new Permissions({ confirm: true, max_reversibility: 'reversible_read' as const }),
    ]) {
      const all = setUp();
      let isLess = false;
      const invoked: unknown[] = [];
      all.machine.driver.onAttach = async () => {
        const probe = Object.assign(new FakeProbe(), { state: { count: 1 }, actions: [ADD] });
        probe.onInvoke = () => void invoked.push(true);
        return probe;
      };
      await all.run(SHOP, 'shop');
      const caller = { ...asking, permissionsNow: () => (isLess ? permissionsNow() : asking.permissions) };
      const acting = outcome(() => all.daemon.act({ ...REQUEST, parameters: {} }, caller));
      await until('the question', () => all.daemon.approvals(EVERYTHING).length > 0);
      const id = all.daemon.approvals(EVERYTHING)[0]?.id ?? '';
      isLess = true;
      await outcome(async () => all.daemon.decide(id, true, options));
      all.daemon.keysChanged();
      expect(await acting).toBeInstanceOf(SubstrateError);
      expect(invoked).toEqual([]);
    }
  });

  it('is shown with what it changed before, and whether its proof is true already', async () => {
    const { daemon, acting, question } = await withQuestion();
    expect(question).toMatchObject({ earlier_runs: { count: 0, last_changed: [] }, already_true: false });
    daemon.decide(question.id, true, options);
    await acting;
    const again = outcome(() => daemon.act(REQUEST, asking));
    await until('the question', () => daemon.approvals(EVERYTHING).length > 0);
    const [second] = daemon.approvals(EVERYTHING);
    expect(second).toMatchObject({ earlier_runs: { count: 1, last_changed: ['count'] }, already_true: true });
    daemon.decide(second?.id ?? '', false, options);
    await again;
  });

  it('is refused before anybody is asked, where a gate is closed', async () => {
    const { daemon, run } = setUp();
    await run(SHOP, 'shop');
    expect(await outcome(() => daemon.act({ ...REQUEST, action: 'no.such' }, asking))).toEqual(
      failure('unknown_action'),
    );
    expect(daemon.approvals(EVERYTHING)).toEqual([]);
  });
});

describe('learning', () => {
  const NAME = { observed_key: 'count', correct_label: 'visitors', correct_type: 'number' };

  async function withState() {
    const all = setUp();
    await all.run(SHOP, 'shop');
    const { capture_id, schema_version } = await all.read(SHOP, false);
    const learn = (...corrections: object[]) =>
      all.daemon.learn(SHOP, learnRequest.parse({ capture_id, schema_version, corrections }), options);
    return { ...all, learn };
  }

  it('names the keys of all instances from the next capture on, and writes it down', async () => {
    const { learn, run, read, schemas } = await withState();
    await run(TWIN, 'shop');
    await schemas.flush();
    expect(learn(NAME)).toEqual({
      accepted: 1,
      rejected: 0,
      new_schema_version: '1.0.1',
      message: '1 accepted; keys follow at the next probe cycle.',
    });
    await schemas.flush();
    expect(schemas.load(appIdOf('shop'))?.labels.count).toMatchObject({ label: 'visitors', confirmed: true });
    expect((await read(SHOP, false)).objects).toEqual({ count: 1 });
    for (const pid of [SHOP, TWIN])
      expect(await read(pid, true)).toMatchObject({ schema_version: '1.0.1', objects: { visitors: 1 } });
  });

  it('says which key lost its name', async () => {
    const { learn, machine, read } = await withState();
    machine.probeOf(SHOP).state = { count: 1, visitors: 5 };
    await read(SHOP, true);
    expect(learn(NAME).message).toContain('The value that was called visitors before is opaque now.');
  });

  it('says why corrections were not taken, each reason once', async () => {
    const { learn } = await withState();
    const wrong = { ...NAME, correct_type: 'colour' };
    const { message, ...rest } = learn(wrong, wrong, { ...NAME, observed_key: 'nothing' });
    expect(rest).toEqual({ accepted: 0, rejected: 3, new_schema_version: '1.0.0' });
    expect(message).toMatch(/^0 accepted\. count: .* nothing: /);
    expect(message.match(/correct_type/g)).toHaveLength(1);
  });

  it('refuses what was seen in another app, or in no capture that is known', async () => {
    const { daemon, run, read } = await withState();
    await run(INBOX, 'inbox');
    const { capture_id } = await read(INBOX, false);
    const request = (id: string) =>
      learnRequest.parse({ capture_id: id, schema_version: '1.0.0', corrections: [NAME] });
    expect(() => daemon.learn(SHOP, request(capture_id), options)).toThrow(failure('capture_pid_mismatch'));
    expect(() => daemon.learn(SHOP, request('never'), options)).toThrow(failure('capture_not_found'));
  });
});

describe('schemas as documents', () => {
  const document = {
    format: 'substrate-schema/1',
    app_id: appIdOf('shop'),
    app_name: 'shop',
    labels: [{ path: 'count', label: 'visitors', type: 'number', confidence: 1, confirmed: true }],
    actions: [],
  };
  const request = (body: object = {}) => importRequest.parse({ document, ...body });

  it('come from a running app, whose own knowledge is newer than what is stored', async () => {
    const { daemon, run } = setUp();
    await run(SHOP, 'shop');
    expect(daemon.exportSchema(appIdOf('shop'), false).labels).toEqual([]);
    expect(daemon.exportSchema(appIdOf('shop'), true).labels).toMatchObject([{ path: 'count', confirmed: false }]);
  });

  it('come from the store when the app does not run', () => {
    const { daemon, schemas } = setUp();
    schemas.save(emptySchema(appIdOf('shop'), 'shop'));
    expect(daemon.exportSchema(appIdOf('shop'), true)).toEqual({ ...document, labels: [] });
  });

  it('are there of no app that is not known', () => {
    const { daemon } = setUp();
    const unknown = failure('not_found', `No app ${appIdOf('shop')} is running or known from before.`);
    expect(() => daemon.exportSchema(appIdOf('shop'), false)).toThrow(unknown);
    expect(() => daemon.importSchema(request(), options)).toThrow(unknown);
  });

  it('can be taken in before the app has ever run', async () => {
    const { daemon, run, read } = setUp();
    expect(daemon.importSchema(request({ create: true }), options).counts).toMatchObject({ added: 1, rejected: 0 });
    await run(SHOP, 'shop');
    expect((await read(SHOP, false)).objects).toEqual({ visitors: 1 });
  });

  it('name the keys of all instances from the next capture on, and are written down', async () => {
    const { daemon, run, read, schemas } = setUp();
    await run(SHOP, 'shop');
    await run(TWIN, 'shop');
    await schemas.flush();
    expect(daemon.importSchema(request(), options).counts).toMatchObject({ changed: 1 });
    await schemas.flush();
    expect(schemas.load(appIdOf('shop'))?.labels.count).toMatchObject({ label: 'visitors' });
    for (const pid of [SHOP, TWIN]) expect((await read(pid, true)).objects).toEqual({ visitors: 1 });
  });

  it('give no action the name that another one has in the running app', async () => {
    const { machine, daemon, run } = setUp();
    machine.driver.onAttach = async () =>
      Object.assign(new FakeProbe(), { actions: [ADD, { ...ADD, name: 'cart.clear' }] });
    await run(SHOP, 'shop');
    const clash = { action: 'cart.add', name: 'cart.clear', returns: 'array', confidence: 1 };
    const { counts, entries } = daemon.importSchema(
      request({ document: { ...document, labels: [], actions: [clash] } }),
      options,
    );
    expect(counts).toMatchObject({ added: 0, conflict: 1 });
    expect(entries).toMatchObject([{ kind: 'action', path: 'cart.add', outcome: 'conflict' }]);
  });

  it('change nothing where it is only asked what they would do', async () => {
    const { daemon, run, read } = setUp();
    await run(SHOP, 'shop');
    expect(daemon.importSchema(request({ dry_run: true }), options).counts).toMatchObject({ changed: 1 });
    expect(await read(SHOP, true)).toMatchObject({ schema_version: '1.0.0', objects: { count: 1 } });
    expect(daemon.exportSchema(appIdOf('shop'), false).labels).toEqual([]);
  });

  it('leave no trace of an app that is not known where it is only asked', () => {
    const { daemon, schemas } = setUp();
    daemon.importSchema(request({ create: true, dry_run: true }), options);
    expect(schemas.load(appIdOf('shop'))).toBeNull();
  });
});

describe('watching', () => {
  it('tells of changes until it is stopped', async () => {
    const { daemon, run, read } = setUp();
    const probe = await run(SHOP, 'shop');
    const events: WatchEvent[] = [];
    const stop = daemon.watch(SHOP, { onChange: (event) => events.push(event), onExit: () => {} });
    await read(SHOP, true);
    expect(events).toEqual([]);
    probe.state = { count: 2 };
    const { capture_id, captured_at } = await read(SHOP, true);
    const event = { appId: appIdOf('shop'), captureId: capture_id, changedKeys: ['count'], timestamp: captured_at };
    expect(events).toEqual([event]);
    stop();
    probe.state = { count: 3 };
    await read(SHOP, true);
    expect(events).toHaveLength(1);
  });

  it('tells of the end, and of nothing after it', async () => {
    const { machine, daemon, run } = setUp();
    await run(SHOP, 'shop');
    const told: string[] = [];
    daemon.watch(SHOP, { onChange: () => told.push('change'), onExit: () => told.push('exit') });
    machine.end(SHOP);
    await until('the end', () => told.length > 0);
    expect(told).toEqual(['exit']);
  });

  it('begins before an app has state, but not without an app', async () => {
    const { machine, daemon } = setUp({ settle_ms: NEVER_MS });
    machine.start(SHOP, 'shop');
    await daemon.start();
    const watcher = { onChange: () => {}, onExit: () => {} };
    expect(daemon.watch(SHOP, watcher)).toBeTypeOf('function');
    expect(() => daemon.watch(NOBODY, watcher)).toThrow(failure('not_found'));
  });
});

describe('a browser', () => {
  const opened = (machine: FakeMachine, facts: Partial<OpenedBrowser> = {}): OpenedBrowser => {
    machine.start(77, 'chromium');
    return { started: true, headless: true, pids: () => [77], failure: () => null, ...facts };
  };
  const url = 'about:blank';

  it('is an app as soon as it is open, and a line in the log', async () => {
    const { daemon, noted } = setUp({ attach: 'asked', openBrowser: (_, machine) => opened(machine) });
    await daemon.start();
    const answer = await daemon.openBrowser(url, options);
    expect(browserResponse.strict().parse(answer)).toMatchObject({ pid: 77, app_name: 'chromium', started: true });
    expect(await daemon.lookAt(77, false, options)).toBeDefined();
    expect(noted).toMatchObject([
      { action: 'open_browser', parameters: ['url'], pid: 77, app_id: appIdOf('chromium'), outcome: 'ran' },
    ]);
    expect(JSON.stringify(noted)).not.toContain(url);
  });

  it('that runs already gets a tab', async () => {
    const { daemon, machine } = setUp({
      openBrowser: (_, machine) => opened(machine, { started: false, headless: null }),
    });
    let tabs = 0;
    machine.driver.onAttach = async () => {
      const probe = new FakeProbe();
      const url = { name: 'url', type: 'string', required: true } as const;
      probe.actions = [{ ...ADD, name: 'open_tab', parameters: [url], effect: 'setter' }];
      probe.onInvoke = () => tabs++;
      return probe;
    };
    await daemon.start();
    expect(await daemon.openBrowser(url, options)).toMatchObject({ pid: 77, started: false, headless: null });
    expect(tabs).toBe(1);
  });

  it('that does not start says why, and so does the log', async () => {
    const { daemon, noted } = setUp({
      openBrowser: () => ({ started: true, headless: true, pids: () => [], failure: () => 'It ended at once.' }),
    });
    await daemon.start();
    const failed = await daemon.openBrowser(url, options).catch((error: unknown) => error);
    expect(failed).toEqual(failure('browser_failed', 'It ended at once.'));
    expect(noted).toMatchObject([{ outcome: 'unknown', code: 'browser_failed' }]);
  });

  it('is not started for a key that may not, and waits for a person where the key needs one', async () => {
    const { daemon, noted } = setUp({ openBrowser: (_, machine) => opened(machine) });
    await daemon.start();
    const reader = { ...options, keyId: 'reader', permissions: new Permissions({ scopes: ['read'] }) };
    expect(await daemon.openBrowser(url, reader).catch((error: unknown) => error)).toEqual(failure('forbidden_scope'));
    const asking = { ...options, keyId: 'agent', permissions: new Permissions({ confirm: true }) };
    const answer = daemon.openBrowser(url, asking);
    const [question] = await until('the question', () => {
      const all = daemon.approvals(EVERYTHING);
      return all.length > 0 && all;
    });
    expect(approval.strict().parse(question)).toMatchObject({ action: 'open_browser', parameters: { url } });
    expect(daemon.trackedProcesses()).toBe(0);
    daemon.decide(question?.id ?? '', true, options);
    expect(await answer).toMatchObject({ pid: 77 });
    expect(noted).toMatchObject([
      { key_id: 'reader', outcome: 'refused', code: 'forbidden_scope' },
      { event: 'approve', key_id: options.keyId },
      { key_id: 'agent', outcome: 'ran', confirmed_by: options.keyId },
    ]);
  });
});

describe('stopping', () => {
  it('leaves every app', async () => {
    const { daemon, run } = setUp();
    const probes = [await run(SHOP, 'shop'), await run(INBOX, 'inbox')];
    await daemon.stop();
    expect(probes.map(({ detached }) => detached)).toEqual([true, true]);
  });

  it('ends the scans', async () => {
    let scans = 0;
    const scanner = { scan: async () => ({ appeared: [], gone: [], total: ++scans }) };
    vi.useFakeTimers();
    try {
      const { daemon } = setUp({ scanner });
      await daemon.start();
      await vi.advanceTimersByTimeAsync(10_000);
      const before = scans;
      expect(before).toBeGreaterThan(100);
      await daemon.stop();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(scans).toBe(before);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes no notice of a scan that was under way', async () => {
    let answer: (delta: ScanDelta) => void = () => {};
    const delta = new Promise<ScanDelta>((resolve) => {
      answer = resolve;
    });
    const scan = vi.fn(() => delta);
    const { machine, daemon } = setUp({ scanner: { scan } });
    vi.useFakeTimers();
    try {
      const started = daemon.start();
      await daemon.stop();
      machine.start(SHOP, 'shop');
      answer(await machine.scanner.scan());
      await started;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(daemon.listApps(EVERYTHING)).toEqual([]);
      expect(scan).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not wait for ever for an app that cannot be left', async () => {
    const { daemon, run } = setUp();
    const probe = await run(SHOP, 'shop');
    let leave: () => void = () => {};
    probe.detach = () =>
      new Promise((resolve) => {
        leave = resolve;
      });
    vi.useFakeTimers();
    try {
      let isStopped = false;
      void daemon.stop().then(() => {
        isStopped = true;
      });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(isStopped).toBe(true);
    } finally {
      vi.useRealTimers();
      leave();
    }
  });
});
