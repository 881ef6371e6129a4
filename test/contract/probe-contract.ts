/** The contract of every probe, whatever the runtime. Run by each driver's tests over a real target of that runtime. */

import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { ProbeBudget } from '../../src/model/budget.ts';
import type { Logger } from '../../src/model/log.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import {
  AttachError,
  type Capture,
  type CaptureRequest,
  type Probe,
  type ProbeDriver,
} from '../../src/probes/probe.ts';
import { AMPLE } from '../support/budget.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

export interface ContractSubject {
  readonly driver: Pick<ProbeDriver, 'recognise' | 'attach'>;
  /** A target with a counter that an action changes. */
  start(): Promise<Target>;
  /** Each start creates a profile of its own, which is part of the app's identity. */
  readonly differsByProfile?: boolean;
  /** An existing key, and its value at the start. A probe may prefix it with the name of a root. */
  readonly known: readonly [path: string, value: string | number | boolean];
  readonly action: { readonly name: string; readonly args: Record<string, unknown>; readonly changes: string };
  readonly failingAction: { readonly name: string; readonly args: Record<string, unknown>; readonly message: string };
}

const silentLog: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export const fast = (): CaptureRequest => ({ depth: 'fast', full: false, signal: AbortSignal.timeout(25_000) });
export const full = (): CaptureRequest => ({ ...fast(), full: true });

/** Like the daemon, tries again if that can help: tests in another process may hold the inspector's port. */
export async function attach(
  driver: Pick<ProbeDriver, 'attach'>,
  target: Pick<Target, 'info'> & Partial<Target>,
  maxKeys = 200_000,
  budget: ProbeBudget = AMPLE,
): Promise<Probe> {
  const host = createHost();
  const tools = {
    inspect: host.inspector,
    signal: host.signal,
    log: silentLog,
    trace: NO_TRACE,
    maxKeys,
    budget,
    abort: new AbortController().signal,
  };
  return until('the attach', async () => {
    try {
      return await driver.attach(target.info, tools);
    } catch (error) {
      if (error instanceof AttachError && error.retry && /port/i.test(error.message)) return null;
      throw error;
    }
  });
}

export function bindingOf(capture: Capture, name: string): string {
  const action = capture.actions?.find((candidate) => candidate.name === name);
  if (!action)
    throw new Error(`no action ${name} among ${capture.actions?.map((candidate) => candidate.name).join(', ')}`);
  return action.binding;
}

function pathOf(state: Record<string, unknown>, path: string): string {
  const found = Object.keys(state).find((candidate) => candidate === path || candidate.endsWith(path));
  if (found === undefined) throw new Error(`no path ends with ${path} among ${Object.keys(state).join(', ')}`);
  return found;
}

export function probeContract(name: string, subject: ContractSubject): void {
  describe(`the probe contract on ${name}`, () => {
    const { inspector } = createHost();
    afterEach(endAll);

    it('recognises the process by what it is, with a name and an identity that survive a restart', async () => {
      const first = await subject.start();
      const second = await subject.start();
      const seen = subject.driver.recognise(first.info, inspector);
      expect(seen?.appName).toBeTruthy();
      const again = subject.driver.recognise(subject.differsByProfile ? first.info : second.info, inspector);
      expect(again).toEqual(seen);
    });

    it('captures everything, then nothing, then what changed', async () => {
      const target = await subject.start();
      const probe = await attach(subject.driver, target);
      // The runtime confirms the view from outside, if nobody has overwritten that.
      if (probe.program) expect(subject.driver.recognise(target.info, inspector)).toMatchObject(probe.program);
      const first = await probe.capture(full());
      expect(first.leaves.kind).toBe('full');
      const reader = new LeafReader().apply(first.leaves);
      expect(reader.state()[pathOf(reader.state(), subject.known[0])]).toBe(subject.known[1]);
      expect(first.coverage).toBe(1);
      expect(first.rawCount).toBeGreaterThanOrEqual(Object.keys(reader.state()).length);
      expect((await probe.capture(fast())).leaves).toEqual({ kind: 'same' });

      const changes = pathOf(reader.state(), subject.action.changes);
      const before = reader.state()[changes];
      const outcome = await probe.invoke(
        bindingOf(first, subject.action.name),
        subject.action.args,
        AbortSignal.timeout(25_000),
      );
      expect(outcome.ok).toBe(true);
      // The effect of an event may come a moment later.
      await until('the change', async () => {
        const delta = await probe.capture(fast());
        expect(delta.leaves.kind).not.toBe('full');
        return reader.apply(delta.leaves).state()[changes] !== before;
      });
      expect(new LeafReader().apply((await probe.capture(full())).leaves).state()).toEqual(reader.state());
      await probe.detach();
    });

    it('reports what the app throws as a result', async () => {
      const probe = await attach(subject.driver, await subject.start());
      const binding = bindingOf(await probe.capture(full()), subject.failingAction.name);
      const outcome = await probe.invoke(binding, subject.failingAction.args, AbortSignal.timeout(25_000));
      expect(outcome).toMatchObject({ ok: false });
      expect(outcome.message).toContain(subject.failingAction.message);
      await probe.detach();
    });

    it('leaves nothing behind at detach, and can attach again', async () => {
      const target = await subject.start();
      const listening = inspector.listeners(target.info);
      let keys: string[] | null = null;
      for (let round = 0; round < 3; round++) {
        const probe = await attach(subject.driver, target);
        const seen = Object.keys(new LeafReader().apply((await probe.capture(full())).leaves).state()).sort();
        // Leftovers of an earlier probe would be visible to the next one.
        keys ??= seen;
        expect(seen).toEqual(keys);
        await probe.detach();
        await probe.closed;
        await until(
          'the listeners of before',
          () => JSON.stringify(inspector.listeners(target.info)) === JSON.stringify(listening),
        );
      }
      expect(target.exitCode()).toBeNull();
    });

    it('tells when the target is gone', async () => {
      const target = await subject.start();
      const probe = await attach(subject.driver, target);
      process.kill(target.pid, 'SIGKILL');
      await probe.closed;
      await expect(probe.capture(full())).rejects.toThrow();
      await probe.detach();
    });

    it('gives up a call when it is told to, and goes on working', async () => {
      const probe = await attach(subject.driver, await subject.start());
      await expect(probe.capture({ ...full(), signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
        'enough',
      );
      expect((await probe.capture(full())).leaves.kind).toBe('full');
      await probe.detach();
    });

    it('stops at the cap and says so', async () => {
      const probe = await attach(subject.driver, await subject.start(), 3);
      const capture = await probe.capture(full());
      expect(Object.keys(new LeafReader().apply(capture.leaves).state()).length).toBeLessThanOrEqual(3);
      expect(capture.coverage).toBeLessThan(1);
      await probe.detach();
    });
  });
}
