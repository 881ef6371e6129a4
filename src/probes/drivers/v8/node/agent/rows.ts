/**
 * Recognises objects of a library that keep data of the app: lists of plain records, as small databases and stores do,
 * or the live objects of a server, such as its connections.
 */
import type * as UtilModule from 'node:util';
import { mapEntries, ownValue, setValues } from '../../tree/own-data.ts';

const MAX_FIELDS = 50;
const RECHECK_EVERY = 8;
const MAX_RECHECKED = 200;
/** The first table may be empty. */
const MAX_MEMBERS = 5;
/** `db.data.posts`: the tables of a database are one level below the object that has them all. */
const MAX_DEPTH = 2;

/** Empty, with a mark or a blank in it, a number, or as long as an id. */
const DATA_NAME = /^$|[^\w$]|^\d|^(?=.*\d)\w{16,}$/;

const { getPrototypeOf, keys: keysOf } = Object;
const isArray = Array.isArray;

type Types = Pick<typeof UtilModule.types, 'isProxy' | 'isMap' | 'isSet'>;

/** Remembers opened objects: a server without a connection is still a server. */
export class DataHolders {
  private readonly types: Types;
  private readonly opened = new WeakSet<object>();
  private readonly list: WeakRef<object>[] = [];
  private asked = 0;
  private readonly refused = new WeakSet<object>();

  constructor(types: Types) {
    this.types = types;
  }

  /** Opens it and its parts, whatever it holds. */
  adopt(object: object): void {
    this.open(object);
    for (const key of keysOf(object).slice(0, MAX_FIELDS)) {
      const part = ownValue(object, key);
      if (typeof part === 'object' && part !== null) this.opened.add(part);
    }
  }

  /** Objects that were opened while empty may hold something by now. */
  recheck(): void {
    for (const ref of this.list) {
      const object = ref.deref();
      if (object) this.holdsData(object);
    }
  }

  private open(object: object): void {
    if (!this.opened.has(object) && this.list.length < MAX_RECHECKED) this.list.push(new WeakRef(object));
    this.opened.add(object);
  }

  has(object: object): boolean {
    const prototype: object | null = getPrototypeOf(object);
    // Refused objects are checked again from time to time: they may have been empty.
    const isDue = !this.refused.has(object) || this.asked++ % RECHECK_EVERY === 0;
    if (isDue && this.holdsData(object)) this.open(object);
    else this.refused.add(object);
    return this.opened.has(object) || (prototype !== null && this.opened.has(prototype));
  }

  private holdsData(object: object): boolean {
    const members = keysOf(object)
      .slice(0, MAX_FIELDS)
      .flatMap((key) => firstOf(ownValue(object, key), this.types))
      .filter((member) => isLive(member, this.types));
    // The members of such a list are opened with it.
    for (const member of members) this.opened.add(getPrototypeOf(member));
    return members.length > 0 || holdsRows(object, this.types);
  }
}

/** The first objects in a list, a map, a set, or an object used as a map. */
function firstOf(value: unknown, types: Types): object[] {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return [];
  let first: unknown[] = [];
  if (types.isMap(value)) first = mapEntries(value, MAX_MEMBERS, null).values;
  else if (types.isSet(value)) first = setValues(value, MAX_MEMBERS).values;
  else if (isArray(value) || isPlain(value)) {
    for (const key of keysOf(value).slice(0, MAX_MEMBERS)) first.push(ownValue(value, key));
  }
  return first.filter((member) => typeof member === 'object' && member !== null);
}

/** An object of a class with listeners; or a table of a database. */
function isLive(value: object, types: Types): boolean {
  if (types.isProxy(value) || isPlain(value) || isArray(value)) return false;
  return ownValue(value, '_events') !== undefined || holdsRows(value, types);
}

export function holdsRows(object: object, types: Types): boolean {
  return keysOf(object)
    .slice(0, MAX_FIELDS)
    .some((key) => isTable(ownValue(object, key), types, MAX_DEPTH));
}

function isTable(value: unknown, types: Types, depth: number): boolean {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  if (isArray(value)) return isRow(ownValue(value, 0), types);
  if (types.isMap(value)) return mapEntries(value, 1).values.some((entry) => isRow(entry, types));
  if (!isPlain(value)) return false;
  if (isKeyed(value, types)) return true;
  return (
    depth > 1 &&
    keysOf(value)
      .slice(0, MAX_FIELDS)
      .some((key) => isTable(ownValue(value, key), types, depth - 1))
  );
}

/** An object used as a map: its names are data that no program would write as names, and so are its values. */
function isKeyed(value: object, types: Types): boolean {
  const keys = keysOf(value).slice(0, MAX_MEMBERS);
  return keys.length > 0 && keys.every((key) => DATA_NAME.test(key) && isRow(ownValue(value, key), types));
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
