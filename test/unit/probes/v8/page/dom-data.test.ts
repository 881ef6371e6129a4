import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundData, parseJson } from '../../../../../src/probes/drivers/v8/page/dom/data/bounded-data.ts';

function countLeaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countLeaves(inner), 0);
}

describe('boundData', () => {
  it('leaves small data as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        // Only values of JSON, so that there is no -0.
        const data: unknown = JSON.parse(JSON.stringify(value));
        expect(boundData(data)).toEqual({ value: data, leftOut: 0 });
      }),
    );
  });

  it('keeps the length of a list that is cut', () => {
    const { value, leftOut } = boundData({ rows: Array.from({ length: 5000 }, (_, at) => at) });
    expect(value).toMatchObject({ rows: { length: 5000, 0: 0, 99: 99 } });
    expect(countLeaves(value)).toBe(100);
    expect(leftOut).toBe(4900);
  });

  it('bounds leaves, texts and depth', () => {
    const wide = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k${at}`, at]));
    expect(countLeaves(boundData(wide).value)).toBe(2000);
    expect(String(boundData('x'.repeat(9000)).value)).toHaveLength(2001);
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) deep = { deep };
    expect(boundData(deep).leftOut).toBe(1);
  });

  it('keeps a field called __proto__ a field', () => {
    const { value } = boundData(parseJson('{"__proto__":{"a":1}}'));
    expect(Object.keys(Object(value))).toEqual(['__proto__']);
  });
});

it('parses what is JSON', () => {
  expect(parseJson('[1]')).toEqual([1]);
  expect(parseJson('{')).toBeUndefined();
});
