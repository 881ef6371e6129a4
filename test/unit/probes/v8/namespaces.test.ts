import { describe, expect, it } from 'vitest';
import { isManifest, isNamespace } from '../../../../src/probes/drivers/v8/node/agent/namespaces.ts';

describe('isNamespace', () => {
  it.each([
    ['compiled exports', Object.defineProperty({ a: 1 }, '__esModule', { value: true }), true],
    ['a wrapped default', { default: { a: 1 } }, true],
    ['a default beside getters', Object.defineProperty({ default: {} }, 'get', { get: () => 1 }), true],
    ['data', { default: 1, other: 2 }, false],
    ['an empty object', {}, false],
    [
      'an object of a class',
      new (class {
        default = 1;
      })(),
      false,
    ],
  ])('%s', (_, value, expected) => {
    expect(isNamespace(value)).toBe(expected);
  });
});

describe('isManifest', () => {
  it.each([
    ['a package.json', { name: 'a', version: '1.0.0', scripts: {} }, true],
    ['one without scripts', { name: 'a', version: '1.0.0', dependencies: { b: '1' } }, true],
    ['a release', { name: 'a', version: '1.0.0', notes: 'x' }, false],
    ['something with scripts', { scripts: {} }, false],
  ])('%s', (_, value, expected) => {
    expect(isManifest(value)).toBe(expected);
  });
});
