import { describe, expect, it } from 'vitest';
import { Approvals, type Asking } from '../../../src/daemon/approvals.ts';
import { SubstrateError } from '../../../src/model/errors.ts';
import { EVERYTHING, Permissions } from '../../../src/model/permissions.ts';

const asking = (key_id = 'agent', checkKey = () => {}): Asking => ({
  question: {
    key_id,
    key_label: null,
    pid: 1,
    app_id: 'shop-0',
    app_name: 'shop',
    action: 'cart.add',
    description: '',
    binding: 'cart#add',
    signature: 'fn() -> void',
    reversibility: 'reversible_write',
    parameters: {},
    verify_expression: 'cart.total === 3',
    earlier_runs: { count: 0, last_changed: [] },
  },
  app: { appId: 'shop-0', appName: 'shop', isForeign: false },
  current: () => ({ changes: [{ path: 'cart.total', before: 1, after: 2 }], change_count: 1, already_true: true }),
  checkKey,
});
const never = new AbortController().signal;
const dead = new SubstrateError('disabled_key', 'It was disabled.');

describe('a question to a person', () => {
  it('is answered with no when nobody answers in time', async () => {
    const approvals = new Approvals(20);
    const asked = approvals.ask(asking(), never);
    expect(approvals.list(EVERYTHING)).toHaveLength(1);
    await expect(asked).rejects.toMatchObject({
      code: 'not_confirmed',
      message: expect.stringContaining('Nobody answered'),
    });
    expect(approvals.list(EVERYTHING)).toEqual([]);
  });

  it('goes when nobody waits for the answer any more', async () => {
    const approvals = new Approvals();
    const gone = new AbortController();
    const asked = approvals.ask(asking(), gone.signal);
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(approvals.list(EVERYTHING)).toEqual([]);
  });

  it('is one of a bounded number, of which no key takes all', async () => {
    const approvals = new Approvals();
    const gone = new AbortController();
    const ask = (key: string) => approvals.ask(asking(key), gone.signal);
    const asked = Array.from({ length: 8 }, () => ask('greedy'));
    await expect(ask('greedy')).rejects.toMatchObject({
      code: 'overloaded',
      message: '8 actions of this key wait for a person already.',
      retryAfterMs: 5000,
    });
    for (const key of ['b', 'c', 'd']) asked.push(...Array.from({ length: 8 }, () => ask(key)));
    await expect(ask('e')).rejects.toMatchObject({ message: '32 actions wait for a person already.' });
    expect(new Set(approvals.list(EVERYTHING).map(({ id }) => id)).size).toBe(32);
    gone.abort();
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
  });

  it('is not there any more when its key is dead, and its place is free', async () => {
    const approvals = new Approvals();
    let isDead = false;
    const check = () => {
      if (isDead) throw dead;
    };
    const asked = approvals.ask(asking('agent', check), never);
    const [question] = approvals.list(EVERYTHING);
    isDead = true;
    expect(() => approvals.decide(question?.id ?? '', true, 'person', EVERYTHING)).toThrow('it was decided');
    await expect(asked).rejects.toBe(dead);
    expect(approvals.list(EVERYTHING)).toEqual([]);
  });

  it('shows values of the app only to who may read', async () => {
    const approvals = new Approvals();
    const gone = new AbortController();
    const asked = approvals.ask(asking(), gone.signal);
    expect(approvals.list(EVERYTHING)).toMatchObject([{ changes: [{ after: 2 }], already_true: true }]);
    const admin = new Permissions({ scopes: ['admin'] });
    expect(approvals.list(admin)).toMatchObject([{ changes: [], change_count: 1, already_true: null }]);
    gone.abort();
    await expect(asked).rejects.toThrow();
  });
});
