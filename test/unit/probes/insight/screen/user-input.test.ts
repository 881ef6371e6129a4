import { describe, expect, it } from 'vitest';
import { readInput, type UiTarget } from '../../../../../src/probes/insight/screen/user-input.ts';

const target = (facts: Partial<UiTarget>): UiTarget => ({
  ...{ operation: 'set', id: 1, role: 'text', called: '"Name"', words: undefined, columns: [] },
  ...facts,
});

describe('what a caller gives', () => {
  it.each<[Partial<UiTarget>, Record<string, unknown>, Record<string, unknown>]>([
    [{}, { value: 'Ada' }, { value: 'Ada' }],
    [{}, { value: 5 }, { value: '5' }],
    [{ role: 'check' }, { value: true }, { value: true }],
    [{ role: 'slider' }, { value: 30 }, { value: 30 }],
    [{ role: 'spinner' }, { value: 2.5 }, { value: 2.5 }],
    [{ operation: 'tick' }, { index: 1, value: false }, { index: 1, value: false }],
    [{ operation: 'press' }, { anything: 1 }, {}],
    [
      {
        operation: 'set_cell',
        columns: [
          ['Item', 'item'],
          ['In stock', 'in_stock'],
        ],
      },
      { row: 2, column: 'in_stock', value: null },
      { index: 2, column: 1, title: 'In stock', value: null },
    ],
  ])('for %j: %j', (facts, args, given) => {
    expect(readInput(target(facts), args)).toEqual(given);
  });

  it.each<[Partial<UiTarget>, Record<string, unknown>, string]>([
    [{}, {}, 'value must be a text'],
    [{ role: 'toggle' }, { value: 'yes' }, 'value must be true or false'],
    [{ operation: 'select' }, { index: '1' }, 'index must be a number'],
    [{ operation: 'select' }, { index: 1.5 }, 'index must be a whole number'],
    [{ operation: 'set_cell' }, { row: 0, column: 'x', value: 1 }, 'column: there is no "x" to choose'],
  ])('for %j may be refused: %j', (facts, args, reason) => {
    expect(() => readInput(target(facts), args)).toThrow(reason);
  });
});
