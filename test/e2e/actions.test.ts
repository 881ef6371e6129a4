import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionResponse, ErrorBody, SubstrateState } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { endAll } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

type Reply = ActionResponse & ErrorBody;

describe('actions on a real app', () => {
  let daemon: RunningDaemon;
  let target: Target;

  beforeAll(async () => {
    daemon = await RunningDaemon.start(makeHome(), { env: { SUBSTRATE_RATE_LIMIT__ACTION_PER_SECOND: '1000' } });
  });
  afterAll(stopAll);
  afterEach(endAll);

  async function shop(): Promise<SubstrateState> {
    target = await startTarget('shop.cjs');
    return daemon.state(target.pid);
  }
  const act = (body: object) =>
    daemon.post<Reply>('/substrate/v1/action', { pid: target.pid, parameters: {}, ...body });
  const fresh = async () => (await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}?fresh=true`)).body;

  it('refuses in the order of the gates, and dispatches nothing', async () => {
    const { confidence } = await shop();
    expect(confidence).toBeGreaterThanOrEqual(0.8);
    const tooLong = `cart.items.length === ${'1'.repeat(2100)}`;
    const cases: [object, number, string, RegExp][] = [
      [
        { action: 'cart.deleteEverything', pid: 999_999, verify_expression: tooLong },
        400,
        'verify_expression_too_large',
        /2048/,
      ],
      [{ action: 'Wipe_it', pid: 999_999 }, 400, 'dangerous_action_unverified', /not known/],
      [{ action: 'Wipe_it', pid: 999_999, verify_expression: 'true' }, 400, 'dangerous_action_unverified', /not known/],
      [{ action: 'cart.addItem', pid: 999_999 }, 404, 'pid_not_found', /999999/],
      [{ action: 'cart.addItems' }, 400, 'unknown_action', /cart\.addItem/],
      [
        { action: 'cart.addItem', parameters: { price: 1 } },
        400,
        'invalid_request',
        /parameters\.name is missing; expected string/,
      ],
      [
        { action: 'cart.addItem', parameters: { name: 'x', price: 'much' } },
        400,
        'invalid_request',
        /parameters\.price is string; expected number/,
      ],
      [
        { action: 'cart.addItem', parameters: { name: 'x', price: 1, colour: 'red' } },
        400,
        'invalid_request',
        /parameters\.colour is unknown/,
      ],
      [
        { action: 'cart.addItem', parameters: { name: 'x', price: 1 } },
        400,
        'missing_verify_expression',
        /cannot be undone/,
      ],
      [{ action: 'cart.deleteEverything' }, 400, 'missing_verify_expression', /cannot be undone/],
      [
        { action: 'cart.addItem', parameters: { name: 'x', price: 1 }, verify_expression: 'cart.items.' },
        400,
        'invalid_request',
        /\^/,
      ],
    ];
    for (const [body, status, code, message] of cases) {
      const reply = await act(body);
      expect([reply.status, reply.body.error.code], JSON.stringify(body).slice(0, 200)).toEqual([status, code]);
      expect(reply.body.error.message).toMatch(message);
      expect(reply.body).toMatchObject({ executed: false });
    }
    const after = await fresh();
    expect(after.objects['cart.items.length']).toBe(1);
    expect(after.objects['ledger.entries.length']).toBe(1);
  });

  it('runs reads and undoable writes without a verification', async () => {
    await shop();
    const read = await act({ action: 'cart.getTotal' });
    expect(read.body).toMatchObject({
      success: true,
      executed: true,
      message: 'cart.getTotal returned 6',
      verification: null,
    });
    expect(read.body.state_delta).toEqual({});
    const write = await act({ action: 'cart.setCoupon', parameters: { coupon: 'SPRING' } });
    expect(write.body).toMatchObject({
      success: true,
      state_delta: { 'cart.coupon': { before: null, after: 'SPRING' } },
    });
    expect(write.body.updated_state?.objects['cart.coupon']).toBe('SPRING');
  });

  it('says with 422 and the whole outcome that a verification failed', async () => {
    await shop();
    const reply = await act({
      action: 'cart.addItem',
      parameters: { name: 'fig', price: 1 },
      verify_expression: 'cart.items.length === 9',
      verify_timeout_ms: 400,
    });
    expect(reply.status).toBe(422);
    expect(reply.body.error.code).toBe('verification_failed');
    expect(reply.body).toMatchObject({ success: false, executed: true, verification: { passed: false } });
    expect(reply.body.verification?.explanation).toContain('cart.items.length is 2');
    expect(reply.body.state_delta).toHaveProperty('cart.items[1].name');
  });

  it('reports what the app throws, with 200', async () => {
    await shop();
    const reply = await act({ action: 'cart.applyDiscount', parameters: { share: 5 } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ success: false, executed: true });
    expect(reply.body.message).toContain('share must be between 0 and 1');
  });

  it('awaits what is asynchronous, and takes the app_id of the newest instance', async () => {
    const { app_id } = await shop();
    const reply = await daemon.post<Reply>('/substrate/v1/action', {
      app_id,
      action: 'cart.checkout',
      parameters: {},
      verify_expression: 'cart.items.length === 0',
      fresh_state: true,
    });
    expect(reply.body).toMatchObject({ success: true, message: 'cart.checkout returned 6' });
  });

  it('runs one action at a time per process, in order', async () => {
    await shop();
    const names = Array.from({ length: 6 }, (_, at) => `item${at}`);
    const replies = await Promise.all(
      names.map((name) =>
        act({
          action: 'cart.addItem',
          parameters: { name, price: 1 },
          verify_expression: `cart.items.some(i => i.name === "${name}")`,
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { objects } = await fresh();
    expect(names.map((_, at) => objects[`cart.items[${at + 1}].name`])).toEqual(names);
  });

  it('lets fewer actions through where the state is less sure', async () => {
    target = await startTarget('minified.cjs');
    const state = await daemon.state(target.pid);
    expect(state.objects).toMatchObject({ 'rows[0].label': 'first', total: 0 });
    const opaqueIn = ({ objects }: SubstrateState) =>
      Object.keys(objects).filter((key) => /^unknown_0x[0-9a-f]{8}$/.test(key)).length;
    // Unnamed values are shown on request.
    const all = await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}?all=true`);
    expect([opaqueIn(state), opaqueIn(all.body) >= 3]).toEqual([0, true]);
    const [read, write] = [
      Object.keys(state.actions).find((name) => name.endsWith('peek')),
      Object.keys(state.actions).find((name) => name.endsWith('book')),
    ];
    expect((await act({ action: read })).status).toBe(200);
    const refused = await act({ action: write, parameters: { e: 3 }, verify_expression: 'total === 3' });
    expect([refused.status, refused.body.error.code]).toEqual([503, 'confidence_too_low']);
    expect((await fresh()).objects.total).toBe(0);
  });

  it('takes corrections of labels, types and actions, and rejects what it must', async () => {
    const state = await shop();
    const learn = (body: object) =>
      daemon.post<{ accepted: number; rejected: number; new_schema_version: string; message: string }>(
        `/substrate/v1/learn/${target.pid}`,
        {
          capture_id: state.capture_id,
          ...body,
        },
      );
    const wrong = await learn({
      schema_version: state.schema_version,
      corrections: [
        { observed_key: 'nothing.here', correct_label: 'a.b', correct_type: 'string' },
        { observed_key: 'visits', correct_label: 'a..b', correct_type: 'number' },
        { observed_key: 'visits', correct_label: 'stats.visits', correct_type: 'integer' },
      ],
    });
    expect(wrong.body).toMatchObject({ accepted: 0, rejected: 3, new_schema_version: state.schema_version });
    const action = await learn({
      schema_version: state.schema_version,
      feedback_type: 'action_correction',
      corrections: [{ observed_key: 'cart.setCoupon', correct_label: 'cart.use_coupon', correct_type: 'boolean' }],
    });
    expect(action.body).toMatchObject({ accepted: 1, rejected: 0 });
    expect(
      (
        await learn({
          schema_version: '9.9.9',
          corrections: [{ observed_key: 'visits', correct_label: 'v', correct_type: 'number' }],
        })
      ).body,
    ).toMatchObject({
      accepted: 0,
      rejected: 1,
    });
    const type = await learn({
      schema_version: action.body.new_schema_version,
      feedback_type: 'type_correction',
      corrections: [{ observed_key: 'visits', correct_label: 'visits', correct_type: 'string' }],
    });
    expect(type.body).toMatchObject({ accepted: 1 });
    const after = await fresh();
    expect(after.objects.visits).toBe('0');
    expect(after.actions).toHaveProperty(['cart.use_coupon']);
    expect(after.actions).not.toHaveProperty(['cart.setCoupon']);
    expect((await act({ action: 'cart.use_coupon', parameters: { coupon: 'X' } })).body).toMatchObject({
      success: true,
    });
    expect(
      (
        await learn({
          capture_id: '01999999-0000-7000-8000-000000000000',
          schema_version: 'x',
          corrections: [{ observed_key: 'a', correct_label: 'b', correct_type: 'string' }],
        })
      ).body,
    ).toMatchObject({
      error: { code: 'capture_not_found' },
    });
  });

  it('makes a correction for all instances of an app, and says that a name was taken away', async () => {
    target = await startTarget('inbox.mjs');
    const other = await startTarget('inbox.mjs');
    const state = await daemon.state(target.pid);
    await daemon.state(other.pid);
    const { body } = await daemon.post(`/substrate/v1/learn/${other.pid}`, {
      capture_id: (await daemon.state(other.pid)).capture_id,
      schema_version: state.schema_version,
      corrections: [{ observed_key: 'unread', correct_label: 'inbox.selected', correct_type: 'number' }],
    });
    // The engine dropped a mapping that clients may know: a minor version.
    expect(body).toMatchObject({ accepted: 1, new_schema_version: '1.1.0' });
    expect(String(body.message)).toContain('inbox.selected');
    const after = await fresh();
    expect(after.objects).toMatchObject({ 'inbox.selected': 2 });
    const all = (await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}?all=true`)).body;
    expect(Object.keys(all.objects).some((key) => key.startsWith('unknown_0x'))).toBe(true);
    expect(after.schema_version).toBe('1.1.0');
  });

  it('tells a capture of another app from one that is not kept', async () => {
    const first = await shop();
    const other = await startTarget('inbox.mjs');
    await daemon.state(other.pid);
    const foreign = await daemon.get<ErrorBody>(`/substrate/v1/diff/${other.pid}?since=${first.capture_id}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([400, 'capture_pid_mismatch']);
    const unknown = await daemon.get<ErrorBody>(
      `/substrate/v1/diff/${other.pid}?since=01999999-0000-7000-8000-000000000000`,
    );
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'capture_not_found']);
  });

  it('waits by verify until something happens in the app', async () => {
    await shop();
    const waiting = daemon.post('/substrate/v1/verify', {
      pid: target.pid,
      expression: 'cart.items.length === 2',
      timeout_ms: 10_000,
    });
    await act({
      action: 'cart.addItem',
      parameters: { name: 'kiwi', price: 1 },
      verify_expression: 'cart.items.length >= 0',
    });
    const { body } = await waiting;
    expect(body).toMatchObject({ passed: true, actual_value: 2 });
    expect(body.poll_cycles).toBeGreaterThan(1);
    expect(body.changed_fields).toContainEqual({ path: 'cart.items.length', before: 1, after: 2 });
    const missed = await daemon.post('/substrate/v1/verify', {
      pid: target.pid,
      expression: 'cart.itms.length > 0',
      timeout_ms: 100,
    });
    expect(missed.status).toBe(200);
    expect(missed.body).toMatchObject({ passed: false });
    expect(String(missed.body.explanation)).toContain('cart.items');
  });

  it('tells what the app throws after the call, and changes nothing of what becomes of it', async () => {
    target = await startTarget('throws-later.cjs', { args: ['patient'] });
    await daemon.state(target.pid);
    const { status, body } = await act({
      action: 'machine.startFuse',
      verify_expression: "machine.state == 'lit' && machine.heard == 1",
    });
    expect(status).toBe(200);
    expect(body.message).toContain('Later, outside of the call, the app threw Error: the fuse has burnt down.');
    expect(target.exitCode()).toBeNull();
  });

  it.each([
    ['by what it throws later', 'machine.startFuse', 1, /the fuse has burnt down.*The program has ended since\./],
    ['by the action itself', 'machine.leave', 0, /^The program ended during the action\. Whether .* is not known\.$/],
  ])('says that the program ended: %s', async (_, action, code, message) => {
    target = await startTarget('throws-later.cjs');
    await daemon.state(target.pid);
    const { status, body } = await act({ action, verify_expression: 'machine.heard == 5' });
    expect(body.message).toMatch(message);
    expect(body).toMatchObject({ success: false, executed: true, updated_state: null, state_delta: null });
    // A failed verification is a 422; without a possible verification there is none.
    expect(status).toBe(action === 'machine.leave' ? 200 : 422);
    expect(await target.exited).toBe(code);
  });
});
