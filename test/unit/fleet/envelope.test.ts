import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Parts } from '../../../src/fleet/asker.ts';
import { decodeFrame, decodeRequest, encodeFrame, encodeRequest, framesOf } from '../../../src/fleet/envelope.ts';
import { HostMemory } from '../../../src/fleet/host-memory.ts';
import { endpointOf, hostNameOf } from '../../../src/fleet/subjects.ts';

const bytes = fc.uint8Array({ maxLength: 4000 });
const headers = fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,10}$/), fc.stringMatching(/^[ -~]{0,20}$/), {
  maxKeys: 5,
});
/** Arbitrary bytes before and after the line. */
const hostile = fc.oneof(
  bytes,
  fc.tuple(fc.json(), bytes).map(([line, rest]) => Buffer.concat([Buffer.from(`${line}\n`), rest])),
  fc
    .record({ v: fc.anything(), t: fc.constantFrom('head', 'part', 'x'), method: fc.anything(), bytes: fc.anything() })
    .map((head) => Buffer.from(`${JSON.stringify(head, (_, value) => (typeof value === 'bigint' ? 1 : value))}\n`)),
);

describe('messages between daemons', () => {
  it('arrive as they were sent', () => {
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST'),
      target: fc.stringMatching(/^\/[!-~]{0,50}$/),
      headers,
      limitMs: fc.integer({ min: 1, max: 600_000 }),
      body: fc.option(bytes),
    });
    fc.assert(
      fc.property(request, (sent) => {
        const got = decodeRequest(encodeRequest(sent));
        expect({ ...got, body: got?.body && [...got.body] }).toEqual({ ...sent, body: sent.body && [...sent.body] });
      }),
    );
  });

  it('are refused, and never throw, whatever they hold', () => {
    fc.assert(
      fc.property(hostile, (message) => {
        const request = decodeRequest(message);
        if (request !== null) expect(request.target).toMatch(/^\//);
        const frame = decodeFrame(message);
        if (frame !== null) new Parts().add(frame);
      }),
    );
  });

  it('have no header that would end a line', () => {
    const head = { v: 1, method: 'GET', target: '/', limit_ms: 1, body: false };
    const message = (given: object) => Buffer.from(`${JSON.stringify({ ...head, headers: given })}\n`);
    expect(decodeRequest(message({ 'X-A': 'b' }))?.headers).toEqual({ 'x-a': 'b' });
    for (const given of [{ a: 'b\r\nc: d' }, { 'a b': 'c' }, { a: 1 }])
      expect(decodeRequest(message(given))).toBeNull();
    expect(decodeRequest(Buffer.from(`${JSON.stringify({ ...head, headers: {}, more: 1 })}\n`))).toBeNull();
  });

  it('carry an answer of any size in parts of any size', () => {
    const answer = fc.record({
      status: fc.integer({ min: 200, max: 599 }),
      headers,
      chunks: fc.array(bytes, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(answer, fc.integer({ min: 900, max: 5000 }), (sent, maxBytes) => {
        const parts = new Parts();
        const frames = [...framesOf(sent, maxBytes)];
        const got = frames.map((message) => {
          expect(message.length).toBeLessThanOrEqual(maxBytes);
          const frame = decodeFrame(message);
          return frame === null ? 'wrong' : parts.add(frame);
        });
        const last = got.pop();
        expect(got.every((each) => each === null)).toBe(true);
        if (last === undefined || last === null || last === 'wrong') throw new Error('not whole');
        expect(Buffer.concat(last.chunks).equals(Buffer.concat(sent.chunks))).toBe(true);
        expect({ status: last.status, headers: last.headers }).toEqual({ status: sent.status, headers: sent.headers });
      }),
    );
  });

  it('are missed when one is lost, comes twice, or is more than was said', () => {
    const frames = [...framesOf({ status: 200, headers: {}, chunks: [Buffer.alloc(5000, 1)] }, 1000)].map((message) => {
      const frame = decodeFrame(message);
      if (frame === null) throw new Error('no frame');
      return frame;
    });
    const [first, second, third] = frames;
    if (!first || !second || !third) throw new Error('too few');
    for (const order of [[second], [first, third], [first, first], [first, second, second]]) {
      const parts = new Parts();
      expect(order.map((frame) => parts.add(frame)).at(-1)).toBe('wrong');
    }
    const tooMuch = decodeFrame(encodeFrame({ t: 'head', status: 200, headers: {}, bytes: 1 }, Buffer.alloc(2)));
    expect(tooMuch && new Parts().add(tooMuch)).toBe('wrong');
  });
});

it('hosts that do not answer any more are listed for a while, and say so', () => {
  const memory = new HostMemory();
  const host = (name: string) => ({ host: name, version: '1', since: '', self: false, problem: null });
  expect(memory.withMissing([host('b'), host('a')], 1000).map((each) => each.host)).toEqual(['a', 'b']);
  const later = memory.withMissing([host('b')], 2000);
  expect(later).toMatchObject([{ host: 'a', problem: expect.stringContaining('1970-01-01T00:00:01.000Z') }, host('b')]);
  expect(memory.withMissing([host('a')], 700_000)).toEqual([host('a')]);
});

describe('names', () => {
  it.each([
    ['GET', '/substrate/v1/state/42?fresh=true', 'get.state'],
    ['POST', '/substrate/v1/schema/import', 'post.schema'],
    ['POST', '/mcp', 'post.mcp'],
    ['GET', '/substrate/v1/', null],
    ['GET', '/metrics', null],
    ['GET', '/substrate/v1/state.x', null],
    ['GET', '/substrate/v1/>', null],
  ])('of %s %s are %s', (method, target, endpoint) => {
    expect(endpointOf(method, target)).toBe(endpoint);
  });

  it('are made of that of the machine', () => {
    expect(hostNameOf('web-3.example.org')).toBe('web-3-example-org');
    expect(hostNameOf('*.>')).toBe('-');
    expect(hostNameOf('')).toBe('host');
  });
});
