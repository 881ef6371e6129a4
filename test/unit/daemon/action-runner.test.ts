import { expect, it } from 'vitest';
import { ActionRunner } from '../../../src/daemon/action-runner.ts';
import type { RawAction } from '../../../src/model/raw-action.ts';
import { actionRequest } from '../../../src/model/wire.ts';
import { compilePredicate } from '../../../src/semantic/predicate/predicate.ts';
import { FakeProbe, fakeSession } from '../../support/fake-probe.ts';

const options = { signal: AbortSignal.timeout(60_000), spendSnapshot: () => {} };

async function attached() {
  const probe = new FakeProbe();
  const session = fakeSession();
  session.useProbe(probe);
  await session.refresh();
  const runner = new ActionRunner();
  const run = (action: string, signal = options.signal, parameters = {}, verify_expression?: string) =>
    runner.run(
      actionRequest.parse({ pid: session.process.pid, action, parameters, verify_expression }),
      verify_expression === undefined ? null : compilePredicate(verify_expression),
      session,
      { ...options, signal },
    );
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

it('tells nothing of what a method gives whose name is that of a secret', async () => {
  const { probe, run } = await attached();
  probe.actions = [
    { ...TOTAL, name: 'vault.getPassword' },
    { ...TOTAL, binding: 'c', name: 'parser.nextToken' },
  ];
  probe.invoke = async () => ({
    ok: true,
    message: 'it returned hunter2',
    rawReturn: null,
    quoted: 'hunter2',
    invocationContext: null,
  });
  const { fields } = await run('vault.getPassword');
  expect(fields).toMatchObject({ message: 'it returned [redacted]', raw_return: null });
  expect((await run('parser.nextToken')).fields).toMatchObject({ message: 'it returned hunter2' });
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

it('says that the connection was lost, and whether the program ended, and what it threw', async () => {
  const { probe, session, run } = await attached();
  probe.actions = [TOTAL];
  await session.refresh();
  probe.invoke = async () => {
    throw new Error('the connection to the agent is closed');
  };
  const lost = await run('cart.total');
  expect(lost.updatedState).toBeNull();
  expect(lost.fields).toMatchObject({
    success: false,
    executed: true,
    state_delta: null,
    verification: null,
    message: 'The connection to the program was lost during the action. Whether the action was done is not known.',
  });
  probe.thrown = 'Error: no money';
  probe.invoke = async () => {
    session.end();
    throw new Error('the connection to the agent is closed');
  };
  expect((await run('cart.total')).fields).toMatchObject({
    success: false,
    executed: true,
    message:
      'The program ended during the action (it threw Error: no money). Whether the action was done is not known.',
  });
});

it('tells what was thrown outside of the call, and that the program has ended since', async () => {
  const { probe, session, run } = await attached();
  probe.actions = [TOTAL];
  await session.refresh();
  probe.onInvoke = () => {
    probe.thrown = 'Error: too late';
  };
  expect((await run('cart.total')).fields).toMatchObject({
    success: true,
    message: 'ran Later, outside of the call, the app threw Error: too late.',
  });
  probe.onInvoke = () => session.end();
  const { fields, updatedState } = await run('cart.total');
  expect(fields).toMatchObject({ message: 'ran The program has ended since.', state_delta: null });
  expect(updatedState).toBeNull();
});

it('judges by the lower of the confidence of the action and that of the state', async () => {
  const { probe, session, run } = await attached();
  probe.actions = [
    { ...TOTAL, name: 'cart.pay', effect: 'unknown', parameters: [{ name: 'x', type: null, required: true }] },
  ];
  await session.refresh();
  const { confidence, reversibility } = session.actions.get('cart.pay')?.schema ?? {};
  expect([session.head?.confidence, confidence, reversibility]).toEqual([0.97, 0.88, 'irreversible_write']);
  await expect(run('cart.pay', undefined, { x: 1 }, 'count == 1')).rejects.toMatchObject({
    code: 'confidence_too_low',
    message: expect.stringContaining("The action's own confidence is 0.88"),
  });
});
