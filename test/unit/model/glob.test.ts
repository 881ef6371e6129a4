import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globMatcher } from '../../../src/model/glob.ts';
import { formatPath, joinPath } from '../../../src/model/path.ts';

it.each([
  ['cart', 'cart', true],
  ['cart', 'cart.items[0].name', true],
  ['cart', 'cartridge', false],
  ['cart.*', 'cart.total', true],
  ['cart.*', 'cart.items[0].name', true],
  ['cart.items[*].name', 'cart.items[12].name', true],
  ['cart.items[*].name', 'cart.items[12].price', false],
  ['*.total', 'cart.total', true],
  ['*.total', 'shop.cart.total', false],
  ['**.total', 'shop.cart.total', true],
  ['**.total', 'total', true],
  ['**token**', 'settings.apiToken', false],
  ['**oken**', 'settings.apiToken', true],
  ['rates["odd key"]', 'rates["odd key"]', true],
  ['a?c', 'abc', true],
  ['a?c', 'a.c', false],
  ['a+b(c)', 'a+b(c)', true],
  ['**.price', 'xprice', false],
  ['**.price', 'a.b.price[0]', true],
  ['a.**.z', 'a.z', true],
  ['a.**.z', 'a.b[0].c.z', true],
  ['a.**.z', 'a.bz', false],
  ['**.*pilot*', 'tree.nodes["/pilot"]', true],
  ['**.*pilot*', 'tree.nodes["/pilot"].data', true],
  ['**.*1*', 'rows[1]', false],
  ['**.data', 'tree["data"]', false],
  ['**', 'any.thing[0]', true],
  ['**', '["any thing"]', true],
  ['jmx.**', 'jmx["java.lang:type=Memory"].heap.used', true],
  ['jmx.**', 'jmx.beans', true],
  ['jmx.**', 'jmx[3].name', true],
  ['jmx.**', 'jmx', false],
  ['jmx.**', 'jmxes.beans', false],
  ['jmx.*', 'jmx["java.lang:type=Memory"].heap', true],
  ['jmx.*.heap', 'jmx["java.lang:type=Memory"].heap', true],
  ['jmx.*.heap', 'jmx["a.b"].x.heap', false],
  ['jmx.*.heap', 'jmx["a.heap"]', false],
  ['jmx.*', 'jmx[0]', false],
  ['store.*b.x', 'store["a b"].x', true],
  ['store.*Memory*', 'store["java.lang:type=Memory"]', true],
  ['store[*].x', 'store["a b"].x', true],
  ['store[*].x', 'store[7].x', true],
  ['store[*].x', 'store.a.x', false],
  ['store["a*"].x', 'store["a.b [0]"].x', true],
  ['store["a*"].x', 'store.ab.x', false],
  ['store.**.x', 'store["a b"][0].c.x', true],
  ['store.**.x', 'store["a.x"]', false],
  ['**.x', 'store["a \\" b"].x', true],
  ['**["a b"].x', 'top["a b"].x', true],
  ['*', '["a b"].x', true],
  ['*.x', '["a b"].x', true],
  ['["a b"]', '["a b"].x', true],
  ['["a b"]', '["a b c"].x', false],
  ['[*]', '["a b"].x', true],
  ['rows[1??]', 'rows[123].x', true],
  ['rows[1??]', 'rows[12].x', false],
  ['cart**', 'cartons["a b"].x', true],
  ['a..b', 'a.b', false],
  ['.a', 'a', false],
  ['a[', 'a["b"]', false],
  ['a["b', 'a["b"]', false],
  ['', '', true],
  ['', 'a', false],
])('%s matches %s: %s', (pattern, key, isMatch) => {
  expect(globMatcher(pattern)(key)).toBe(isMatch);
});

it('takes no longer for a pattern that means harm', () => {
  const key = `${'a'.repeat(4000)}!`;
  for (const pattern of [`${'*a'.repeat(40)}b`, `${'**a'.repeat(40)}b`, `${'**.'.repeat(40)}b`])
    expect(globMatcher(pattern)(key)).toBe(false);
});

