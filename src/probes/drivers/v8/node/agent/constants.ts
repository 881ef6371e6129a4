/**
 * Recognises variables that hold constants: tables of the program's source, which say nothing about its activity. It
 * uses their construction and the naming customs of JavaScript, since a value does not show whether it will change.
 */
import { ownValue } from '../../tree/own-data.ts';
import { className } from './classify.ts';

/** `MAX_ROWS`, `ServerMessages`: names of constants, enumerations, schemas and classes. */
const CONSTANT_NAME = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^[A-Z][A-Z\d]+$/;
const CAPITAL = /^[A-Z]/;
/** Larger ones are not searched completely. */
const MAX_PARTS = 500;

const { getPrototypeOf, isFrozen, keys: keysOf } = Object;
const isArray = Array.isArray;

export interface Variable {
  readonly name: string;
  readonly value: unknown;
  /** A module of a package exports it, and no function was seen to use it. */
  readonly isLiteral: boolean;
}

export function isConstant({ name, value, isLiteral }: Variable): boolean {
  if (typeof value !== 'object' || value === null) return CONSTANT_NAME.test(name) || isLiteral;
  if (!isPlain(value)) return CAPITAL.test(name) && isForeign(value);
  // An empty one exists to be filled.
  if (keysOf(value).length === 0) return false;
  if (isEnumeration(value) || every(value, isFrozenPart)) return true;
  return (isLiteral || CAPITAL.test(name)) && every(value, isLiteralPart);
}

/** `X["0"] = "A"; X.A = 0`, or names in capitals for texts or numbers. */
export function isEnumeration(value: object): boolean {
  if (isArray(value)) return false;
  const names = keysOf(value).filter((key) => !/^-?\d+$/.test(key));
  if (names.length < 2) return false;
  const numbers = keysOf(value).length - names.length;
  if (numbers > 0)
    return numbers <= names.length && names.every((name) => ownValue(value, String(ownValue(value, name))) === name);
  return names.every((name) => CAPITAL.test(name) && typeof ownValue(value, name) === 'string');
}

/** True for a class that is not the app's: the caller shows objects of the app's own classes as state. */
function isForeign(value: object): boolean {
  const name = className(value);
  return name !== 'Map' && name !== 'Set' && name !== 'WeakMap' && name !== 'WeakSet';
}

const isFrozenPart = (part: object) => isFrozen(part) && (isPlain(part) || isArray(part));
const isLiteralPart = (part: object) =>
  (isPlain(part) && keysOf(part).length > 0) || (isArray(part) && part.length > 0) || className(part) === 'RegExp';

/** True if the test is true for all objects below it, too. */
function every(value: object, test: (part: object) => boolean): boolean {
  const parts = [value];
  const seen = new Set<object>(parts);
  for (let part = parts.pop(); part; part = parts.pop()) {
    if (!test(part)) return false;
    if (seen.size > MAX_PARTS) return true;
    for (const key of keysOf(part)) {
      const child = ownValue(part, key);
      if (typeof child !== 'object' || child === null || seen.has(child)) continue;
      seen.add(child);
      parts.push(child);
    }
  }
  return true;
}

function isPlain(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || isArray(value);
}
