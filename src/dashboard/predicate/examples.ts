/** Example expressions, made from the state of this app. */
import type { Scalar } from '../../client/index.ts';

const ENOUGH = 5;
const LONGEST_TEXT = 40;
const LOOKED_AT = 5000;

export function examples(values: ReadonlyMap<string, Scalar>): string[] {
  const found = new Map<string, string>();
  let looked = 0;
  for (const [key, value] of values) {
    if (++looked > LOOKED_AT || found.size === ENOUGH) break;
    if (!isPlainPath(key)) continue;
    const [kind, expression] = exampleOf(key, value) ?? [];
    if (kind !== undefined && expression !== undefined && !found.has(kind)) found.set(kind, expression);
  }
  return [...found.values()];
}

/** One that an action may make true: about the object of the action, if that has something to compare. */
export function exampleFor(action: string, values: ReadonlyMap<string, Scalar>): string | undefined {
  const owner = action.slice(0, action.lastIndexOf('.') + 1);
  const own = new Map<string, Scalar>();
  for (const [key, value] of values) {
    if (own.size === LOOKED_AT) break;
    if (key.startsWith(owner)) own.set(key, value);
  }
  const found = examples(own);
  return found.find((example) => example.endsWith(' > 0')) ?? found[0] ?? examples(values)[0];
}

function exampleOf(key: string, value: Scalar): readonly [kind: string, expression: string] | null {
  if (key.endsWith('.length') || key.endsWith('.size')) return ['count', `${key} > 0`];
  const [, list, field] = /^(.+?)\[0\]\.([\w$]+)$/.exec(key) ?? [];
  if (list !== undefined && !list.includes('[') && field !== undefined && typeof value === 'number')
    return ['list', `${list}.every(item => item.${field} >= 0)`];
  if (key.includes('[')) return null;
  switch (typeof value) {
    case 'number':
      return ['number', `${key} >= ${value}`];
    case 'boolean':
      return ['boolean', value ? key : `!${key}`];
    case 'string': {
      // Text in brackets stands for a value that is not shown: [redacted], [ref] …
      const isShown = value !== '' && value.length <= LONGEST_TEXT && !value.startsWith('[');
      return isShown ? ['string', `${key} === ${JSON.stringify(value)}`] : null;
    }
    default:
      return ['null', `${key} === null`];
  }
}

/** Others need `state["…"]`, which makes a poor first example. */
function isPlainPath(key: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*|\[\d+\])*$/u.test(key);
}
