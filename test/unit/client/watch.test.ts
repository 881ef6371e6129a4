import { expect, it } from 'vitest';
import { SubstrateError } from '../../../src/client/errors.ts';
import type { SubstrateState } from '../../../src/client/types.ts';
import { type SocketLike, type WatchEvent, watchApp } from '../../../src/client/watch.ts';

/** A socket that the test controls; `watchApp` accepts any. */
class Line implements SocketLike {
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  isClosed = false;
  close(): void {
    this.isClosed = true;
  }
  say(sequence: number): void {
    this.onmessage?.({ data: `${JSON.stringify({ sequence, changed_keys: [] })}\n` });
  }
}

async function begin() {
  const line = new Line();
  const events = watchApp({
    openSocket: () => line,
    url: 'ws://example',
    readState: async () => ({}) as SubstrateState,
    check: async () => {},
  });
  const first = events.next();
  line.onopen?.();
  expect((await first).value).toEqual({ kind: 'state', state: {} });
  const take = async (count: number) => {
    const taken: (WatchEvent | undefined)[] = [];
    for (let at = 0; at < count; at++) taken.push((await events.next()).value ?? undefined);
    return taken.map((event) => (event?.kind === 'change' ? event.sequence : event?.kind));
  };
  return { line, take };
}

it('reads the state again where messages are missing', async () => {
  const { line, take } = await begin();
  for (const sequence of [1, 2, 5, 6]) line.say(sequence);
  expect(await take(5)).toEqual([1, 2, 5, 'state', 6]);
});

it('does not keep everything for a reader that is slow, which then reads the state', async () => {
  const { line, take } = await begin();
  line.say(1);
  expect(await take(1)).toEqual([1]);
  for (let sequence = 2; sequence <= 5000; sequence++) line.say(sequence);
  expect(await take(3)).toEqual([4001, 'state', 4002]);
});

it('leaves a connection that says what is no JSON', async () => {
  const { line } = await begin();
  line.onmessage?.({ data: '{' });
  expect(line.isClosed).toBe(true);
});

it('tells nothing but changes to who wants no states', async () => {
  const line = new Line();
  const events = watchApp({ openSocket: () => line, url: 'ws://example', readState: null, check: async () => {} });
  const first = events.next();
  line.onopen?.();
  for (const sequence of [1, 4]) line.say(sequence);
  expect((await first).value).toMatchObject({ kind: 'change', sequence: 1 });
  expect((await events.next()).value).toMatchObject({ kind: 'change', sequence: 4 });
});

it('ends with the reason where a watch is refused', async () => {
  const line = new Line();
  const refusal = new SubstrateError(404, { error: { code: 'pid_not_found', message: 'no such app', request_id: '' } });
  const events = watchApp({
    openSocket: () => line,
    url: 'ws://example',
    readState: null,
    check: () => Promise.reject(refusal),
  });
  const first = events.next();
  line.onclose?.({ code: 1006, reason: '' });
  await expect(first).rejects.toBe(refusal);
});
