import { expect, it, vi } from 'vitest';
import { ClientGone, Deadline } from '../../../src/http/deadline.ts';
import { requestId } from '../../../src/http/request-id.ts';
import { SubstrateError } from '../../../src/model/errors.ts';

const late = () => new SubstrateError('request_timeout', 'late');
const HOUR_MS = 3_600_000;

it('makes a signal for who looks at it, also when the time is over by then', async () => {
  let made = 0;
  class Counted extends AbortController {
    constructor() {
      super();
      made++;
    }
  }
  vi.stubGlobal('AbortController', Counted);
  const gone = new ClientGone('gone');
  const deadline = new Deadline(HOUR_MS, late);
  expect(await deadline.within(Promise.resolve(7))).toBe(7);
  expect(made).toBe(0);
  deadline.end(gone);
  deadline.end(late());
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.signal.reason).toBe(gone);
  expect(deadline.signal).toBe(deadline.signal);
  expect(made).toBe(1);
  vi.unstubAllGlobals();
  await expect(deadline.within(new Promise(() => {}))).rejects.toBe(gone);
});

it('tells those who have its signal', () => {
  const deadline = new Deadline(HOUR_MS, late);
  const { signal } = deadline;
  expect(signal.aborted).toBe(false);
  deadline.end(new ClientGone('gone'));
  expect(signal.aborted).toBe(true);
  deadline.restart(1);
  deadline.clear();
});

it('gives every request an id of its own, in their order', () => {
  const ids = Array.from({ length: 3000 }, requestId);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
