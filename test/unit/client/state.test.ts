import { expect, it, vi } from 'vitest';
import { Substrate } from '../../../src/client/node.ts';
import { PID, reading, STATE } from '../http/fake-service.ts';
import { type Harness, startServer } from '../http/harness.ts';

const clientOf = ({ port, key }: Harness) => new Substrate({ baseUrl: `http://127.0.0.1:${port}`, key });

it('gives a state, and null to one who has it', async () => {
  const server = await startServer();
  const substrate = clientOf(server);
  const state = await substrate.state(PID);
  expect(state).toEqual(STATE);
  expect(await substrate.stateIfChanged(PID, state)).toBeNull();
  expect(await substrate.stateIfChanged(PID, state.capture_id)).toBeNull();
  expect(await substrate.stateIfChanged(PID, 'another')).toEqual(STATE);
});

it('asks for the keys that are wanted', async () => {
  const readState = vi.fn(async () => reading());
  const substrate = clientOf(await startServer({ service: { readState } }));
  await substrate.state(PID, { keys: ['inbox.**', 'a["x,y"] b'], fresh: true });
  await substrate.state(PID, { keys: [] });
  await substrate.stateIfChanged(PID, 'x', { keys: ['a&b'] });
  const wanted = readState.mock.calls.map(([, read]: unknown[]) => read);
  expect(wanted).toEqual([
    { fresh: true, keys: 'inbox.**,a["x,y"] b', known: [] },
    { fresh: false, keys: null, known: [] },
    { fresh: false, keys: 'a&b', known: ['x'] },
  ]);
});

it('watches the keys that are wanted', async () => {
  const server = await startServer();
  const stop = new AbortController();
  const events = clientOf(server).watch(PID, { keys: ['inbox', 'a["x,y"]'], signal: stop.signal });
  expect((await events.next()).value).toMatchObject({ kind: 'state' });
  server.service.change(['cart.total']);
  server.service.change(['inbox.unread', 'cart.total', 'a["x,y"].b']);
  expect((await events.next()).value).toMatchObject({ sequence: 1, changed_keys: ['inbox.unread', 'a["x,y"].b'] });
  stop.abort();
  await expect(events.next()).rejects.toThrow();
});
