/** A capture of very many names is labelled in slices: the daemon does other work meanwhile, and shows none of it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Scalar } from '../../../src/model/scalar.ts';
import { learnRequest, substrateState } from '../../../src/model/wire.ts';
import type { CaptureDepth } from '../../../src/probes/probe.ts';
import { learn } from '../../../src/semantic/learn.ts';
import { FakeProbe, fakeSession } from '../../support/fake-probe.ts';

// Every read of the clock is a slice later, however fast the machine is.
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10;
    return now;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const many = (length = 5000) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`shop.orders["no. ${at}"].by`, at]));

/** Calls `look` at every turn of the event loop until the work is done; returns the number. */
async function meanwhile(work: Promise<unknown>, look: () => void): Promise<number> {
  let turns = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    if (isOver) break;
    turns++;
    look();
  }
  await over;
  return turns;
}

async function attached() {
  const probe = new FakeProbe();
  const session = fakeSession();
  session.useProbe(probe);
  await session.refresh();
  return { probe, session };
}

it('shows the state of before until the whole of the next one is there', async () => {
  const { probe, session } = await attached();
  const before = session.head;
  probe.state = many();
  const turns = await meanwhile(session.refresh(), () => {
    expect([session.head, session.engine.table.size, session.look().keys.keys]).toEqual([before, 1, ['count']]);
    expect(session.stateBytes(true).join('')).toContain('"objects":{"count":1}');
  });
  expect(turns).toBeGreaterThan(2);
  expect(session.look().keys.keys).toHaveLength(5000);
  expect(session.diff(before?.captureId ?? '')?.added).toHaveLength(5000);
});

it('tells the version of a correction with the names of it, not before', async () => {
  const { probe, session } = await attached();
  probe.state = many();
  await session.refresh();
  const { schemaVersion, captureId } = session.requireHead();
  const key = 'shop.orders["no. 1"].by';
  let turns = 0;
  await meanwhile(session.refresh(), () => {
    if (++turns !== 1) return;
    const correction = { observed_key: key, correct_label: 'first', correct_type: 'number', confidence: 1 };
    const request = { capture_id: captureId, schema_version: schemaVersion, corrections: [correction] };
    const actions = { raw: [], named: session.actions };
    expect(learn(session.engine, actions, learnRequest.parse(request), 'key-1').accepted).toBe(1);
  });
  expect([session.requireHead().schemaVersion, session.engine.table.has(key)]).toEqual([schemaVersion, true]);
  await session.refresh();
  expect(session.requireHead().schemaVersion).toBe(session.engine.schema.schema_version);
  expect([session.engine.table.has(key), session.engine.table.get('first')]).toEqual([false, 1]);
});

it('shows nothing any more of an app that ended meanwhile', async () => {
  const { probe, session } = await attached();
  const { captureId } = session.requireHead();
  probe.state = many();
  const refresh = session.refresh();
  let turns = 0;
  const over = meanwhile(refresh, () => {
    if (++turns === 2) session.end();
  });
  await expect(over).rejects.toThrow('replaced');
  expect([session.head, session.engine.table.size]).toEqual([null, 0]);
  expect([session.engine.keyList().keys, session.hasCapture(captureId)]).toEqual([[], false]);
});

it('shows what was found without a deep look when that fails', async () => {
  const probe = new FakeProbe();
  const { capture } = probe;
  probe.capture = async (request) => {
    if (request.depth === 'deep') throw new Error('the heap is too large');
    return { ...(await capture.call(probe, request)), suggestsHeapScan: true };
  };
  const session = fakeSession();
  session.useProbe(probe);
  await session.cold(1000);
  expect(session.look().get('count')).toBe(1);
  probe.state = { count: 2 };
  await session.refresh();
  expect(session.look().get('count')).toBe(2);
});

