/** Decides which calls in a JavaScript source only read. */
import type { AnyNode, CallExpression, MemberExpression, NewExpression } from 'acorn';
import { isFunction, type Scope, scopeOf } from './js-scopes.ts';

const words = (text: string) => new Set(text.split(' '));

/**
 * Methods that only read. The type of a receiver is unknown, so these are names that hardly anything but arrays,
 * strings, maps, sets and dates has.
 */
const READING_METHODS = words(
  'at charAt charCodeAt codePointAt endsWith entries flat getDate getDay getFullYear getHours getMinutes getMonth getSeconds getTime ' +
    'has hasOwnProperty includes indexOf keys lastIndexOf localeCompare padEnd padStart slice startsWith substring toFixed toISOString ' +
    'toLocaleDateString toLocaleString toLocaleTimeString toLowerCase toReversed toString toUpperCase trim trimEnd trimStart valueOf values',
);
/** These only read, too, but call their argument. */
const CALLBACK_METHODS = words(
  'every filter find findIndex findLast findLastIndex flatMap forEach map reduce reduceRight some toSorted',
);
/**
 * Names that other objects have as well (`room.join`, `api.get`, `router.replace`): only allowed on values that are
 * certainly built-in.
 */
const AMBIGUOUS_METHODS = words('concat get join match repeat replace replaceAll search split test');
/** Methods that return an element, whose type is unknown. */
const ELEMENT_METHODS = words('at find findLast get reduce reduceRight valueOf');
const PURE_STATICS: Readonly<Record<string, ReadonlySet<string>>> = {
  Array: words('from isArray of'),
  BigInt: words('asIntN asUintN'),
  Date: words('UTC now parse'),
  JSON: words('parse stringify'),
  Math: words(
    'abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt tan tanh trunc',
  ),
  Number: words('isFinite isInteger isNaN isSafeInteger parseFloat parseInt'),
  Object: words('entries fromEntries getOwnPropertyNames getPrototypeOf hasOwn is isFrozen isSealed keys values'),
  String: words('fromCharCode fromCodePoint'),
};
const PURE_FUNCTIONS = words('BigInt Boolean Number String Symbol isFinite isNaN parseFloat parseInt');
const CLONE = words('structuredClone');
const PURE_CONSTRUCTORS = words('Array Date Error Map Object RangeError RegExp Set TypeError URL URLSearchParams');
/**
 * Only those of arrays: clients of queues, caches and databases also have `add`, `set`, `delete` and `clear`
 * (`this.redis.set`), and nothing distinguishes them from a Map.
 */
const MUTATING_METHODS = words('fill pop push reverse shift sort splice unshift');

export function isReadingCall(call: CallExpression, scope: Scope): boolean {
  const { callee } = call;
  if (callee.type === 'Identifier') return isGlobal(callee, PURE_FUNCTIONS, scope) || isPlainClone(call, scope);
  if (callee.type !== 'MemberExpression') return false;
  const name = methodName(callee);
  const { object } = callee;
  if (name === null || object.type === 'Super') return false;
  if (object.type === 'Identifier' && Object.hasOwn(PURE_STATICS, object.name)) {
    const isPure = scopeOf(object.name, scope) === null && PURE_STATICS[object.name]?.has(name) === true;
    return isPure && call.arguments.slice(1).every((value) => isKnownCallback(value, scope));
  }
  // A method of the object itself is code of the app, whatever its name.
  if (object.type === 'ThisExpression') return false;
  if (READING_METHODS.has(name)) return true;
  if (CALLBACK_METHODS.has(name)) return callsKnownOnly(call, scope);
  return (
    AMBIGUOUS_METHODS.has(name) &&
    isBuiltInValue(object, scope) &&
    call.arguments.slice(1).every((value) => isKnownCallback(value, scope))
  );
}

/** The options of a clone can take buffers away from their owner. */
function isPlainClone({ callee, arguments: given }: CallExpression, scope: Scope): boolean {
  const isClone = callee.type === 'Identifier' && isGlobal(callee, CLONE, scope);
  return isClone && given.length === 1 && given[0]?.type !== 'SpreadElement';
}

/** `list.push(…)`: the call changes its object and nothing else. */
export function isMutatingCall(call: CallExpression, scope: Scope): boolean {
  if (call.callee.type !== 'MemberExpression' || call.callee.object.type !== 'MemberExpression') return false;
  const name = methodName(call.callee);
  if (name === null || !MUTATING_METHODS.has(name)) return false;
  return name !== 'sort' || call.arguments.length === 0 || callsKnownOnly(call, scope);
}

export function isPureConstruction({ callee }: NewExpression, scope: Scope): boolean {
  return callee.type === 'Identifier' && isGlobal(callee, PURE_CONSTRUCTORS, scope);
}

function isBuiltInValue(node: AnyNode, scope: Scope): boolean {
  if (node.type === 'Literal' || node.type === 'TemplateLiteral' || node.type === 'ArrayExpression') return true;
  if (node.type === 'NewExpression') return isPureConstruction(node, scope);
  if (node.type !== 'CallExpression' || !isReadingCall(node, scope)) return false;
  const { callee } = node;
  return callee.type !== 'MemberExpression' || !ELEMENT_METHODS.has(methodName(callee) ?? '');
}

function callsKnownOnly(call: CallExpression, scope: Scope): boolean {
  const [callback] = call.arguments;
  return callback !== undefined && (isFunction(callback) || isGlobalFunction(callback, scope));
}

/** True for an argument that is no function, or one whose source is analysed, too. */
function isKnownCallback(node: AnyNode, scope: Scope): boolean {
  return (
    isFunction(node) ||
    isGlobalFunction(node, scope) ||
    ['Literal', 'TemplateLiteral', 'BinaryExpression', 'UnaryExpression', 'ArrayExpression'].includes(node.type) ||
    (node.type === 'MemberExpression' && node.property.type === 'Identifier' && node.property.name === 'length')
  );
}

function isGlobalFunction(node: AnyNode, scope: Scope): boolean {
  return node.type === 'Identifier' && isGlobal(node, PURE_FUNCTIONS, scope);
}

function isGlobal({ name }: { name: string }, known: ReadonlySet<string>, scope: Scope): boolean {
  return known.has(name) && scopeOf(name, scope) === null;
}

/** Null if computed or private, so that any code may run. */
function methodName({ computed, property }: MemberExpression): string | null {
  return !computed && property.type === 'Identifier' ? property.name : null;
}
