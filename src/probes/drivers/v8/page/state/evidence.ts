/** Distinguishes the app's data from constants and internal objects of libraries in the same bundle. */
import type { PageClassifier } from './classify.ts';
import { isToolbox } from './globals.ts';
import { isMinified } from './naming.ts';
import { isFunction, isObject, own } from './safe.ts';

const { getPrototypeOf, keys, prototype: OBJECT } = Object;
const MAX_LOOKED_AT = 5;
const MAX_FIELDS = 12;

/** `strict`: for a place where most objects belong to libraries. */
export function looksLikeData(value: object, classifier: PageClassifier, strict: boolean): boolean {
  const classified = classifier.classify(value);
  if (!classified || !('expand' in classified)) return false;
  if (classified.expand === 'array') return (value as unknown[]).slice(0, MAX_LOOKED_AT).some(isPlainRecord);
  if (classified.expand === 'map' || classified.expand === 'set') {
    const first = [...(value as Map<unknown, unknown> | Set<unknown>).values()].slice(0, MAX_LOOKED_AT);
    return first.some(isPlainRecord);
  }
  if (classified.expand === 'record') return true;
  if (!strict) return keys(value).some((name) => !isMinified(name) && isData(own(value, name))) && !isToolbox(value);
  return isPlain(value) && (isPlainRecord(value) || holdsRecords(value));
}

/** Several fields with names and values, none of them code. */
function isPlainRecord(value: unknown): boolean {
  if (!isPlain(value)) return false;
  const names = keys(value);
  const values = names.map((name) => own(value, name));
  if (names.length < 2 || names.length > 60 || values.some(isFunction)) return false;
  if (names.filter((name) => !isMinified(name)).length * 2 < names.length) return false;
  // Empty fields, tables of flags, of texts or of numbers: constants and internals.
  const kinds = new Set(values.filter((field) => field !== null && field !== undefined).map(kindOf));
  const filled = values.filter((field) => field !== null && field !== undefined && field !== '').length;
  return filled * 2 >= names.length && kinds.size > 1;
}

function holdsRecords(value: object): boolean {
  const values = keys(value).map((name) => own(value, name));
  // Long ones are tables of a library.
  if (values.length > MAX_FIELDS || values.some(isFunction)) return false;
  return values.some(
    (field) => isPlainRecord(field) || (Array.isArray(field) && field.slice(0, MAX_LOOKED_AT).some(isPlainRecord)),
  );
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function isData(value: unknown): boolean {
  return value !== undefined && !isFunction(value);
}

function isPlain(value: unknown): value is object {
  if (!isObject(value) || Array.isArray(value)) return false;
  const prototype: unknown = getPrototypeOf(value);
  return prototype === OBJECT || prototype === null;
}