it('gives the keys that were asked for, and beside them what there always is', async () => {
  const { probe, session } = await attached();
  probe.state = many(3000);
  await session.refresh();
  const read = async (globs: string, fromCache = true) => {
    const { bytes, captureId } = await session.readPart(globs, fromCache, {});
    return { captureId, state: substrateState.strict().parse(JSON.parse(bytes?.join('') ?? '')) };
  };
  const { captureId, state } = await read('shop.orders["no. 7"],**["no. 1*"].by');
  expect(state.capture_id).toBe(captureId);
  expect(state.objects).toMatchObject({ 'shop.orders["no. 7"].by': 7, 'shop.orders["no. 1"].by': 1 });
  expect(Object.keys(state.objects)).toHaveLength(1 + 1 + 10 + 100 + 1000);
  expect(state.probe_metadata).toMatchObject({ filtered_object_count: 3000, cache_hit: true });
  expect((await read('nothing', false)).state).toMatchObject({ objects: {}, probe_metadata: { cache_hit: false } });
});

it('writes a part again only when there is another snapshot', async () => {
  const { probe, session } = await attached();
  probe.state = { 'a.x': 1, 'a.y': 2, b: 3 };
  await session.refresh();
  const part = async () => (await session.readPart('a', true, {})).bytes?.[1];
  const first = await part();
  expect(String(first)).toBe('"a.x":1,"a.y":2');
  expect(await part()).toBe(first);
  probe.state = { 'a.x': 5, 'a.z': 2, b: 3 };
  await session.refresh();
  expect(String(await part())).toBe('"a.x":5,"a.z":2');
});

it('gives a part as it is when it is taken, whatever changes while it is chosen', async () => {
  const { probe, session } = await attached();
  probe.state = many(3000);
  await session.refresh();
  const reading = session.readPart('**["no. 1*"].by', true, {});
  probe.state = { 'shop.orders["no. 1"].by': 'x' };
  await session.refresh();
  const { bytes, captureId } = await reading;
  const { objects, capture_id } = substrateState.parse(JSON.parse(bytes?.join('') ?? ''));
  expect(capture_id).toBe(captureId);
  expect(Object.keys(objects)).toHaveLength(captureId === session.head?.captureId ? 1 : 1111);
});

it('tells whether what a client has still holds: also when it was looked at again', async () => {
  const { probe, session } = await attached();
  const first = session.handOut().captureId;
  expect(session.stillTrue([])).toBeNull();
  expect(session.stillTrue(['other', first])).toBe(first);
  await session.refresh();
  expect(session.head?.captureId).not.toBe(first);
  expect(session.stillTrue([first])).toBe(first);
  expect(session.diff(first)).toMatchObject({ changed: [], added: [], removed: [] });
  probe.state = { count: 2 };
  await session.refresh();
  expect(session.stillTrue([first])).toBeNull();
  expect(session.stillTrue([session.head?.captureId ?? ''])).toBe(session.head?.captureId);
});

it('keeps the bytes of the last read ready until the next capture', async () => {
  const { probe, session } = await attached();
  expect(session.readFromMemory([])).toBeNull();
  const bytes = session.stateBytes(true);
  const captureId = session.head?.captureId ?? '';
  expect(session.readFromMemory([])).toEqual({ bytes, captureId });
  expect(session.readFromMemory([captureId])).toEqual({ bytes: null, captureId });
  probe.state = { count: 2 };
  await session.refresh();
  expect(session.readFromMemory([])).toBeNull();
  expect(session.readFromMemory([captureId])).toBeNull();
});

it('takes another address, or another action, for a change', async () => {
  const { probe, session } = await attached();
  const first = session.handOut().captureId;
  const { capture } = probe;
  probe.capture = async (request) => {
    const found = await capture.call(probe, request);
    return { ...found, context: { ...found.context, url: 'http://127.0.0.1/next' } };
  };
  await session.refresh();
  expect(session.stillTrue([first])).toBeNull();
  const second = session.handOut().captureId;
  await session.refresh();
  expect(session.stillTrue([second])).toBe(second);
  const action = {
    binding: 'b',
    name: 'go',
    parameters: [],
    returns: 'void',
    effect: 'none',
    description: '',
  } as const;
  probe.capture = async (request) => ({ ...(await capture.call(probe, request)), actions: [action] });
  await session.refresh();
  expect(session.stillTrue([second])).toBeNull();
});

