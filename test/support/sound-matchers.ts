/**
 * For `toMatchObject` a pattern is an object without keys, and such an object matches anything: neither could ever
 * fail. With this, a pattern is refused, and `{}` matches only an empty object.
 */
import { expect } from 'vitest';

expect.addEqualityTesters([
  (actual: unknown, expected: unknown) => {
    if (expected instanceof RegExp)
      throw new Error(`A text is not compared with ${expected}: write expect.stringMatching(${expected}).`);
    return isKeylessObject(expected) && hasValues(actual) ? false : undefined;
  },
]);

function isKeylessObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

function hasValues(actual: unknown): boolean {
  if (typeof actual !== 'object' || actual === null) return true;
  return Object.values(actual).some((value) => value !== undefined);
}
