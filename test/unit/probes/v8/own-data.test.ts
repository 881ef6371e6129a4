import { describe, expect, it } from 'vitest';
import { createWriter } from '../../../../src/probes/drivers/v8/tree/own-data.ts';

describe('the writer of a report', () => {
  it('writes what JSON has no word for as text', () => {
    const write = createWriter();
    expect([1.5, true, null, Number.NaN, Number.NEGATIVE_INFINITY, 12n].map(write)).toEqual([
      1.5,
      true,
      null,
      'NaN',
      '-Infinity',
      '12',
    ]);
  });

  it('cuts a long text, and says how long it was', () => {
    expect(createWriter()('x'.repeat(5000))).toBe(`${'x'.repeat(4096)}… [5000 characters]`);
  });

  it('keeps a report within bounds, however many long texts it holds', () => {
    const write = createWriter();
    const text = 'y'.repeat(4000);
    let total = 0;
    for (let count = 0; count < 200_000; count++) total += String(write(text)).length;
    expect(total).toBeLessThan(64 * 1024 * 1024);
  });
});