it('is not sure of what is still loading', async () => {
  const { probe, session } = await attached();
  const sure = session.head?.confidence ?? 0;
  probe.isLoading = true;
  await session.refresh();
  expect(session.head?.confidence).toBe(0.8);
  probe.isLoading = false;
  await session.refresh();
  expect(session.head?.confidence).toBe(sure);
  expect(sure).toBeGreaterThan(0.8);
});

/** The requests of the probe, and its results for a deep capture. */
async function coldly(found: Record<string, Scalar>, deeper: Record<string, Scalar>) {
  const probe = new FakeProbe();
  const depths: CaptureDepth[] = [];
  const capture = probe.capture;
  probe.capture = async (request) => {
    depths.push(request.depth);
    probe.state = depths.includes('deep') ? deeper : found;
    return { ...(await capture.call(probe, request)), ...(request.depth === 'deep' ? { foundInHeap: true } : {}) };
  };
  const session = fakeSession();
  session.useProbe(probe);
  await session.cold(2000);
  return { probe, session, depths };
}

const CONSTANTS = { 'Level["0"]': 'Debug', 'Level.Debug': 0, 'Level["1"]': 'Info', 'Level.Info': 1 };

it('looks deeper by itself where only constants were found, once, and remembers whether that helped', async () => {
  const helped = await coldly(CONSTANTS, { ...CONSTANTS, 'shop.name': 'Corner', 'shop.open': true });
  expect(helped.depths).toEqual(['fast', 'deep']);
  expect(helped.session.head?.confidence).toBeGreaterThanOrEqual(0.8);
  expect(helped.session.engine.schema.hints.deep).toBe(true);

  const { session, depths } = await coldly(CONSTANTS, CONSTANTS);
  expect(session.head).toMatchObject({ confidence: 0.25, confidenceReason: 'Found constants only.' });
  await session.poll();
  expect(depths).toEqual(['fast', 'deep', 'fast']);
  expect(session.engine.schema.hints.deep).toBe(false);
});

it('looks deeper by itself, once, when a state turns out to be none', async () => {
  const shop = { 'shop.name': 'Corner', 'shop.open': true };
  const { session, depths, probe } = await coldly(shop, shop);
  expect(depths).toEqual(['fast']);
  probe.roots = [{ name: 'shop', origin: 'module /srv/shop.js', mangled: false, constants: [''] }];
  await session.poll();
  await session.poll();
  await session.poll();
  expect(depths).toEqual(['fast', 'fast', 'fast', 'deep', 'fast']);
  expect(session.head?.confidence).toBe(0.25);
});

it('looks through the heap when it is asked to, where it had no room for that by itself', async () => {
  const probe = new FakeProbe();
  const capture = probe.capture;
  const looks: string[] = [];
  probe.state = CONSTANTS;
  probe.capture = async (request) => {
    looks.push(`${request.depth}${request.isAsked === true ? ', asked' : ''}`);
    const { leaves, ...rest } = await capture.call(probe, request);
    // All leaves anew would mean another document, whose heap was not scanned yet.
    return { ...rest, leaves: looks.length === 1 ? leaves : { kind: 'same' }, isDeep: request.isAsked === true };
  };
  const session = fakeSession();
  session.useProbe(probe);
  await session.cold(2000);
  expect(looks).toEqual(['fast', 'deep']);
  let spent = 0;
  await session.refresh(() => spent++);
  expect([spent, looks.at(-1)]).toEqual([1, 'deep, asked']);
  await session.refresh(() => spent++);
  expect(spent).toBe(1);
});

it('says why it is as sure as it is, in the state too', async () => {
  const { probe, session } = await attached();
  const capture = probe.capture;
  const waitsFor = 'the next request of this server';
  probe.state = CONSTANTS;
  probe.capture = async (request) => ({ ...(await capture.call(probe, request)), waitsFor });
  await session.refresh();
  const reason = 'Found constants only; waits for the next request of this server to see its objects.';
  const state = substrateState.strict().parse(JSON.parse(session.stateBytes(true).join('')));
  expect([state.confidence, state.confidence_reason]).toEqual([0.25, reason]);
  expect(session.look().facts.confidence_reason).toBe(reason);
});
