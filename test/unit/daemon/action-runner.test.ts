import { describe, expect, it } from 'vitest';
import { ActionRunner } from '../../../src/daemon/action-runner.ts';
import { EVERYTHING, Permissions } from '../../../src/model/permissions.ts';
import type { RawAction } from '../../../src/model/raw-action.ts';
import { actionRequest, learnRequest } from '../../../src/model/wire.ts';
import { BadArgumentError, BlockedError, NotDispatchedError, TargetBusyError } from '../../../src/probes/probe.ts';
import { learn } from '../../../src/semantic/learn.ts';
import { compilePredicate } from '../../../src/semantic/predicate/predicate.ts';
import { FakeProbe, fakeSession } from '../../support/fake-probe.ts';

const options = {
  keyId: 'key-1',
  keyLabel: null,
  permissions: EVERYTHING,
  permissionsNow: () => EVERYTHING,
  signal: AbortSignal.timeout(60_000),
  spendSnapshot: () => {},
};

async function attached() {
  const probe = new FakeProbe();
  const session = fakeSession();
  session.useProbe(probe);
  await session.refresh();
  const runner = new ActionRunner();
  const run = (
    action: string,
    signal = options.signal,
    parameters = {},
    verify_expression?: string,
    permissions = EVERYTHING,
  ) =>
    runner.run({
      request: actionRequest.parse({ pid: session.process.pid, action, parameters, verify_expression }),
      predicate: verify_expression === undefined ? null : compilePredicate(verify_expression),
      session,
      app: { appId: session.appId, appName: 'shop', isForeign: false },
      options: { ...options, signal, permissions, permissionsNow: () => permissions },
      ifMatch: null,
      confirmed: null,
      onDispatch: () => {},
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

it('waits for what an action leads to, while that is loading', async () => {
  const { probe, run } = await attached();
  probe.actions = [TOTAL];
  const { capture } = probe;
  let looks = 0;
  probe.onInvoke = () => {
    probe.isLoading = true;
    probe.capture = (request) => {
      if (++looks === 3) {
        probe.isLoading = false;
        probe.state = { heading: 'Create table' };
      }
      return capture.call(probe, request);
    };
  };
  const { fields } = await run('cart.total');
  expect(looks).toBe(3);
  expect(fields.state_delta).toMatchObject({ heading: { before: null, after: 'Create table' } });
});

it('waits until another part of the app has its data', async () => {
  const { probe, run } = await attached();
  probe.actions = [TOTAL];
  const { capture } = probe;
  let looks = 0;
  probe.onInvoke = () => {
    probe.url = 'http://127.0.0.1/#/mail/7';
    probe.capture = (request) => {
      if (++looks === 2) probe.state = { sender: 'Grace' };
      return capture.call(probe, request);
    };
  };
  const { fields } = await run('cart.total');
  expect(fields.state_delta).toMatchObject({ sender: { before: null, after: 'Grace' } });
  expect(looks).toBe(3);
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

it('judges an action that is not judged yet before it runs, and none that is', async () => {
  const { probe, session, run } = await attached();
  const judged: string[] = [];
  probe.judgeFirst = (binding) => {
    judged.push(binding);
    probe.actions = [TOTAL];
  };
  probe.actions = [{ ...TOTAL, effect: 'unjudged' }];
  await session.refresh();
  expect((await run('cart.total')).fields).toMatchObject({ success: true, message: 'ran' });
  expect((await run('cart.total')).fields).toMatchObject({ success: true });
  expect(judged).toEqual(['b']);
});

it('takes an action that cannot be judged for one that cannot be undone', async () => {
  const { probe, session, run } = await attached();
  probe.actions = [{ ...TOTAL, effect: 'unjudged' }];
  await session.refresh();
  await expect(run('cart.total')).rejects.toMatchObject({ code: 'missing_verify_expression' });
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

const MINIFIED = { name: 'e', origin: 'a closure', mangled: true };
const PAY: RawAction = {
  ...TOTAL,
  name: 'cart.pay',
  effect: 'unknown',
  parameters: [{ name: 'x', type: null, required: true }],
};

describe('the confidence that counts', () => {
  it('is that of what the action needs, not the mean of all keys', async () => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    probe.roots = [MINIFIED];
    probe.state = { count: 1 };
    for (let at = 0; at < 50; at++) probe.state[`e.t${at % 10}[${at}]`] = at;
    await session.refresh();
    // Unimportant keys are not shown, and do not lower the confidence.
    expect(session.head).toMatchObject({ confidence: 0.89, metadata: { filtered_object_count: 1 } });
    const { fields } = await run('cart.pay', undefined, { x: 1 }, 'count === 1');
    expect(fields).toMatchObject({ success: true, executed: true });
  });

  it.each([
    ['reads', 'state["KEY"] === 1'],
    ['only names', 'count === 2 && state["KEY"] === 1'],
  ])('is that of an unclear key that the verification %s', async (_, expression) => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    probe.roots = [MINIFIED];
    probe.state = { count: 1, 'e[0]': 1 };
    await session.refresh();
    const [key = ''] = [...session.view.keys()].filter((name) => name.startsWith('unknown_'));
    await expect(run('cart.pay', undefined, { x: 1 }, expression.replace('KEY', key))).rejects.toMatchObject({
      code: 'confidence_too_low',
      message: expect.stringContaining(`${key}, which verify_expression reads, has a confidence of 0.3`),
      extra: { action: 'cart.pay', executed: false },
    });
  });

  it('is lower where the place of the action has no name', async () => {
    const { probe, session, run } = await attached();
    probe.roots = [MINIFIED];
    probe.actions = [{ ...PAY, name: 'e.pay' }];
    await session.refresh();
    await expect(run('e.pay', undefined, { x: 1 }, 'count === 1')).rejects.toMatchObject({
      code: 'confidence_too_low',
      message: expect.stringContaining('The action has a confidence of 0.85; irreversible_write needs 0.95'),
    });
  });

  it('is not raised for a key by what that key has said itself', async () => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    probe.roots = [MINIFIED];
    probe.state = { count: 1, 'e[0]': 1 };
    await session.refresh();
    const [observed_key = ''] = [...session.view.keys()].filter((name) => name.startsWith('unknown_'));
    const teach = (by: string) => {
      const { captureId: capture_id, schemaVersion: schema_version } = session.requireHead();
      const corrections = [{ observed_key, correct_label: 'paid', correct_type: 'number' }];
      const request = learnRequest.parse({ capture_id, schema_version, corrections });
      expect(learn(session.engine, { raw: [], named: new Map() }, request, by).accepted).toBe(1);
    };
    teach('key-1');
    await session.refresh();
    expect(session.view.get('paid')).toBe(1);
    const pay = () => run('cart.pay', undefined, { x: 1 }, 'paid === 1');
    await expect(pay()).rejects.toMatchObject({ code: 'confidence_too_low' });
    for (const label of Object.values(session.engine.schema.labels)) if (label.by) label.by = 'key-2';
    session.engine.relabelSoon();
    await session.refresh();
    expect((await pay()).fields).toMatchObject({ success: true });
  });
});

describe('an expression for what cannot be undone', () => {
  it.each(['true', '1', '1 === 1', '[1].some(x => x === 1)', '"a".length === 1', 'true || count === 5', 'Math.max(1)'])(
    'must read something: %s',
    async (expression) => {
      const { probe, session, run } = await attached();
      probe.actions = [PAY];
      await session.refresh();
      await expect(run('cart.pay', undefined, { x: 1 }, expression)).rejects.toMatchObject({
        code: 'missing_verify_expression',
        message: expect.stringContaining('reads nothing of it'),
        extra: { executed: false },
      });
    },
  );

  it.each([
    ['order.doesNotExist === 1', 'neither order.doesNotExist nor what would hold it'],
    ['conut === 2', 'Nearest keys: count'],
    ['order === undefined', 'the app has nothing'],
  ])('must read what the app has: %s', async (expression, message) => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    let invoked = 0;
    probe.onInvoke = () => {
      invoked++;
    };
    await session.refresh();
    await expect(run('cart.pay', undefined, { x: 1 }, expression)).rejects.toMatchObject({
      code: 'missing_verify_expression',
      message: expect.stringContaining(message),
      extra: { executed: false },
    });
    expect(invoked).toBe(0);
  });

  it('may be about what the action will create, which is as sure as its holder', async () => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    probe.roots = [MINIFIED];
    probe.state = { count: 1, 'cart.items[0].name': 'tea', 'e.basket.size': 1 };
    await session.refresh();
    probe.onInvoke = () => {
      probe.state = { ...probe.state, 'cart.items[1].name': 'cake' };
    };
    const { fields } = await run('cart.pay', undefined, { x: 1 }, 'cart.items[1].name === "cake"');
    expect(fields.verification).toMatchObject({ passed: true });
    // A holder without a certain name is not enough for an irreversible action, whatever key is in it.
    expect(session.engine.confidenceOf('basket.size', 'key-1')).toBeLessThan(0.95);
    await expect(run('cart.pay', undefined, { x: 1 }, 'basket.sum === 2')).rejects.toMatchObject({
      code: 'confidence_too_low',
      message: expect.stringContaining('basket.sum, which verify_expression reads,'),
    });
  });

  it('is not waited for where the action itself has failed', async () => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    await session.refresh();
    probe.invoke = async () => ({ ok: false, message: 'it threw', rawReturn: null, invocationContext: null });
    const captures = probe.captures;
    const { fields } = await run('cart.pay', undefined, { x: 1 }, 'count === 2');
    expect(fields).toMatchObject({
      success: false,
      message: 'it threw',
      verification: { passed: false, poll_cycles: 1 },
    });
    expect(probe.captures).toBe(captures + 1);
  });

  it.each(['count === 1', 'context.url === null', 'Object.keys(state).length > 0'])(
    'may be about any of the state: %s, and it is said that it was true before',
    async (expression) => {
      const { probe, session, run } = await attached();
      probe.actions = [PAY];
      await session.refresh();
      const { fields } = await run('cart.pay', undefined, { x: 1 }, expression);
      expect(fields.verification?.passed).toBe(true);
      expect(fields.verification?.explanation).toContain('It was true before the action already.');
    },
  );

  it('that was false before needs no such word', async () => {
    const { probe, session, run } = await attached();
    probe.actions = [PAY];
    await session.refresh();
    probe.onInvoke = () => {
      probe.state = { count: 2 };
    };
    const { fields } = await run('cart.pay', undefined, { x: 1 }, 'count === 2');
    expect(fields.verification).toMatchObject({ passed: true });
    expect(fields.verification?.explanation).not.toContain('before the action');
    expect(fields.state_delta).toEqual({ count: { before: 1, after: 2 } });
  });
});

describe('a state that cannot be read after the action', () => {
  it.each([
    ['without an expression', undefined],
    ['with one', 'count === 2'],
  ])('is null, and the message says so (%s)', async (_, expression) => {
    const { probe, session, run } = await attached();
    probe.actions = [TOTAL];
    await session.refresh();
    probe.onInvoke = () => {
      probe.failure = new Error('the page hangs.');
    };
    const { fields, updatedState } = await run('cart.total', undefined, {}, expression);
    expect(updatedState).toBeNull();
    expect(fields).toMatchObject({ executed: true, state_delta: null });
    expect(fields.message).toBe('ran The state could not be read after it: the page hangs.');
  });
});

describe('what was not dispatched', () => {
  it.each([
    [new NotDispatchedError('The object is gone.'), 'invalid_request', 'The object is gone. Read the state again.'],
    [new BlockedError('A dialog is open (alert: "Hi").'), 'unknown_action', 'A dialog is open (alert: "Hi").'],
    [new TargetBusyError('The window does not answer.'), 'overloaded', 'The window does not answer.'],
    [new BadArgumentError('parameters.x: no.'), 'invalid_request', 'parameters.x: no.'],
  ])('is told by its reason: %s', async (error, code, message) => {
    const { probe, session, run } = await attached();
    probe.actions = [TOTAL];
    await session.refresh();
    probe.invoke = async () => {
      throw error;
    };
    await expect(run('cart.total')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      extra: { action: 'cart.total', executed: false },
    });
  });

  it('names the dialog that keeps the other actions away', async () => {
    const { probe, session, run } = await attached();
    probe.blockedBy = 'A dialog is open (confirm: "Sure?"): accept_dialog or dismiss_dialog comes first.';
    await session.refresh();
    await expect(run('cart.total')).rejects.toMatchObject({
      code: 'unknown_action',
      message: expect.stringContaining('A dialog is open (confirm: "Sure?")'),
    });
  });

  it('quotes nothing of the app to a key that may not read', async () => {
    const { probe, session, run } = await attached();
    const blind = (action: string) =>
      run(action, undefined, {}, undefined, new Permissions({ scopes: ['act'] })).then(
        () => 'it ran',
        ({ message }: Error) => message,
      );
    probe.actions = [TOTAL];
    probe.blockedBy = 'A dialog is open (confirm: "Pay 918 now?"): accept_dialog or dismiss_dialog comes first.';
    await session.refresh();
    expect(await blind('cart.clear')).toBe(
      'cart.clear cannot be run now. A dialog is open, which has to be answered first.',
    );
    for (const error of [new BlockedError(probe.blockedBy), new NotDispatchedError('"Pay 918" covers it.')]) {
      probe.invoke = async () => {
        throw error;
      };
      expect(await blind('cart.total')).not.toContain('918');
    }
  });
});

it('gives the call the rest of the time that the request has', async () => {
  const { probe, session, run } = await attached();
  probe.actions = [TOTAL];
  await session.refresh();
  const limits: (number | undefined)[] = [];
  const { invoke } = probe;
  probe.invoke = async (...given: unknown[]) => {
    limits.push(given[3] as number);
    return invoke.call(probe);
  };
  await Promise.all([run('cart.total'), run('cart.total')]);
  const [first = 0, second = 0] = limits;
  expect(first).toBeGreaterThan(100_000);
  expect(first).toBeLessThanOrEqual(118_000);
  expect(second).toBeLessThan(first);
});
