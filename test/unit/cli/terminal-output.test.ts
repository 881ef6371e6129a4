import { describe, expect, it } from 'vitest';
import { keyTree } from '../../../src/cli/key-tree.ts';
import { liveLines } from '../../../src/cli/live/live-lines.ts';
import { LiveModel } from '../../../src/cli/live/live-model.ts';
import { formatDocument, parseDocument, partsOf } from '../../../src/cli/schema-file.ts';
import { table } from '../../../src/cli/table.ts';
import type { DiffResponse, SubstrateState } from '../../../src/client/types.ts';
import type { SchemaDocument } from '../../../src/model/schema-document.ts';

const plain = (_: string, text: string) => text;

it('shows keys that came later beside those of the same branch', () => {
  const state = {
    'shop.queue.length': 2,
    'shop.queue[0].drink': 'tea',
    'shop.open': true,
    'shop.queue[1].drink': null,
  };
  expect(keyTree({ ...state, 'shop.open.since': 9 }, plain)).toEqual([
    'shop',
    '  queue',
    '    length  2',
    '    [0]',
    '      drink  "tea"',
    '    [1]',
    '      drink  null',
    '  open  true',
    '    since  9',
  ]);
});

describe('a table', () => {
  const rows = [['1', 'a-long-name-of-an-app', 'something that is said about it at some length']];

  it.each([200, 60, 40, 20])('fits %d columns', (width) => {
    const lines = table(['ID', 'NAME', 'WHAT'], rows, plain, width);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain('1 ');
  });

  it('has columns also where characters are twice as wide, and breaks none of them', () => {
    const wide = [['漢字漢字', 'x'], ['ab', '😀😀😀']]; // biome-ignore format: short
    expect(table(['A', 'B'], wide, plain, 20).slice(1)).toEqual(['漢字漢字  x', 'ab        😀😀😀']);
    expect(table(['A', 'B'], wide, plain, 13).slice(1)).toEqual(['漢字…  x', 'ab     😀😀😀']);
  });

  it('leaves out what can be done without where the rest could not be read', () => {
    const lines = (width: number) => table(['ID', 'NAME', 'WHAT'], rows, plain, width, ['ID', 'WHAT']);
    expect(lines(43)[1]).toMatch(/^1 {3}a-long-name-of-an-app {2}something that …$/);
    expect(lines(40)).toEqual([
      expect.stringMatching(/^NAME +WHAT$/),
      expect.stringMatching(/^a-long-name-of-an-app {2}s/),
    ]);
    expect(lines(30)).toEqual(['NAME', 'a-long-name-of-an-app']);
  });

  it('cuts nothing where nobody looks', () => {
    expect(table(['ID', 'NAME', 'WHAT'], rows, plain, Number.POSITIVE_INFINITY)[1]).toContain('at some length');
  });
});

describe('a live view', () => {
  const now = Date.parse('2026-01-02T03:04:10.000Z');
  const state = (objects: SubstrateState['objects']) =>
    ({ objects, capture_id: 'a', captured_at: '2026-01-02T03:04:05.000Z' }) as SubstrateState;
  const diff = (changed: DiffResponse['changed'], removed: DiffResponse['removed'] = []) =>
    ({ capture_id: 'b', changed, added: [], removed }) as unknown as DiffResponse;
  const frame = { app: { app_name: 'shop', pid: 7 }, width: 60, height: 6, now, paint: plain };

  it('has the newest changes on top and no more lines than fit', () => {
    const model = new LiveModel(now);
    const objects = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key${at}`, at]));
    model.takeState(state(objects));
    model.takeDiff(diff([{ path: 'key7', before: 7, after: 8 }]), '2026-01-02T03:04:09.000Z', now);
    model.takeDiff(diff([{ path: 'key9', before: 9, after: 10 }]), '2026-01-02T03:04:09.500Z', now);
    const lines = liveLines(model, frame);
    expect(lines.length).toBe(6);
    expect(lines[0]).toBe('shop (pid 7)  100000 keys  capture 0.5 s ago  2.0 changes/s…');
    expect(lines[1]).toBe('… 99996 more below; a pattern shows fewer');
    expect(lines.slice(2).map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      'key9  10  was 9',
      'key7  8  was 7',
      'key0  0',
      'key1  1',
    ]);
  });

  it('keeps the end of long keys, and its columns', () => {
    const model = new LiveModel(now);
    model.takeState(state({ [`a.${'漢'.repeat(40)}.end`]: '字'.repeat(40), [`${'k'.repeat(50)}z`]: 1 }));
    const [wide, long] = liveLines(model, frame).slice(2);
    expect(wide).toMatch(/^…漢{11}\.end {2}"字{14}…$/);
    expect(long).toMatch(/^…k{25}z {2}1$/);
  });

  it('shows for a moment also what has gone', () => {
    const model = new LiveModel(now);
    model.takeState(state({ 'a.x': '\u001b[2J' }));
    model.takeDiff(diff([], [{ path: 'a.x', value: 'x' }]), '2026-01-02T03:04:09.000Z', now);
    expect(liveLines(model, frame).slice(2).join()).toMatch(/^a\.x +gone {2}was "x"$/);
  });

  it('highlights for a moment', () => {
    const marked = (colour: string, text: string) => (colour === 'inverse' ? `<${text}>` : text);
    const model = new LiveModel(now);
    model.takeState(state({ a: 1 }));
    model.takeDiff(diff([{ path: 'a', before: 1, after: 2 }]), '2026-01-02T03:04:09.000Z', now);
    expect(liveLines(model, { ...frame, paint: marked })[2]).toMatch(/^<a>/);
    expect(liveLines(model, { ...frame, paint: marked, now: now + 5000 })[2]).toMatch(/^a /);
  });
});

describe('a schema file', () => {
  const label = { path: 'a', label: 'b', type: 'string' as const, confidence: 1, confirmed: true };
  const document: SchemaDocument = {
    format: 'substrate-schema/1',
    app_id: 'shop-1a2b3c4d',
    app_name: 'shop',
    labels: [label],
    actions: [],
  };

  it('has one entry a line, and is read back', () => {
    const text = formatDocument(document);
    expect(text.split('\n')).toContain(`    ${JSON.stringify(label)}`);
    expect(parseDocument(text, 'x')).toEqual(document);
  });

  it.each([
    ['no JSON', '{', 'x is no JSON'],
    ['another format', '{"format":"substrate-schema/2"}', 'format: '],
    ['an unknown field', JSON.stringify({ ...document, values: {} }), 'Unrecognized key'],
    ['a wrong type', JSON.stringify({ ...document, labels: [{ ...label, type: 'date' }] }), 'labels.0.type'],
    ['an escape in a name', JSON.stringify({ ...document, '\u001b[2J': 1 }), '?[2J'],
    ['a path as app_id', JSON.stringify({ ...document, app_id: '../../etc' }), 'app_id'],
    ['too many', JSON.stringify({ ...document, labels: Array(10_001).fill(label) }), 'labels: '],
  ])('with %s is refused', (_, text, expected) => {
    expect(() => parseDocument(text, 'x')).toThrow(expected);
  });

  it('goes in parts that the daemon takes', () => {
    const labels = Array.from({ length: 9000 }, (_, at) => ({ ...label, path: `p${at}`, notes: 'n'.repeat(100) }));
    const parts = partsOf({ ...document, labels });
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(512 * 1024);
    expect(parts.flatMap((part) => part.labels)).toEqual(labels);
  });
});
