import { expect, it } from 'vitest';
import { ActionRunner } from '../../../src/daemon/action-runner.ts';
import type { RawAction } from '../../../src/model/raw-action.ts';
import { actionRequest } from '../../../src/model/wire.ts';
import { FakeProbe, fakeSession } from '../../support/fake-probe.ts';

const options = { signal: AbortSignal.timeout(60_000), spendSnapshot: () => {} };

async function attached() {
  const probe = new FakeProbe();
  const session = fakeSession();
  session.useProbe(probe);
  await session.refresh();
  const runner = new ActionRunner();
  const run = (action: string, signal = options.signal) =>
    runner.run(actionRequest.parse({ pid: session.process.pid, action, parameters: {} }), null, session, {
      ...options,
      signal,
    });
  return { probe, session, run };
}

const TOTAL: RawAction = {
  binding: 'b',
  name: 'cart.total',
  parameters: [],
  returns: 'number',
  effect: 'none',
  description: '',
};

it('runs an action that came after the last capture', async () => {
  const { probe, run } = await attached();
  probe.actions = [TOTAL];
  expect((await run('cart.total')).fields).toMatchObject({ success: true, message: 'ran' });
});

it('looks once for an action that it does not know, and bears it when that fails', async () => {
  const { probe, run } = await attached();
  await expect(run('cart.total')).rejects.toMatchObject({ code: 'unknown_action' });
  expect(probe.captures).toBe(2);
  probe.failure = new Error('gone');
  await expect(run('cart.total')).rejects.toMatchObject({ code: 'unknown_action' });
});

it('dispatches nothing for one who went away while it looked', async () => {
  const { probe, run } = await attached();
  probe.actions = [TOTAL];
  let invoked = 0;
  probe.onInvoke = () => {
    invoked++;
  };
  const leaving = new AbortController();
  const capture = probe.capture.bind(probe);
  probe.capture = async (request) => {
    leaving.abort(new Error('gone'));
    return capture(request);
  };
  await expect(run('cart.total', leaving.signal)).rejects.toThrow('gone');
  expect(invoked).toBe(0);
});

it('says that nothing was run when the app has ended before its turn', async () => {
  const { probe, session, run } = await attached();
  probe.actions = [TOTAL];
  await session.refresh();
  probe.onInvoke = () => session.end();
  const turns = await Promise.allSettled([run('cart.total'), run('cart.total')]);
  expect(turns[1]).toMatchObject({
    reason: { code: 'probe_not_ready', extra: { action: 'cart.total', executed: false } },
  });
});
