/** What a JavaScript function can change, judged from its source. */
import type { AnyNode, Pattern } from 'acorn';
import type { Effect } from '../../model/raw-action.ts';
import type { FunctionNode } from './js-source.ts';

/** Methods of arrays, strings, maps and dates that only read. By name: JavaScript does not tell what they are called on. */
const READING_METHODS = new Set(
  (
    'at charAt charCodeAt codePointAt concat endsWith entries every filter find findIndex findLast findLastIndex flat flatMap get has includes ' +
    'indexOf join keys lastIndexOf localeCompare map padEnd padStart reduce reduceRight repeat replace replaceAll slice some split startsWith ' +
    'substring toFixed toISOString toLocaleString toLowerCase toString toUpperCase trim trimEnd trimStart valueOf values getTime getFullYear'
  ).split(' '),
);
/** Everything on these is pure, but for what is listed. */
const PURE_NAMESPACES = new Set([
  'Math',
  'JSON',
  'Object',
  'Array',
  'Number',
  'String',
  'Date',
  'Boolean',
  'BigInt',
  'Intl',
]);
const IMPURE_STATICS = new Set([
  'assign',
  'defineProperty',
  'defineProperties',
  'setPrototypeOf',
  'freeze',
  'seal',
  'preventExtensions',
]);
const PURE_FUNCTIONS = new Set([
  'Number',
  'String',
  'Boolean',
  'parseInt',
  'parseFloat',
  'isNaN',
  'isFinite',
  'BigInt',
  'Symbol',
  'structuredClone',
]);
const PURE_CONSTRUCTORS = new Set([
  'Date',
  'Map',
  'Set',
  'Array',
  'Object',
  'Error',
  'TypeError',
  'RangeError',
  'URL',
  'RegExp',
]);

/**
 * `none`: assigns to nothing but its own variables and calls only what is known to be pure. `setter`: nothing but
 * `this.x = parameter`. `own-state`: assigns below `this` and calls nothing unknown. Everything else is unknown.
 */
export function judgeEffect(node: FunctionNode, body: readonly AnyNode[]): Effect {
  if (node.async || node.generator) return 'unknown';
  const locals = localNames(node, body);
  let writes = 0;
  let setterWrites = 0;
  for (const at of body) {
    if (at.type === 'AssignmentExpression' || at.type === 'UpdateExpression') {
      const target = at.type === 'AssignmentExpression' ? at.left : at.argument;
      if (target.type === 'Identifier' && locals.has(target.name)) continue;
      if (target.type !== 'MemberExpression' || !isBelowThis(target)) return 'unknown';
      writes++;
      const direct =
        target.object.type === 'ThisExpression' && at.type === 'AssignmentExpression' && at.operator === '=';
      if (
        direct &&
        at.right.type === 'Identifier' &&
        node.params.some((parameter) => nameOf(parameter) === (at.right as { name?: string }).name)
      )
        setterWrites++;
    } else if (at.type === 'CallExpression') {
      if (isPureCall(at, locals)) continue;
      if (
        at.callee.type === 'MemberExpression' &&
        isBelowThis(at.callee) &&
        MUTATING_METHODS.has(propertyName(at.callee))
      )
        writes++;
      else return 'unknown';
    } else if (at.type === 'NewExpression') {
      if (at.callee.type !== 'Identifier' || !PURE_CONSTRUCTORS.has(at.callee.name)) return 'unknown';
    } else if (at.type === 'UnaryExpression' && at.operator === 'delete') {
      if (at.argument.type !== 'MemberExpression' || !isBelowThis(at.argument)) return 'unknown';
      writes += 2; // What was deleted is not known any more.
    } else if (IMPURE_NODES.has(at.type)) return 'unknown';
  }
  if (writes === 0) return 'none';
  return writes === 1 && setterWrites === 1 && node.params.length === 1 ? 'setter' : 'own-state';
}

const MUTATING_METHODS = new Set([
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
  'reverse',
  'fill',
  'set',
  'add',
  'delete',
  'clear',
]);
const IMPURE_NODES = new Set<string>([
  'AwaitExpression',
  'YieldExpression',
  'TaggedTemplateExpression',
  'ImportExpression',
  'Super',
]);

function isPureCall(call: Extract<AnyNode, { type: 'CallExpression' }>, locals: ReadonlySet<string>): boolean {
  const { callee } = call;
  if (callee.type === 'Identifier') return PURE_FUNCTIONS.has(callee.name) && !locals.has(callee.name);
  if (callee.type !== 'MemberExpression') return false;
  const name = propertyName(callee);
  if (callee.object.type === 'Identifier' && PURE_NAMESPACES.has(callee.object.name)) return !IMPURE_STATICS.has(name);
  return READING_METHODS.has(name);
}

function propertyName(member: Extract<AnyNode, { type: 'MemberExpression' }>): string {
  if (member.computed) return '';
  return member.property.type === 'Identifier' || member.property.type === 'PrivateIdentifier'
    ? member.property.name
    : '';
}

function isBelowThis(node: AnyNode): boolean {
  let at: AnyNode = node;
  while (at.type === 'MemberExpression') at = at.object;
  return at.type === 'ThisExpression';
}

function localNames(node: FunctionNode, body: readonly AnyNode[]): Set<string> {
  const names = new Set<string>();
  for (const at of body) {
    if (at.type === 'VariableDeclarator' && at.id.type === 'Identifier') names.add(at.id.name);
  }
  for (const parameter of node.params) {
    const name = nameOf(parameter);
    if (name) names.add(name);
  }
  return names;
}

function nameOf(parameter: Pattern): string | null {
  if (parameter.type === 'Identifier') return parameter.name;
  return parameter.type === 'AssignmentPattern' ? nameOf(parameter.left) : null;
}
