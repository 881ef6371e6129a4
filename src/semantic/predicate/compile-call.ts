import type { ArrowFunctionExpression, CallExpression, Expression, MemberExpression, SpreadElement } from 'acorn';
import { type Callback, callbackMethods } from './array-callbacks.ts';
import { arrayMethods } from './array-methods.ts';
import { type Code, type ExpressionCompiler, type Scope, SHORT_CIRCUIT } from './code.ts';
import { EvaluationError } from './evaluation-error.ts';
import { globalFunctions, namespaces } from './global-functions.ts';
import { cannotRead } from './member-error.ts';
import { numberMethods } from './number-methods.ts';
import type { Run } from './run.ts';
import { stringMethods } from './string-methods.ts';
import { isArrayValue, type Value } from './value.ts';

const methodNames = new Set([...stringMethods.keys(), ...arrayMethods.keys(), ...numberMethods.keys()]);

export function compileCall(compiler: ExpressionCompiler, node: CallExpression, scope: Scope): Code {
  const { callee } = node;
  const globalName = globalFunctionName(node, scope);
  if (globalName !== null) return compileGlobalCall(compiler, node, globalName, scope);
  if (callee.type !== 'MemberExpression') {
    const known = [...globalFunctions.keys()].filter((name) => !name.includes('.'));
    throw compiler.refuse(callee, `Only methods and these functions can be called: ${known.join(', ')}`);
  }
  const name = methodName(callee);
  if (name !== null && callbackMethods.has(name)) return compileCallbackMethod(compiler, node, callee, name, scope);
  if (name === null || !methodNames.has(name)) {
    const known = [...callbackMethods.keys(), ...methodNames].sort().join(', ');
    throw compiler.refuse(callee.property, `${name ?? 'A computed method'} is not available. Methods: ${known}`);
  }
  const args = compiler.compileList(node.arguments, scope);
  return compileMethod(compiler, node, callee, name, scope, (run, object) => {
    run.spend(1);
    if (typeof object === 'string') return stringMethods.get(name)?.(run, object, args(run));
    if (isArrayValue(run, object)) return arrayMethods.get(name)?.(run, object, args(run));
    return numberMethods.get(name)?.(run, object, args(run));
  });
}

type Invocation = (run: Run, object: NonNullable<Value>) => Value;

/** What all method calls have in common: the object, `?.`, and the error when its type has no such method. */
function compileMethod(
  compiler: ExpressionCompiler,
  node: CallExpression,
  callee: MemberExpression,
  name: string,
  scope: Scope,
  invoke: Invocation,
): Code {
  const object = compiler.compile(callee.object, scope);
  const objectText = compiler.text(callee.object);
  const optionalObject = callee.optional === true;
  const optionalCall = node.optional === true;
  return (run) => {
    const value = object(run);
    if (value === SHORT_CIRCUIT) return value;
    if (value === undefined || value === null) {
      if (optionalObject) return SHORT_CIRCUIT;
      throw cannotRead(value, name, objectText);
    }
    if (!hasMethod(run, value, name)) {
      if (optionalCall) return SHORT_CIRCUIT;
      const kind = typeof value === 'object' ? 'an object' : `a ${typeof value}`;
      throw new EvaluationError(`TypeError: ${objectText}.${name} is not a function: ${objectText} is ${kind}`);
    }
    return invoke(run, value);
  };
}

function hasMethod(run: Run, value: NonNullable<Value>, name: string): boolean {
  if (typeof value === 'string') return stringMethods.has(name);
  if (isArrayValue(run, value)) return arrayMethods.has(name) || callbackMethods.has(name);
  return numberMethods.has(name) && (typeof value === 'number' || name === 'toString');
}

function compileCallbackMethod(
  compiler: ExpressionCompiler,
  node: CallExpression,
  callee: MemberExpression,
  name: string,
  scope: Scope,
): Code {
  const method = callbackMethods.get(name);
  const [first, ...others] = node.arguments;
  const callback = compileCallback(compiler, node, name, first, scope);
  const args = compiler.compileList(others, scope);
  return compileMethod(compiler, node, callee, name, scope, (run, object) =>
    isArrayValue(run, object) ? method?.(run, object, callback, args(run)) : undefined,
  );
}

function compileCallback(
  compiler: ExpressionCompiler,
  call: CallExpression,
  name: string,
  node: Expression | SpreadElement | undefined,
  scope: Scope,
): Callback {
  if (node?.type === 'ArrowFunctionExpression') return compileArrow(compiler, node, scope);
  // `filter(Boolean)`, `map(Number)`.
  if (node?.type === 'Identifier' && !scope.has(node.name)) {
    const plain = node.name === 'parseInt' ? undefined : globalFunctions.get(node.name);
    if (plain !== undefined) return (run, value) => plain(run, [value]);
  }
  throw compiler.refuse(node ?? call, `${name}() takes an arrow function, as in items.${name}(item => item.done)`);
}

function compileArrow(compiler: ExpressionCompiler, node: ArrowFunctionExpression, scope: Scope): Callback {
  const { body } = node;
  compiler.hasArrow = true;
  if (body.type === 'BlockStatement') throw compiler.refuse(body, 'The body of an arrow function is one expression');
  if (node.async) throw compiler.refuse(node, 'async is not allowed');
  const inner = new Map(scope);
  const slots = node.params.map((parameter) => {
    if (parameter.type !== 'Identifier') throw compiler.refuse(parameter, 'A parameter is a plain name');
    const slot = compiler.newSlot();
    inner.set(parameter.name, slot);
    return slot;
  });
  const nodesBefore = compiler.nodeCount;
  const code = compiler.compile(body, inner);
  const steps = compiler.nodeCount - nodesBefore;
  return (run, ...args) => {
    run.spend(steps);
    for (let index = 0; index < slots.length; index += 1) run.locals[slots[index] ?? 0] = args[index];
    return code(run);
  };
}

function compileGlobalCall(compiler: ExpressionCompiler, node: CallExpression, name: string, scope: Scope): Code {
  const call = globalFunctions.get(name);
  if (call === undefined) {
    const namespace = name.slice(0, name.indexOf('.') + 1);
    const known = [...globalFunctions.keys()].filter((other) => other.startsWith(namespace));
    throw compiler.refuse(node.callee, `${name} is not available. There are ${known.join(', ')}`);
  }
  const args = compiler.compileList(node.arguments, scope);
  return (run) => {
    const values = args(run);
    run.spend(1 + values.length);
    return call(run, values);
  };
}

/** `Number(…)` or `Math.max(…)`: the name, also of a function that does not exist in a namespace that does. */
function globalFunctionName({ callee }: CallExpression, scope: Scope): string | null {
  if (callee.type === 'Identifier')
    return !scope.has(callee.name) && globalFunctions.has(callee.name) ? callee.name : null;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return null;
  const namespace = callee.object.name;
  const name = methodName(callee);
  return name !== null && namespaces.has(namespace) && !scope.has(namespace) ? `${namespace}.${name}` : null;
}

function methodName({ computed, property }: MemberExpression): string | null {
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}
