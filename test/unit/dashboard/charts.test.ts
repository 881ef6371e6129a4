import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../../src/client/index.ts';
import { MAX_PINS, Pins } from '../../../src/dashboard/charts/pins.ts';
import { csvOf, extended, extentOf, indexAt, type Point, stepPath } from '../../../src/dashboard/charts/series.ts';

const points = (...values: (Scalar | undefined)[]): Point[] => values.map((value, at) => ({ atMs: at * 10, value }));
const same = (value: number) => value;

describe('the line', () => {
  it.each([
    ['one value holds to the end', points(3), 'M0 3H50'],
    ['steps', points(3, 5), 'M0 3H10V5H50'],
    ['a key that went and came again leaves a gap', points(3, undefined, 4), 'M0 3H10M20 4H50'],
    ['so do null and texts', points(null, 1, 'x', 2), 'M10 1H20M30 2H50'],
    ['booleans are 0 and 1', points(false, true), 'M0 0H10V1H50'],
    ['nothing', points(), ''],
  ])('%s', (_, given, path) => {
    expect(stepPath(given, 50, same, same)).toBe(path);
  });

  it('has the least and the most of what can be drawn', () => {
    expect(extentOf(points('x', -2, undefined, 7, true))).toEqual({ least: -2, most: 7 });
    expect(extentOf(points('x', null, undefined))).toBeNull();
  });

  it('knows what held at any time', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 12 });
    fc.assert(
      fc.property(times, fc.integer({ min: -5, max: 70 }), (all, when) => {
        const sorted = all.sort((a, b) => a - b).map((atMs) => ({ atMs, value: atMs }));
        expect(indexAt(sorted, when)).toBe(sorted.findLastIndex(({ atMs }) => atMs <= when));
      }),
    );
  });

  it('goes on with what is new, and with nothing else', () => {
    const series = { key: 'a', points: points(1, 2) };
    expect(extended(series, 10, 3)).toBe(series);
    expect(extended(series, 20, 2)).toBe(series);
    expect(extended(series, 20, undefined).points.at(-1)).toEqual({ atMs: 20, value: undefined });
    expect(extended({ key: 'a', points: [] }, 20, undefined).points).toEqual([]);
  });
});

describe('the CSV', () => {
  it('has a row for each change, with what all keys held, and no formula', () => {
    const text = csvOf([
      { key: 'a', points: points(1, 2) },
      {
        key: 'b["x,y"]',
        points: [
          { atMs: 10, value: '=1+1' },
          { atMs: 20, value: 'say "hi"' },
          { atMs: 30, value: undefined },
        ],
      },
    ]);
    expect(text.split('\r\n')).toEqual([
      'time,a,"b[""x,y""]"',
      '1970-01-01T00:00:00.000Z,1,',
      "1970-01-01T00:00:00.010Z,2,'=1+1",
      '1970-01-01T00:00:00.020Z,2,"say ""hi"""',
      '1970-01-01T00:00:00.030Z,2,',
      '',
    ]);
  });
});

it('pins keys once, in their order, and not too many', () => {
  const pins = new Pins();
  for (const key of ['a', 'b', 'c', 'b']) pins.toggle(key);
  expect(pins.keys).toEqual(['a', 'c']);
  pins.set(Array.from({ length: MAX_PINS + 5 }, (_, at) => `k${at}`));
  expect(pins.keys).toHaveLength(MAX_PINS);
  expect(pins.toggle('another')).toBe(false);
  expect(pins.toggle('k0')).toBe(true);
});
