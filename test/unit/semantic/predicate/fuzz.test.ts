import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SubstrateError } from '../../../../src/model/errors.ts';
import { compilePredicate } from '../../../../src/semantic/predicate/predicate.ts';
import { cpuTime } from '../../../support/cpu-time.ts';
import { viewOf } from './view-of.ts';

const view = viewOf({ a: [{ b: 'x'.repeat(2000), c: 1 }, { b: 'y' }], list: Array.from({ length: 200 }, (_, i) => i) });
const before = JSON.stringify([...view.map]);

/** Either it is refused with a position, or it evaluates to something; never anything else, and never slowly. */
function survives(source: string): void {
  expect(cpuTime(() => endsWell(source))).toBeLessThan(3000);
}

function endsWell(source: string): void {
  try {
    const result = compilePredicate(source).evaluate(view);
    expect(typeof result.passed).toBe('boolean');
    expect(result.explanation).not.toBe('');
    expect((JSON.stringify(result) ?? '').length).toBeLessThan(100_000);
  } catch (error) {
    if (!(error instanceof SubstrateError)) throw error;
    expect(error.code).toBe('invalid_request');
    expect(error.message).toMatch(/\(line \d+, column \d+\)\n/);
    expect(error.message.length).toBeLessThan(1500);
  }
}

const TOKENS = [
  ...['a', 'list', 'state', 'context', 'e', 'this', 'constructor', '__proto__', 'prototype', 'globalThis', 'process'],
  ...['(', ')', '[', ']', '{', '}', '.', '?.', ',', ';', '=>', '...', '`', '${', '}', '"', "'", '/', '\\u0061', '\n'],
  ...['===', '==', '=', '+', '-', '**', '!', '&&', '||', '??', '?', ':', '<', 'in', 'typeof', 'new', 'delete', 'void'],
  ...['0', '1e999', '9007199254740993', '10n', '"__proto__"', '"b"', 'null', 'undefined', 'NaN', 'async', 'await'],
  ...['.map(e=>', '.some(', '.reduce((x,e)=>', '.length', '.concat(', '.join(', '[0]', '.b', '.call(', '.bind('],
];

it('survives any text', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80, unit: 'binary' }), survives), { numRuns: 1500, seed: 3 });
});

it('survives any sequence of tokens', () => {
  const soup = fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 14 });
  const joined = fc.tuple(soup, fc.constantFrom('', ' ')).map(([tokens, glue]) => tokens.join(glue));
  fc.assert(fc.property(joined, survives), { numRuns: 4000, seed: 4 });
});

it('survives nested loops and growth', () => {
  const { nested } = fc.letrec<{ nested: string; small: string }>((tie) => ({
    small: fc.constantFrom('e', 'list', 'a', '1', '"x"', 'a[0].b', 'state', '[e]', 'Object.keys(state)'),
    nested: fc.oneof(
      { maxDepth: 6 },
      tie('small'),
      fc.tuple(tie('nested'), tie('nested')).map(([left, right]) => `(${left} + ${right})`),
      fc.tuple(tie('nested'), tie('nested')).map(([left, right]) => `[${left}, ...[${right}]]`),
      fc.tuple(tie('small'), tie('nested')).map(([array, body]) => `[].concat(${array}).map(e => ${body})`),
      fc.tuple(tie('small'), tie('nested')).map(([array, body]) => `[].concat(${array}).reduce((e, x) => ${body}, e)`),
      fc.tuple(tie('nested')).map(([array]) => `[].concat(${array}).join(",").split("")`),
      fc.tuple(tie('nested'), tie('nested')).map(([left, right]) => `\`${'$'}{${left}}\`.concat(${right})`),
    ),
  }));
  const source = nested.map((body) => `[0].map(e => ${body}).length`);
  fc.assert(fc.property(source, survives), { numRuns: 500, seed: 5 });
});

it('changes nothing', () => {
  expect(JSON.stringify([...view.map])).toBe(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
