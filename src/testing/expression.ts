/** Builds the predicate that a part of the state has a value. */

/** A value to compare a state with: for an object the given fields count, for a list all elements. */
export type Expected = string | number | boolean | null | undefined | readonly Expected[] | ExpectedFields;
export interface ExpectedFields {
  readonly [field: string]: Expected;
}

/** `cart.items[0]`, `state["odd key"].length`: needs no parentheses. */
const PLAIN = /^[\w$]+(?:\??\.[\w$]+|\[(?:\d+|"[^"\\]*"|'[^'\\]*')\])*$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Throws `TypeError` for a value that no state can have. */
export function equals(path: string, expected: unknown): string {
  return conditions(PLAIN.test(path) ? path : `(${path})`, expected, []).join(' && ');
}

function conditions(path: string, expected: unknown, above: readonly unknown[]): readonly string[] {
  if (Number.isNaN(expected)) return [`Number.isNaN(${path})`];
  if (expected === null || expected === undefined || ['string', 'number', 'boolean'].includes(typeof expected))
    return [`${path} === ${typeof expected === 'string' ? JSON.stringify(expected) : String(expected)}`];
  if (above.includes(expected)) throw new TypeError('The expected value contains itself.');
  const inside = [...above, expected];
  if (Array.isArray(expected))
    return [
      `${path}.length === ${expected.length}`,
      ...expected.flatMap((item, index) => conditions(`${path}[${index}]`, item, inside)),
    ];
  if (isPlainObject(expected)) {
    const fields = Object.entries(expected);
    if (fields.length === 0) return [`typeof ${path} === "object"`];
    return fields.flatMap(([name, value]) => conditions(`${path}${member(name)}`, value, inside));
  }
  throw new TypeError(
    'A state holds texts, numbers, booleans, null, lists and plain objects. Write anything else as an expression, with toReach.',
  );
}

function member(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm, as in jest, has another Object.prototype, which has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
