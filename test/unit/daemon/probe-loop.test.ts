import { describe, expect, it, vi } from 'vitest';
import { ProbeLoop } from '../../../src/daemon/probe-loop.ts';
import { NO_TRACE } from '../../../src/model/trace.ts';
import { AttachError, type Probe, TakenError } from '../../../src/probes/probe.ts';
import { FAKE_PROCESS, FakeProbe, fakeSession } from '../../support/fake-probe.ts';
import { until } from '../../support/real-processes.ts';

function loopOf(
  attach: (abort: AbortSignal) => Promise<Probe>,
  pollBudgetPercent = 100,
  coldTimeoutMs = 1000,
  intervalMs = 10,
) {
  const session = fakeSession((error) => loop.noteCycle(error));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const loop = new ProbeLoop({
    process: FAKE_PROCESS,
    session,
    attach,
    intervalMs,
    pollBudgetPercent,
    searchBudgetPercent: pollBudgetPercent,
    coldTimeoutMs,
    log,
    trace: NO_TRACE,
  });
  return { loop, session };
}

describe('the life of a probe', () => {
  it('attaches, takes a first snapshot and polls', async () => {
    const probe = new FakeProbe();
    const { loop, session } = loopOf(() => Promise.resolve(probe));
    loop.start(0);
    await until('polls', () => probe.captures > 3);
    expect(loop.status).toBe('active');
    expect(session.head).not.toBeNull();
    await loop.stop();
    expect(loop.status).toBe('detached');
    expect(probe.detached).toBe(true);
  });

  it('detaches when it is stopped, though the app never answers a capture that is under way', async () => {
    const probe = new FakeProbe();
    let asked = 0;
    probe.capture = () => {
      asked++;
      return new Promise(() => {});
    };
    const forEver = 1_000_000;
    const { loop } = loopOf(() => Promise.resolve(probe), 100, forEver);
    loop.start(0);
    await until('a capture', () => asked > 0);
    await loop.stop();
    expect(probe.detached).toBe(true);
  });

  it('ends when it is stopped while an attach is under way', async () => {
    const probe = new FakeProbe();
    let attached: (probe: Probe) => void = () => {};
    const { loop, session } = loopOf(
      () =>
        new Promise((resolve) => {
          attached = resolve;
        }),
    );
    loop.start(0);
    const stopped = loop.stop();
    attached(probe);
    await stopped;
    expect(probe.captures).toBe(0);
    expect(probe.detached).toBe(true);
    expect(session.head).toBeNull();
  });

  it('goes to error when a capture fails, and back with the next good one', async () => {
    const probe = new FakeProbe();
    const { loop } = loopOf(() => Promise.resolve(probe));
    loop.start(0);
    await until('active', () => loop.status === 'active');
    probe.failure = new Error('busy');
    await until('the error', () => loop.status === 'error');
    expect(loop.lastProblem).toBe('busy');
    probe.failure = null;
    await until('recovery', () => loop.status === 'active');
    expect(loop.lastProblem).toBeNull();
    await loop.stop();
  });

  it('says at once that the connection is lost, and attaches again', async () => {
    const probes: FakeProbe[] = [];
    const { loop } = loopOf(() => {
      const probe = new FakeProbe();
      probes.push(probe);
      return Promise.resolve(probe);
    });
    loop.start(0);
    await until('active', () => loop.status === 'active');
    probes[0]?.close();
    await until('the error', () => loop.status === 'error');
    await until('a second probe', () => probes.length === 2 && loop.status === 'active');
    expect(probes[0]?.detached).toBe(true);
    await loop.stop();
  });

  it('stays lost when a capture ends well after the connection was lost', async () => {
    const probe = new FakeProbe();
    const capture = probe.capture.bind(probe);
    let release: () => void = () => {};
    const { loop } = loopOf(() => Promise.resolve(probe));
    loop.start(0);
    await until('active', () => loop.status === 'active');
    let isHeld = false;
    probe.capture = async (request) => {
      isHeld = true;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return capture(request);
    };
    await until('a capture that is under way', () => isHeld);
    const before = probe.captures;
    probe.close();
    await until('the error', () => loop.status === 'error');
    release();
    await until('the end of the capture', () => probe.captures > before);
    await new Promise((resolve) => setImmediate(resolve));
    expect([loop.status, loop.lastProblem]).toEqual(['error', 'the connection to the app was lost']);
    await loop.stop();
  });

  it('does not try again where that cannot help', async () => {
    let tries = 0;
    const { loop } = loopOf(() => {
      tries++;
      return Promise.reject(new AttachError('never', { retry: false }));
    });
    loop.start(0);
    await until('the error', () => loop.status === 'error');
    expect([tries, loop.lastProblem]).toEqual([1, 'never']);
    await loop.stop();
  });

  it('looks again and again, but not all the time, whether another daemon has gone', async () => {
    vi.useFakeTimers();
    try {
      let tries = 0;
      const { loop } = loopOf(() => {
        tries++;
        return Promise.reject(new TakenError('taken', { retry: true }));
      });
      loop.start(0);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(tries).toBeGreaterThan(20);
      expect(tries).toBeLessThan(60);
      await loop.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves a young program alone, and goes without a trace when it ends by then', async () => {
    let tries = 0;
    const { loop } = loopOf(() => {
      tries++;
      return Promise.resolve(new FakeProbe());
    });
    loop.start(60_000);
    expect(loop.status).toBe('detecting');
    await loop.stop();
    expect(tries).toBe(0);
  });

  it('asks less often for what costs much, and more often again when it costs less', async () => {
    vi.useFakeTimers();
    try {
      const probe = new FakeProbe();
      probe.costMs = 100;
      const { loop } = loopOf(async () => probe, 2);
      const capturesWithin = async (ms: number) => {
        const before = probe.captures;
        await vi.advanceTimersByTimeAsync(ms);
        return probe.captures - before;
      };
      loop.start(0);
      await vi.advanceTimersByTimeAsync(2000);
      // Two percent of a minute, a tenth of a second each.
      expect(await capturesWithin(60_000)).toBeLessThanOrEqual(12);
      expect([loop.meanCostMs, loop.intervalMs]).toEqual([100, 5000]);
      probe.costMs = 5000;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await capturesWithin(300_000)).toBe(10);
      probe.costMs = 1;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await capturesWithin(10_000)).toBeGreaterThan(100);
      await loop.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks an app that cannot say when it changes as often as its budget permits, while somebody watches', async () => {
    vi.useFakeTimers();
    try {
      const probe = new FakeProbe();
      probe.costMs = 1;
      const { loop, session } = loopOf(async () => probe, 2, 1000, 2000);
      const capturesWithin = async (ms: number) => {
        const before = probe.captures;
        await vi.advanceTimersByTimeAsync(ms);
        return probe.captures - before;
      };
      loop.start(0);
      await vi.advanceTimersByTimeAsync(5000);
      const timers = vi.spyOn(globalThis, 'setTimeout');
      const signals = vi.spyOn(AbortSignal, 'any');
      expect(await capturesWithin(10_000)).toBe(5);
      // Counts, which are the same on every machine: one timer for each poll.
      expect([timers.mock.calls.length, signals.mock.calls.length]).toEqual([5, 0]);
      vi.restoreAllMocks();
      const leave = session.watchers.add({ onChange() {}, onExit() {} });
      expect(await capturesWithin(10_000)).toBeGreaterThan(80);
      probe.costMs = 10;
      await vi.advanceTimersByTimeAsync(1000);
      expect(await capturesWithin(10_000)).toBe(20);
      probe.costMs = 1;
      const { capture } = probe;
      probe.capture = async (request) => {
        probe.state = { count: probe.captures };
        return capture.call(probe, request);
      };
      await vi.advanceTimersByTimeAsync(2000);
      expect(await capturesWithin(10_000)).toBe(10);
      probe.capture = capture;
      leave();
      await vi.advanceTimersByTimeAsync(2000);
      expect(await capturesWithin(10_000)).toBe(5);
      await loop.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes the time of a capture for its cost where the probe does not know it', async () => {
    vi.useFakeTimers();
    try {
      const probe = new FakeProbe();
      probe.costMs = null;
      const capture = probe.capture.bind(probe);
      probe.capture = async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return capture(request);
      };
      const { loop } = loopOf(async () => probe, 2);
      loop.start(0);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(loop.intervalMs).toBe(5000);
      await loop.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits no longer when somebody asks', async () => {
    const { loop } = loopOf(async () => new FakeProbe());
    loop.start(600_000);
    expect(loop.hurry()).toBe(true);
    await until('active', () => loop.status === 'active');
    expect(loop.hurry()).toBe(false);
    await loop.stop();
  });

  it('can be started again after it was stopped', async () => {
    const probes: FakeProbe[] = [];
    const { loop } = loopOf(async () => {
      const probe = new FakeProbe();
      probes.push(probe);
      return probe;
    });
    loop.start(0);
    await until('active', () => loop.status === 'active');
    await loop.stop();
    expect([loop.status, loop.isTrying, probes[0]?.detached]).toEqual(['detached', false, true]);
    loop.start(0);
    expect(loop.isTrying).toBe(true);
    await until('active', () => loop.status === 'active');
    expect(probes).toHaveLength(2);
    await loop.stop();
  });
});
