/** The agent's own JSON, compared with that of Node: both accept the same texts, and read the same values. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNTIMES, StateHarness } from './state-harness.ts';

const harness = new StateHarness();

beforeAll(() => harness.compile(), 120_000);

afterAll(() => harness.remove());

/** Whole numbers beyond these come back as texts, and others may be infinite. */
const isPlain = (text: string) => !/\d{16}|\d[eE][+-]?\d{3}/.test(text);

const json = fc.json({ maxDepth: 4 }).filter(isPlain);
const damaged = fc
  .tuple(
    json,
    fc.nat(),
    fc.constantFrom('"', '\\', '{', ']', ',', ':', '0', '-', '.', 'e', '+', '\n', '\t', '\u0001', 'u', ''),
  )
  .map(([text, at, piece]) => {
    const place = at % (text.length + 1);
    // Half a surrogate pair would not survive the transfer.
    return Buffer.from(text.slice(0, place) + piece + text.slice(place + (at % 2))).toString();
  })
  .filter(isPlain);
const texts = fc.array(fc.oneof(json, damaged, fc.string({ unit: 'grapheme' })), { minLength: 200, maxLength: 400 });

function parse(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** -0 is 0 there, and Mono reads some numbers as their neighbours. */
const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'number' ? Number(part.toPrecision(15)) : part));

describe.each(RUNTIMES)('JSON on $name', (runtime) => {
  it('is taken, and written again, as Node does it', () => {
    fc.assert(
      fc.property(texts, (all) => {
        const input = all.map((text) => `${Buffer.from(text).toString('base64')}\n`).join('');
        const answers = harness.run(runtime, ['echo'], input);
        expect(answers).toHaveLength(all.length);
        all.forEach((text, at) => {
          const answer = Buffer.from(answers[at] ?? '', 'base64').toString();
          expect([text, plain(parse(answer))]).toEqual([text, plain(parse(text))]);
        });
      }),
      { numRuns: 4 },
    );
  }, 120_000);
});
