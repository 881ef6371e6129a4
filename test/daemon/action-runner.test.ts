import { expect, it } from 'vitest';
import { ActionRunner } from '../../src/daemon/action-runner.ts';
import { actionRequest } from '../../src/model/wire.ts';
import { FakeProbe, fakeSession } from '../support/fake-probe.ts';

const options = { signal: AbortSignal.timeout(60_000), spendSnapshot: () => {} };

async function attached() {
  const probe = new FakeProbe();
  const session = fakeSession();
  session.useProbe(probe);
  await session.refresh();
  const run = (action: string) =>
    new ActionRunner().run(
      actionRequest.parse({ pid: session.process.pid, action, parameters: {} }),
      null,
      session,
      options,
    );
  return { probe, run };
}

it('runs an action that came after the last capture', async () => {
  const { probe, run } = await attached();
  probe.actions = [
    { binding: 'b', name: 'cart.total', parameters: [], returns: 'number', effect: 'none', description: '' },
  ];
  expect((await run('cart.total')).fields).toMatchObject({ success: true, message: 'ran' });
});

it('looks once for an action that it does not know, and bears it when that fails', async () => {
  const { probe, run } = await attached();
  await expect(run('cart.total')).rejects.toMatchObject({ code: 'unknown_action' });
  expect(probe.captures).toBe(2);
  probe.failure = new Error('gone');
  await expect(run('cart.total')).rejects.toMatchObject({ code: 'unknown_action' });
});
