/** A program that gets the pid of an ended one: the two are never confused. As root, in a pid namespace of its own. */

import { once } from 'node:events';
import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../../src/model/wire.ts';
import { stopAll } from '../support/daemon.ts';
import { begin, freshState, isServed, lives, nothingIsLeft, RUNTIMES } from '../support/fault-table.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const LAST_PID = '/proc/sys/kernel/ns_last_pid';

afterEach(async () => {
  await stopAll();
  await endAll();
});

/** A thread that starts at the same moment may be faster: then it is repeated. */
async function startAs(pid: number, file: string, args: string[] = []): Promise<Target> {
  return until(`${file} as ${pid}`, async () => {
    fs.writeFileSync(LAST_PID, String(pid - 1));
    const target = await startTarget(file, { args });
    if (target.pid === pid) return target;
    process.kill(target.pid, 'SIGKILL');
    await target.exited;
    return null;
  });
}

async function kill(app: { pid: number; exited: Promise<unknown> }): Promise<void> {
  process.kill(app.pid, 'SIGKILL');
  await app.exited;
}

describe.each(RUNTIMES)('the pid of %s', (name, runtime) => {
  it('is that of another program: it is another app, and nothing of the old is served or done', async () => {
    const { daemon, neighbour, app } = await begin(runtime, 'capture');
    const { app_id: before, capture_id } = await daemon.state(app.pid);
    const watcher = daemon.watch(app.pid);
    await once(watcher, 'open');
    const closed = once(watcher, 'close');
    await kill(app);
    const successor = await startAs(app.pid, 'wide.cjs', ['10']);
    const after = await until('its state', () => freshState(daemon, successor));
    expect(after.app_id).not.toBe(before);
    expect(Object.keys(after.objects).some((key) => /shop|cart|inbox|desk/i.test(key))).toBe(false);
    // Watchers of the old one are notified, and do not follow the new one.
    expect(String((await closed)[1])).toBe('process_exited');
    const act = (who: object) =>
      daemon.post<ErrorBody>('/substrate/v1/action', { action: 'anything', parameters: {}, ...who });
    expect((await act({ app_id: before })).status).toBe(404);
    expect((await act({ app_id: before, pid: app.pid })).status).toBe(400);
    const diff = await daemon.get(`/substrate/v1/diff/${app.pid}?since=${capture_id}`);
    expect([400, 404]).toContain(diff.status);
    await isServed(daemon, neighbour);
    await daemon.stop();
    expect(lives(successor)).toBe(true);
    await nothingIsLeft(app);
  });

  it.runIf(name === 'Node')('is that of the same program, started again: it begins anew', async () => {
    const { daemon, app } = await begin(runtime, 'capture');
    const act = (coupon: string, key?: string) =>
      fetch(`${daemon.base}/substrate/v1/action`, {
        method: 'POST',
        headers: {
          'x-substrate-key': daemon.key,
          'content-type': 'application/json',
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify({ pid: app.pid, action: 'cart.setCoupon', parameters: { coupon } }),
      });
    expect((await act('OLD')).status).toBe(200);
    const before = await daemon.state(app.pid);
    await kill(app);
    const successor = await startAs(app.pid, 'shop.cjs');
    const after = await until('its state', async () => {
      const state = await freshState(daemon, successor);
      return state?.objects['cart.coupon'] === 'OLD' ? null : state;
    });
    expect(after.app_id).toBe(before.app_id);
    expect(after.objects).not.toHaveProperty(['cart.coupon']);
    expect((await act('NEW')).status).toBe(200);
    expect((await freshState(daemon, successor))?.objects['cart.coupon']).toBe('NEW');
    await daemon.stop();
    expect(lives(successor)).toBe(true);
  });
});
