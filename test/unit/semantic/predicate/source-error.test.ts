import { describe, expect, it } from 'vitest';
import { SubstrateError } from '../../../../src/model/errors.ts';
import { compilePredicate } from '../../../../src/semantic/predicate/predicate.ts';

function refusal(source: string): string {
  try {
    compilePredicate(source);
  } catch (error) {
    expect(error).toBeInstanceOf(SubstrateError);
    if (error instanceof SubstrateError) {
      expect(error.code).toBe('invalid_request');
      return error.message;
    }
  }
  throw new Error(`accepted: ${source}`);
}

describe('what is wrong, and where', () => {
  it.each([
    ['cart.total >', 'The predicate ends too early (line 1, column 13)\n  cart.total >\n              ^'],
    ['a &&\n b ===== c', 'Unexpected token (line 2, column 7)\n   b ===== c\n        ^'],
    ['a.b = 3', 'assignment is not allowed (equality is ===) (line 1, column 5)\n  a.b = 3\n      ^'],
    ['a === 1; b', 'something follows its end (line 1, column 10)\n  a === 1; b\n           ^'],
    ['a b', 'Unexpected token (line 1, column 3)'],
    ['name.match("x")', 'match is not available. Methods: at, '],
    ['x === /a/', 'Regular expressions are not allowed (line 1, column 7)'],
    ['   ', 'The predicate is empty'],
    ['// nothing', 'The predicate is empty'],
    ['"open', 'Unterminated string constant (line 1, column 1)'],
  ])('%s', (source, message) => {
    expect(refusal(source)).toContain(message);
  });

  it('shows the part of a long line that matters', () => {
    const message = refusal(`${'a || '.repeat(300)} = 1`);
    const [, line = '', caret = ''] = message.split('\n');
    expect(line.length).toBeLessThan(110);
    expect(line[caret.indexOf('^')]).toBe('=');
  });
});
