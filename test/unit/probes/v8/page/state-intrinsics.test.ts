import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  intrinsicsExpression,
  stateAgentExpression,
} from '../../../../../src/probes/drivers/v8/page/state/expression.ts';

/** The built-ins of a realm after `script` ran in it; null if one of them is unavailable. */
function intrinsicsAfter(script: string): Record<string, unknown> | null {
  const context = createContext({});
  const genuine = runInContext('({ Map, Promise, Array, Object, JSON })', context) as Record<string, unknown>;
  runInContext(script, context);
  const found = runInContext(intrinsicsExpression(), context) as Record<string, unknown> | null;
  if (found) for (const name of Object.keys(genuine)) expect(found[name]).toBe(genuine[name]);
  return found;
}

describe('genuine built-ins', () => {
  it('are found in a page that left them alone', () => {
    expect(Object.keys(intrinsicsAfter('') ?? {})).toContain('WeakMap');
  });

  it.each([
    ['Promise', 'globalThis.Promise = class Promise {}'],
    [
      'Promise, by one that claims to be native',
      "globalThis.Promise = class {}; Promise.toString = () => 'function Promise() { [native code] }'",
    ],
    ['Array', 'globalThis.Array = function Array() {}'],
    ['Object', 'globalThis.Object = function Object() {}'],
  ])('are found another way when the page replaced %s', (_, script) => {
    expect(intrinsicsAfter(script)).not.toBeNull();
  });

  it('are found when Function.prototype.toString is wrapped, as monitoring tools do', () => {
    const script = `const before = Function.prototype.toString;
      Function.prototype.toString = function () { return before.apply(this, arguments) }`;
    expect(intrinsicsAfter(script)).not.toBeNull();
  });

  it.each([
    'globalThis.Map = class Map {}',
    'Map.prototype.get = function get() {}',
    'Object.keys = () => []',
    'Array.prototype.push = function push() {}',
    'Array.prototype[Symbol.iterator] = function* values() {}',
    'Function.prototype.call = () => undefined',
    'Reflect.apply = () => undefined',
  ])('cannot be had after %s', (script) => {
    expect(intrinsicsAfter(script)).toBeNull();
  });

  it('do without JSON: what the agent writes is plain', () => {
    const context = createContext({});
    runInContext('globalThis.JSON = { parse() {}, stringify() {} }', context);
    const found = runInContext(intrinsicsExpression(), context) as { JSON: { stringify(value: unknown): string } };
    const plain = fc
      .jsonValue({ noUnicodeString: false })
      .filter((value) => !/[\ud800-\udfff]|"length"/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => {
        const text = found.JSON.stringify(withoutPrototype(value));
        // Control characters other than line ends become blanks.
        const expected = JSON.stringify(value).replace(/\\(?:[bfrt]|u00[01][0-9a-f])/g, ' ');
        expect(JSON.parse(text)).toEqual(JSON.parse(expected));
      }),
    );
  });

  it('are looked for without a call of what the page put in their place', () => {
    const context = createContext({});
    runInContext(
      `globalThis.calls = 0;
       const throwing = () => { calls++; throw new Error('code of the page ran') };
       const poison = (holder, names) => { for (let at = 0; at < names.length; at++) holder[names[at]] = throwing };
       poison(Function.prototype, ['call', 'apply', 'bind']);
       poison(Array.prototype, ['map', 'filter', 'join', 'push', 'slice', Symbol.iterator]);
       poison(Map.prototype, ['get', 'set', 'has', 'forEach']);
       poison(Object, ['keys', 'getOwnPropertyDescriptor', 'getOwnPropertyNames', 'create', 'defineProperty']);`,
      context,
    );
    const options = { maxKeys: 10, sliceMs: 4, budgetMs: 10_000, rootPrefix: 'site', labelPrefix: '' };
    expect(runInContext(stateAgentExpression(options), context)).toBeNull();
    expect(runInContext('calls', context)).toBe(0);
  });
});

function withoutPrototype(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const child of Object.values(value)) withoutPrototype(child);
  return Object.setPrototypeOf(value, null);
}
