/** Whether an object of a library keeps data of the app: lists of plain records, as small databases and stores do. */
import type * as UtilModule from 'node:util';
import { mapEntries, ownValue } from '../../tree/own-data.ts';

const MAX_FIELDS = 50;
/** `db.data.posts`: the tables of a database lie one below the object that has them all. */
const MAX_DEPTH = 2;

const { getPrototypeOf, keys: keysOf } = Object;
const isArray = Array.isArray;

type Types = Pick<typeof UtilModule.types, 'isProxy' | 'isMap'>;

export function holdsRows(object: object, types: Types): boolean {
  return keysOf(object)
    .slice(0, MAX_FIELDS)
    .some((key) => isTable(ownValue(object, key), types, MAX_DEPTH));
}

function isTable(value: unknown, types: Types, depth: number): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  if (isArray(value)) return isRow(ownValue(value, 0), types);
  if (types.isMap(value)) return mapEntries(value, 1).values.some((entry) => isRow(entry, types));
  if (depth === 1 || !isPlain(value)) return false;
  return keysOf(value)
    .slice(0, MAX_FIELDS)
    .some((key) => isTable(ownValue(value, key), types, depth - 1));
}

function isRow(value: unknown, types: Types): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value) || !isPlain(value)) return false;
  const values = keysOf(value).map((key) => ownValue(value, key));
  return (
    values.some((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') &&
    !values.some((one) => typeof one === 'function')
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
