/** The evaluation of figures in `npm run test:load`. */
import { describe, expect, it } from 'vitest';
import { Histogram, steadyGrowthMb } from '../load/figures.ts';

describe('a histogram', () => {
  it('gives parts within a step of the true ones', () => {
    const times = new Histogram();
    for (let ms = 1; ms <= 1000; ms++) times.add(ms);
    for (const share of [0.01, 0.5, 0.99, 1]) {
      expect(times.part(share)).toBeGreaterThanOrEqual(share * 1000 * 0.999);
      expect(times.part(share)).toBeLessThan(share * 1000 * 1.05);
    }
  });

  it('takes any time, and says nothing of none', () => {
    const times = new Histogram();
    expect(times.part(0.5)).toBeNaN();
    for (const ms of [0, 1e-9, 1e12]) times.add(ms);
    expect(times.part(0.1)).toBeCloseTo(0.01);
    expect(times.part(1)).toBeGreaterThan(1e6);
  });
});

describe('growth of memory', () => {
  const minutes = (mb: (at: number) => number) => Array.from({ length: 60 }, (_, at) => mb(at));

  it('is what goes on after the caches are full', () => {
    expect(steadyGrowthMb(minutes((at) => 100 + 3 * at))).toBeGreaterThan(60);
  });

  it.each([
    ['one that stays', minutes((at) => 200 + 20 * Math.sin(at))],
    ['one that has filled up', minutes((at) => 100 + 10 * Math.min(at, 15))],
    ['a peak near the end', minutes((at) => (at > 54 ? 900 : 200))],
  ])('is not %s', (_, samples) => {
    expect(steadyGrowthMb(samples)).toBe(0);
  });
});
