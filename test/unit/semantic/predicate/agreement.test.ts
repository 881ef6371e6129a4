/** The evaluator compared with JavaScript: the same expression, run on the object that the keys came from. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compilePredicate } from '../../../../src/semantic/predicate/predicate.ts';
import { context, viewOf } from './view-of.ts';

// Few names, so that random paths often exist. `nope` never does.
const NAMES = ['a', 'b', 'item', 'odd key'];
const WORDS = ['', ' ', 'a', 'ab', 'Abc ', '12', '1e3', '0', 'true', 'null', 'é'];

const scalar = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, 1e21, -0.25),
  fc.boolean(),
  fc.constant(null),
);
const { value: stateValue } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, scalar, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 4 }),
  // An object without properties has no keys, so it cannot be distinguished from an absent one.
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
}));
const state = fc.record({ a: stateValue, b: stateValue, item: stateValue }, { noNullPrototype: true });

// Mostly `?.`, because an expression that throws compares nothing else.
const step = fc.constantFrom(
  ...['.a', '.length', '[0]', '["odd key"]', '.nope', '?.a', '?.b', '?.item', '?.["odd key"]', '?.[0]', '?.[1]'],
  ...['?.length', '?.nope', '?.["a"]', '?.b.a'],
);
const root = fc.constantFrom('a', 'b', 'item', 'nope', 'state.a', 'state.b', 'context.view', 'context');
const path = fc.tuple(root, fc.array(step, { maxLength: 3 })).map(([start, steps]) => start + steps.join(''));
const elementPath = fc
  .tuple(fc.constantFrom('e', 'e', 'i', 'item'), fc.array(step, { maxLength: 2 }))
  .map(([start, steps]) => start + steps.join(''));
const literal = fc.oneof(
  fc.constantFrom(...WORDS).map((word) => JSON.stringify(word)),
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.constantFrom('true', 'false', 'null', 'undefined', 'NaN', 'Infinity', '[]', '[1, "a", [2]]', '0.5'),
);

const BINARY = '=== !== == != < <= > >= + - * / % & | ^ << >> >>> && || in'.split(' ');
const STRING_CALLS = [
  ...['toLowerCase()', 'toUpperCase()', 'trim()', 'trimStart()', 'toString()', 'slice(1)', 'slice(-2, 3)', 'at(-1)'],
  ...['split("")', 'split("a", 2)', 'charAt(1)', 'substring(2, 0)', 'join("-")', 'join()', 'toFixed(1)', 'at(0)'],
];
const ARGUMENT_CALLS = ['includes', 'indexOf', 'lastIndexOf', 'startsWith', 'endsWith', 'concat', 'slice', 'at'];
const CALLBACK_CALLS = ['some', 'every', 'filter', 'map', 'find', 'findIndex'];
const FUNCTIONS = [
  ...['Number', 'String', 'Boolean', 'isNaN', 'isFinite', 'parseInt', 'parseFloat', 'Array.isArray', 'Object.keys'],
  ...['Object.values', 'Object.entries', 'Math.abs', 'Math.floor', 'Math.max', 'Math.min', 'Number.isInteger'],
];

const dot = fc.constantFrom('.', '?.', '?.', '?.');
const open = fc.constantFrom('(', '?.(', '?.(', '?.(');

/** Expressions over the state; inside a function `e`, `i` and `item` are its parameters. */
function expressions(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ expression: string; body: string }>((tie) => {
    const expression = tie('expression');
    return {
      expression: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        { weight: 4, arbitrary: leaf },
        fc.tuple(expression, fc.constantFrom(...BINARY), expression).map((parts) => `(${parts.join(' ')})`),
        fc.tuple(fc.constantFrom('!', '-', '+', '~', 'typeof '), expression).map((parts) => `(${parts.join('')})`),
        fc.tuple(expression, expression, expression).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
        fc.tuple(expression, expression).map(([left, right]) => `(${left} ?? ${right})`),
        fc.tuple(expression, expression).map(([left, right]) => `\`${'$'}{${left}}:${'$'}{${right}}\``),
        fc.tuple(expression, expression).map(([left, right]) => `[${left}, ${right}]`),
        fc.tuple(expression, expression).map(([left, right]) => `${wrapped(left)}[${right}]`),
        fc
          .tuple(expression, dot, fc.constantFrom(...STRING_CALLS), open)
          .map(([object, by, call, start]) => `${wrapped(object)}${by}${call.replace('(', start)}`),
        fc
          .tuple(expression, dot, fc.constantFrom(...ARGUMENT_CALLS), open, expression)
          .map(([object, by, name, start, argument]) => `${wrapped(object)}${by}${name}${start}${argument})`),
        fc.tuple(fc.constantFrom(...FUNCTIONS), expression).map(([name, argument]) => `${name}(${argument})`),
        fc
          .tuple(expression, dot, fc.constantFrom(...CALLBACK_CALLS), open, tie('body'))
          .map(([object, by, name, start, body]) => `${wrapped(object)}${by}${name}${start}(e, i) => ${body})`),
        fc
          .tuple(expression, dot, open, tie('body'))
          .map(([object, by, start, body]) => `${wrapped(object)}${by}reduce${start}(item, e, i) => ${body}, 0)`),
      ),
      body: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        elementPath,
        fc.tuple(elementPath, fc.constantFrom(...BINARY), expression).map((parts) => parts.join(' ')),
        fc.tuple(elementPath, expression).map(([element, other]) => `[${element}, ${other}]`),
      ),
    };
  }).expression;
}

/** `1.5.at(0)` and `a ? b : c.d` are not what they look like. */
function wrapped(expression: string): string {
  return /^[\w.]*$/.test(expression) && !/^\d/.test(expression) ? expression : `(${expression})`;
}

function asJavaScript(expression: string, object: Record<string, unknown>): unknown {
  const run = new Function('a', 'b', 'item', 'context', 'state', 'nope', 'e', 'i', `return (${expression});`);
  try {
    return asJson(run(object.a, object.b, object.item, context, object, undefined, undefined, undefined));
  } catch (error) {
    // A generated expression may only fail at run time.
    expect(['TypeError', 'RangeError']).toContain(error instanceof Error ? error.name : '');
    return 'throws';
  }
}

function asJson(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return Array.from(value, asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, asJson(child)]));
}

function asText(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

it.each([true, false])('agrees with JavaScript (length keys: %s)', (lengths) => {
  let evaluated = 0;
  fc.assert(
    fc.property(state, expressions(fc.oneof(path, path, literal)), (object, expression) => {
      const result = compilePredicate(expression).evaluate(viewOf(object, { lengths }));
      const expected = asJavaScript(expression, object);
      if (expected === 'throws') {
        expect(result.explanation).toContain('could not be evaluated');
        expect(result).toMatchObject({ passed: false, value: null });
        return;
      }
      // Deep values are cut, which is tested elsewhere.
      if (asText(result.value).includes('…')) return;
      evaluated += 1;
      expect(result.explanation).not.toContain('could not be evaluated');
      expect(asText(result.value)).toBe(asText(expected));
    }),
    { numRuns: 2000, seed: lengths ? 1 : 2 },
  );
  expect(evaluated).toBeGreaterThan(1000);
});
