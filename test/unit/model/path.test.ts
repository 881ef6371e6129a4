import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPath, joinPath, parsePath, pathPattern, type Segment } from '../../../src/model/path.ts';

const oddName = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('[', ']', '"', '\\', '.', '0', '*', 'a', ' ', '\n', '\ud800', 'é') }),
  fc.constantFrom('', '0', '[0]', '[*]', '"', '\\', '__proto__', 'constructor', 'toString', '\u2028', '😀', '\udead'),
);
const segment: fc.Arbitrary<Segment> = fc.oneof(fc.nat(), oddName, fc.stringMatching(/^[A-Za-z_$][\w$]{0,8}$/));
const segments = fc.array(segment, { minLength: 1, maxLength: 8 });

describe('path', () => {
  it.each<[Segment[], string]>([
    [['cart', 'items', 0, 'name'], 'cart.items[0].name'],
    [['rates', 'odd key', 'double'], 'rates["odd key"].double'],
    [['odd key'], '["odd key"]'],
    [[0], '[0]'],
    [[0, 'a'], '[0].a'],
    [['a', '', 'b'], 'a[""].b'],
    [['a', '0'], 'a["0"]'],
    [['$', '_', '__proto__'], '$._.__proto__'],
    [['a', 'x"y\\z'], 'a["x\\"y\\\\z"]'],
    [['größe'], '["größe"]'],
    [['a', 'line\nbreak'], 'a["line\\nbreak"]'],
  ])('%j is %s', (parts, text) => {
    expect(formatPath(parts)).toBe(text);
    expect(parsePath(text)).toEqual(parts);
  });

  it.each([
    '',
    '.',
    '.a',
    'a.',
    'a..b',
    'a.[0]',
    'a[]',
    'a[-1]',
    'a[01]',
    'a[1.5]',
    'a[*]',
    'a[0',
    'a]',
    '0',
    '1a',
    'a b',
    'é',
    'a["x]',
    'a["x"',
    'a["\\x"]',
    'a["\n"]',
    "a['x']",
    'a[0]b',
    'a["b"]c',
    'a[99999999999999999999]',
    '[].a',
  ])('%j is no path', (text) => {
    expect(parsePath(text)).toBeNull();
  });

  it('reads a name that is quoted without need', () => {
    expect(parsePath('cart["total"]')).toEqual(['cart', 'total']);
  });

  it('reads back exactly what it wrote', () => {
    fc.assert(
      fc.property(segments, (parts) => {
        const text = formatPath(parts);
        expect(parsePath(text)).toEqual(parts);
        expect(parts.reduce<string>((path, part) => joinPath(path, part), '')).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('writes different segments differently', () => {
    fc.assert(
      fc.property(segments, segments, (left, right) => {
        fc.pre(JSON.stringify(left) !== JSON.stringify(right));
        expect(formatPath(left)).not.toBe(formatPath(right));
      }),
    );
  });

  it('never throws, and what it accepts has one written form', () => {
    const text = fc.oneof(oddName, fc.string({ unit: fc.constantFrom('[', ']', '"', '\\', '.', '0', '1', 'a', 'u') }));
    fc.assert(
      fc.property(text, (path) => {
        const parts = parsePath(path);
        if (parts !== null) expect(parsePath(formatPath(parts))).toEqual(parts);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('pathPattern', () => {
  it.each([
    ['cart.total', 'cart.total'],
    ['a[0].b[17]', 'a[*].b[*]'],
    ['a["[0]"][3]', 'a["[0]"][*]'],
    ['a["x\\"[0]"][3]', 'a["x\\"[0]"][*]'],
    ['a["\\\\"][3]["[1]"]', 'a["\\\\"][*]["[1]"]'],
    ['[2].x', '[*].x'],
  ])('%s', (path, pattern) => {
    expect(pathPattern(path)).toBe(pattern);
  });

  it('is the same for all paths that differ in indices alone, and for no others', () => {
    const masked = (parts: Segment[]) => parts.map((part) => (typeof part === 'number' ? 0 : part));
    fc.assert(
      fc.property(segments, segments, (left, right) => {
        const alike = JSON.stringify(masked(left)) === JSON.stringify(masked(right));
        expect(pathPattern(formatPath(left)) === pathPattern(formatPath(right))).toBe(alike);
        expect(pathPattern(formatPath(left))).toBe(pathPattern(formatPath(masked(left))));
      }),
    );
  });
});
