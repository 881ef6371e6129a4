/**
 * Judges the effect of a JavaScript function from its source and from those of the accessors of its object. Iterating
 * and converting to text count as reading, although an iterator or a `toString` of the app could do more, and so does
 * an accessor of another object, because nothing reveals it.
 */
import type { AnyNode, AssignmentExpression, MemberExpression, Pattern } from 'acorn';
import type { Effect } from '../../../../model/raw-action.ts';
import { isMutatingCall, isPureConstruction, isReadingCall } from './js-calls.ts';
import { type FunctionNode, type Scope, scopedNodes, scopeOf } from './js-scopes.ts';

/** The effects of these are not visible here. */
const OPAQUE_NODES = new Set<string>([
  'AwaitExpression',
  'YieldExpression',
  'TaggedTemplateExpression',
  'ImportExpression',
  'Super',
  'WithStatement',
  'DebuggerStatement',
  'ClassDeclaration',
  'ClassExpression',
]);
/** The class or its prototype leads to the state of all its objects. */
const SHARED_PROPERTIES = new Set(['constructor', 'prototype', '__proto__']);

/** Writing one of these makes a browser load or run something; on the object itself they are plain fields. */
const LOADING_PROPERTIES = new Set(['src', 'href', 'location', 'action', 'cookie', 'hash']);
const MARKUP_PROPERTIES = new Set(['innerHTML', 'outerHTML', 'srcdoc']);

/** The effects of reading and writing a property that is code. */
export type AccessorEffects = ReadonlyMap<string, { readonly get: Effect; readonly set: Effect }>;

/** The number of writes below `this`. */
interface Writes {
  count: number;
  /** `this.x = parameter` */
  setters: number;
  readonly accessors: AccessorEffects;
}

/**
 * `none`: assigns only to its own variables and calls only functions that are known to read. `setter`: nothing but
 * `this.x = parameter`. `own-state`: assigns below `this` and calls nothing unknown. Everything else is unknown.
 */
export function judgeEffect(fn: FunctionNode, accessors: AccessorEffects): Effect {
  if (fn.async || fn.generator) return 'unknown';
  const writes: Writes = { count: 0, setters: 0, accessors };
  for (const { node, scope } of scopedNodes(fn)) {
    if (!takeNode(node, scope, fn, writes)) return 'unknown';
  }
  if (writes.count === 0) return 'none';
  return writes.count === 1 && writes.setters === 1 && fn.params.length === 1 ? 'setter' : 'own-state';
}

/** Returns false if its effect is unknown. */
function takeNode(node: AnyNode, scope: Scope, fn: FunctionNode, writes: Writes): boolean {
  switch (node.type) {
    case 'AssignmentExpression':
      if (isSetter(node, scope, fn)) writes.setters++;
      return takeTarget(node.left, scope, writes);
    case 'UpdateExpression':
      return takeTarget(node.argument, scope, writes);
    case 'ForOfStatement':
    case 'ForInStatement':
      return node.left.type === 'VariableDeclaration' || takeTarget(node.left, scope, writes);
    case 'UnaryExpression':
      if (node.operator !== 'delete') return true;
      writes.count++; // A deleted value is lost: two writes are never a setter.
      return node.argument.type === 'MemberExpression' && takeTarget(node.argument, scope, writes);
    case 'VariableDeclaration':
      // `using` calls the disposer of the value.
      return node.kind === 'var' || node.kind === 'let' || node.kind === 'const';
    case 'NewExpression':
      return isPureConstruction(node, scope);
    case 'CallExpression':
      if (isReadingCall(node, scope)) return true;
      writes.count++;
      return isMutatingCall(node, scope) && node.callee.type === 'MemberExpression' && isBelowThis(node.callee, scope);
    case 'MemberExpression':
      return canRead(propertyName(node), writes);
    case 'ObjectPattern':
      return node.properties.every(
        (property) => property.type !== 'Property' || canRead(keyName(property.key), writes),
      );
    default:
      return !OPAQUE_NODES.has(node.type);
  }
}

/** False for a getter that may do anything. */
function canRead(name: string | null, { accessors }: Writes): boolean {
  return name === null || (accessors.get(name)?.get ?? 'none') === 'none';
}

function canWrite(member: MemberExpression, { accessors }: Writes): boolean {
  const name = propertyName(member);
  if (name === null) return true;
  if (MARKUP_PROPERTIES.has(name) || (LOADING_PROPERTIES.has(name) && member.object.type !== 'ThisExpression'))
    return false;
  return (accessors.get(name)?.set ?? 'none') !== 'unknown';
}

function keyName(key: AnyNode): string | null {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null;
}

/** Handles every target of an assignment, including patterns. */
function takeTarget(target: AnyNode, scope: Scope, writes: Writes): boolean {
  switch (target.type) {
    case 'Identifier':
      return scopeOf(target.name, scope) !== null;
    case 'MemberExpression':
      writes.count++;
      return isBelowThis(target, scope) && canWrite(target, writes);
    case 'AssignmentPattern':
      return takeTarget(target.left, scope, writes);
    case 'RestElement':
      return takeTarget(target.argument, scope, writes);
    case 'ArrayPattern':
      return target.elements.every((element) => element === null || takeTarget(element, scope, writes));
    case 'ObjectPattern':
      return target.properties.every((property) =>
        takeTarget(property.type === 'Property' ? property.value : property.argument, scope, writes),
      );
    default:
      return false;
  }
}

function isBelowThis(member: MemberExpression, scope: Scope): boolean {
  let at: AnyNode = member;
  while (at.type === 'MemberExpression') {
    if (SHARED_PROPERTIES.has(propertyName(at) ?? '')) return false;
    at = at.object;
  }
  return at.type === 'ThisExpression' && scope.ownThis;
}

/** Null for a private name, or a computed key, which counts as one of an element. */
function propertyName({ computed, property }: MemberExpression): string | null {
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  if (property.type === 'Literal') return String(property.value);
  const [text, ...more] = property.type === 'TemplateLiteral' ? property.quasis : [];
  return text && more.length === 0 ? (text.value.cooked ?? null) : null;
}

function isSetter({ left, operator, right }: AssignmentExpression, scope: Scope, fn: FunctionNode): boolean {
  if (operator !== '=' || left.type !== 'MemberExpression' || left.computed || left.object.type !== 'ThisExpression')
    return false;
  if (right.type !== 'Identifier' || nameOf(fn.params[0]) !== right.name) return false;
  return scopeOf(right.name, scope)?.parent === null && !isReassigned(right.name, fn);
}

function isReassigned(name: string, fn: FunctionNode): boolean {
  return scopedNodes(fn).some(({ node }) => {
    if (node.type === 'AssignmentExpression') return node.left.type !== 'MemberExpression' && mentions(node.left, name);
    if (node.type === 'UpdateExpression') return node.argument.type === 'Identifier' && node.argument.name === name;
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') return mentions(node.left, name);
    return node.type === 'VariableDeclarator' && mentions(node.id, name);
  });
}

function mentions(node: AnyNode, name: string): boolean {
  if (node.type === 'Identifier') return node.name === name;
  // A pattern is never a plain setter.
  return node.type.endsWith('Pattern');
}

function nameOf(parameter: Pattern | undefined): string | null {
  if (parameter?.type === 'Identifier') return parameter.name;
  return parameter?.type === 'AssignmentPattern' ? nameOf(parameter.left) : null;
}
