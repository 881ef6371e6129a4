import { afterEach, describe, expect, it } from 'vitest';
import { toJson, toJsonInPieces } from '../../../../src/probes/drivers/v8/tree/json.ts';

function inPieces(value: object): { text: string; pieces: number } {
  const work = toJsonInPieces(value);
  for (let pieces = 1; ; pieces++) {
    const step = work.next();
    if (step.done) return { text: step.value, pieces };
  }
}

const report = () => ({
  kind: 'full',
  paths: ['a.b', 'c["d e"]'],
  values: [1, 'x', null, true],
  none: undefined,
  inner: { list: [] },
});

describe('reports as text', () => {
  afterEach(() => {
    for (const prototype of [Object.prototype, Array.prototype, String.prototype])
      Reflect.deleteProperty(prototype, 'toJSON');
  });

  it('are what JSON.stringify writes', () => {
    expect(toJson(report())).toBe(JSON.stringify(report()));
    expect(JSON.parse(inPieces(report()).text)).toEqual(JSON.parse(JSON.stringify(report())));
  });

  it('are written in pieces when they are long', () => {
    const paths = Array.from({ length: 20_000 }, (_, at) => `list[${at}].name`);
    const { text, pieces } = inPieces({ kind: 'full', paths });
    expect(pieces).toBeGreaterThan(4);
    expect(JSON.parse(text)).toEqual({ kind: 'full', paths });
  });

  it('are not altered by a toJSON that the page gave to everything', () => {
    const expected = JSON.stringify(report());
    for (const prototype of [Object.prototype, Array.prototype, String.prototype])
      Object.defineProperty(prototype, 'toJSON', { value: () => 'poisoned', configurable: true });
    expect(toJson(report())).toBe(expected);
    expect(inPieces(report()).text).not.toContain('poisoned');
  });
});