const NAMES = ['a', 'b', 'ab', 'a b', 'a.b', 'b]', 'a"b', '[a', '\\', ''];
const segment = fc.oneof(fc.constantFrom(...NAMES), fc.integer({ min: 0, max: 12 }));
const key = fc.array(segment, { minLength: 1, maxLength: 4 }).map(formatPath);
/** Keys in which some characters and steps are wildcards. */
const pattern = fc
  .array(
    fc.oneof(
      segment.map((one) => formatPath([one])),
      fc.constantFrom('*', '**', 'a*', '*b', '?', 'a?', '[*]', '[1?]', '["*"]', '["a*"]', 'a**'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((steps) =>
    steps.reduce((path, step) => (path === '' || step.startsWith('[') ? path + step : `${path}.${step}`), ''),
  );

/** The meaning of a pattern, step by step. Some patterns would keep it busy for ever: only for short ones. */
function isMeant(steps: readonly string[], found: readonly string[]): boolean {
  const [step, ...others] = steps;
  if (step === undefined) return true;
  const [first, ...rest] = found;
  if (first === undefined) return others.length > 0 && step === '**' && isMeant(others, found);
  if (step === '**') return others.length === 0 || isMeant(others, found) || isMeant(steps, rest);
  if (step.includes('**')) return tailsOf(found).some((tail) => isMeantFrom(step, others, found, tail));
  return isStepMeant(step, first) && isMeant(others, rest);
}

/** A `**` among characters continues into further steps. */
function isMeantFrom(
  step: string,
  others: readonly string[],
  found: readonly string[],
  tail: readonly string[],
): boolean {
  const text = found.slice(0, found.length - tail.length).join('');
  const source = step.split('**').map((part) => part.replace(/[\\^$.+()[\]{}|]/g, '\\$&'));
  return new RegExp(`^(?:\\.|\\[")${source.join('.*')}$`, 's').test(text) && isMeant(others, tail);
}

const tailsOf = (steps: readonly string[]) => steps.map((_, at) => steps.slice(at + 1));

/** A step of a key as written: `.a`, `["a b"]`, `[3]`. */
function isStepMeant(step: string, found: string): boolean {
  const isWild = /[*?]/.test(step);
  if (!isWild) return step === found || `.${step}` === found;
  const quoted = /^\["([\s\S]*)"\]$/;
  const inner = quoted.exec(found)?.[1] ?? /^\[(\d+)\]$/.exec(found)?.[1] ?? found.slice(1);
  const isQuoted = quoted.test(found);
  const isElement = !isQuoted && found.startsWith('[');
  if (step === '[*]') return isQuoted || isElement;
  if (quoted.test(step)) return isQuoted && isTextMeant(quoted.exec(step)?.[1] ?? '', inner);
  if (step.startsWith('[')) return isElement && isTextMeant(step.slice(1, -1), inner);
  return !isElement && isTextMeant(step, inner);
}

function isTextMeant(text: string, found: string): boolean {
  const source = text
    .replace(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('?', '.')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`, 's').test(found);
}

const STEPS = /\["(?:[^"\\]|\\[\s\S])*"\]|\[[^\]]*\]|\.?[^.[]+/g;
const stepsOf = (text: string) => text.match(STEPS) ?? [];
const keySteps = (text: string) => stepsOf(text).map((step) => (/^[.[]/.test(step) ? step : `.${step}`));

it('means the same as a naive reading of its steps', () => {
  fc.assert(
    fc.property(pattern, fc.array(key, { minLength: 1, maxLength: 5 }), (glob, keys) => {
      const matcher = globMatcher(glob);
      const steps = stepsOf(glob).map((step) => step.replace(/^\./, ''));
      // One matcher for all of them: none may leave state for the next.
      const expected = keys.filter((one) => isMeant(steps, keySteps(one)));
      expect([glob, keys.filter(matcher)]).toEqual([glob, expected]);
    }),
    { numRuns: 5000 },
  );
});

it('means a key and all below it by the key itself, and everything by any text that begins like nothing else', () => {
  fc.assert(
    fc.property(key, segment, (one, more) => {
      expect([globMatcher(one)(one), globMatcher(one)(joinPath(one, more))]).toEqual([true, true]);
      expect([globMatcher('**')(one), globMatcher(`${one}.**`)(joinPath(one, more))]).toEqual([true, true]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab.[]"\\*?') }), key, (text, one) => {
      expect(typeof globMatcher(text)(one)).toBe('boolean');
    }),
  );
});
