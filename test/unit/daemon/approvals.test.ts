import { describe, expect, it } from 'vitest';
import { Approvals, type Question } from '../../../src/daemon/approvals.ts';

const QUESTION: Question = {
  key_id: 'agent',
  key_label: null,
  pid: 1,
  app_id: 'shop-0',
  app_name: 'shop',
  action: 'cart.add',
  description: '',
  reversibility: 'reversible_write',
  parameters: {},
  verify_expression: null,
};
const nothing = () => ({ changes: [], change_count: 0 });
const never = new AbortController().signal;

describe('a question to a person', () => {
  it('is answered with no when nobody answers in time', async () => {
    const approvals = new Approvals(20);
    const asked = approvals.ask(QUESTION, nothing, never);
    expect(approvals.list()).toHaveLength(1);
    await expect(asked).rejects.toMatchObject({
      code: 'not_confirmed',
      message: expect.stringContaining('Nobody answered'),
    });
    expect(approvals.list()).toEqual([]);
  });

  it('goes when nobody waits for the answer any more', async () => {
    const approvals = new Approvals();
    const gone = new AbortController();
    const asked = approvals.ask(QUESTION, nothing, gone.signal);
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(approvals.list()).toEqual([]);
  });

  it('is one of a bounded number', async () => {
    const approvals = new Approvals();
    const all = Array.from({ length: 32 }, () => new AbortController());
    const asked = all.map(({ signal }) => approvals.ask(QUESTION, nothing, signal));
    await expect(approvals.ask(QUESTION, nothing, never)).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterMs: 5000,
    });
    expect(new Set(approvals.list().map(({ id }) => id)).size).toBe(32);
    for (const one of all) one.abort();
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
  });
});
