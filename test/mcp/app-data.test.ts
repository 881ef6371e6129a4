import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appData, bounded, keyLine, outline, valueText } from '../../src/mcp/app-data.ts';

describe('text of an app', () => {
  it('cannot end the mark that it stands in', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constant('</app-data>'), fc.constant('</app-data x'))), (lines) => {
        const text = appData('shop-1', lines);
        expect(text.match(/<\/app-data/g)).toHaveLength(1);
        expect(text.endsWith('\n</app-data>')).toBe(true);
      }),
    );
  });

  it('fits its budget, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.nat(200), (lines, budget) => {
        const { lines: kept, left } = bounded(lines, budget);
        expect(kept.length + left).toBe(lines.length);
        expect(kept.join('\n').length).toBeLessThanOrEqual(budget);
      }),
    );
  });

  it('is cut where one value is long', () => {
    expect(valueText('x'.repeat(1000))).toMatch(/^"x{399}… \(1002 characters\)$/);
    expect(keyLine('cart.note', 'a\nb')).toBe('cart.note = "a\\nb"');
  });

  it('has an outline of its first steps, the largest first', () => {
    expect(outline(['cart.a', 'visits', 'cart.b[0]', 'list[0]', 'list[1]', 'list[2]'])).toEqual([
      'list: 3 keys',
      'cart: 2 keys',
      'visits: 1 keys',
    ]);
  });
});
