import type { ArrowFunctionExpression, CallExpression, Expression, MemberExpression, SpreadElement } from 'acorn';
import { type Callback, callbackMethods } from './array-callbacks.ts';
import { longArrayMethods, shortArrayMethods } from './array-methods.ts';
import {
  type Code,
  type ExpressionCompiler,
  long,
  ofOne,
  partValue,
  type Scope,
  SHORT_CIRCUIT,
  short,
} from './code.ts';
import { EvaluationError } from './evaluation-error.ts';
import { globalFunctions, longGlobalFunctions, namespaces } from './global-functions.ts';
import { cannotRead } from './member-error.ts';
import { numberMethods } from './number-methods.ts';
import type { Run } from './run.ts';
import type { Steps } from './steps.ts';
import { longStringMethods, stringMethods } from './string-methods.ts';
import { isArrayValue, type Value } from './value.ts';

const knownFunctions = [...globalFunctions.keys(), ...longGlobalFunctions.keys()];
const methodNames = new Set([
  ...stringMethods.keys(),
  ...shortArrayMethods.keys(),
  ...longArrayMethods.keys(),
  ...numberMethods.keys(),
]);
/** A name does not reveal the object's type: a method that is long for one type is compiled as long. */
const longMethods = new Set([...longStringMethods, ...longArrayMethods.keys()]);

export function compileCall(compiler: ExpressionCompiler, node: CallExpression, scope: Scope): Code {
  const { callee } = node;
  const globalName = globalFunctionName(node, scope);
  if (globalName !== null) return compileGlobalCall(compiler, node, globalName, scope);
  if (callee.type !== 'MemberExpression') {
    const known = knownFunctions.filter((name) => !name.includes('.'));
    throw compiler.refuse(callee, `Only methods and these functions can be called: ${known.join(', ')}`);
  }
  const name = methodName(callee);
  if (name !== null && callbackMethods.has(name)) return compileCallbackMethod(compiler, node, callee, name, scope);
  if (name === null || !methodNames.has(name)) {
    const known = [...callbackMethods.keys(), ...methodNames].sort().join(', ');
    throw compiler.refuse(callee.property, `${name ?? 'A computed method'} is not available. Methods: ${known}`);
  }
  const args = compiler.compileList(node.arguments, scope);
  const check = methodCheck(compiler, node, callee, name);
  const object = compiler.compile(callee.object, scope);
  if (!longMethods.has(name)) {
    return shortMethod(object, args, check, (run, value, values) => {
      run.spend(1);
      if (typeof value === 'string') return stringMethods.get(name)?.(run, value, values);
      if (isArrayValue(run, value)) return shortArrayMethods.get(name)?.(run, value, values);
      return numberMethods.get(name)?.(run, value, values);
    });
  }
  return longMethod(object, args, check, function* (run, value, values) {
    run.spend(1);
    if (typeof value === 'string') return stringMethods.get(name)?.(run, value, values);
    if (!isArrayValue(run, value)) return numberMethods.get(name)?.(run, value, values);
    const work = longArrayMethods.get(name)?.(run, value, values);
    return work === undefined ? undefined : yield* work;
  });
}

/** Returns true if the chain ends here; throws if the object has no such method. */
type Check = (run: Run, value: Value) => boolean;

/** The common part of all method calls: `?.`, and the error if the object's type has no such method. */
function methodCheck(
  compiler: ExpressionCompiler,
  node: CallExpression,
  callee: MemberExpression,
  name: string,
): Check {
  const objectText = compiler.text(callee.object);
  const optionalObject = callee.optional === true;
  const optionalCall = node.optional === true;
  return (run, value) => {
    if (value === SHORT_CIRCUIT) return true;
    if (value === undefined || value === null) {
      if (optionalObject) return true;
      throw cannotRead(value, name, objectText);
    }
    if (hasMethod(run, value, name)) return false;
    if (optionalCall) return true;
    const kind = typeof value === 'object' ? 'an object' : `a ${typeof value}`;
    throw new EvaluationError(`TypeError: ${objectText}.${name} is not a function: ${objectText} is ${kind}`);
  };
}

type Args = Code<readonly Value[]>;

function shortMethod(
  object: Code,
  args: Args,
  isOver: Check,
  invoke: (run: Run, object: Value, args: readonly Value[]) => Value,
): Code {
  if (object.isLong || args.isLong) {
    return long(function* (run) {
      const value = yield* partValue(object, run);
      return isOver(run, value) ? SHORT_CIRCUIT : invoke(run, value, yield* partValue(args, run));
    });
  }
  const [objectIn, argsIn] = [object.run, args.run];
  return short((run) => {
    const value = objectIn(run);
    return isOver(run, value) ? SHORT_CIRCUIT : invoke(run, value, argsIn(run));
  });
}

function longMethod(
  object: Code,
  args: Args,
  isOver: Check,
  invoke: (run: Run, object: Value, args: readonly Value[]) => Steps,
): Code {
  return long(function* (run) {
    const value = object.isLong ? yield* object.run(run) : object.run(run);
    if (isOver(run, value)) return SHORT_CIRCUIT;
    const values = args.isLong ? yield* args.run(run) : args.run(run);
    if (run.isDue) yield;
    return yield* invoke(run, value, values);
  });
}

function hasMethod(run: Run, value: Value, name: string): boolean {
  if (typeof value === 'string') return stringMethods.has(name);
  if (isArrayValue(run, value))
    return shortArrayMethods.has(name) || longArrayMethods.has(name) || callbackMethods.has(name);
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
  const object = compiler.compile(callee.object, scope);
  return longMethod(object, args, methodCheck(compiler, node, callee, name), function* (run, value, values) {
    return method === undefined || !isArrayValue(run, value) ? undefined : yield* method(run, value, callback, values);
  });
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
    if (plain !== undefined) {
      const slot = compiler.newSlot();
      return {
        enter: (run, value) => {
          run.locals[slot] = value;
        },
        body: short((run) => plain(run, [run.locals[slot]])),
      };
    }
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
  return {
    enter: (run, ...args) => {
      run.spend(steps);
      for (let index = 0; index < slots.length; index += 1) run.locals[slots[index] ?? 0] = args[index];
    },
    body: code,
  };
}

function compileGlobalCall(compiler: ExpressionCompiler, node: CallExpression, name: string, scope: Scope): Code {
  const [call, longCall] = [globalFunctions.get(name), longGlobalFunctions.get(name)];
  const args = compiler.compileList(node.arguments, scope);
  if (longCall !== undefined) {
    return long(function* (run) {
      const values = yield* partValue(args, run);
      run.spend(1 + values.length);
      if (run.isDue) yield;
      return yield* longCall(run, values);
    });
  }
  if (call === undefined) {
    const namespace = name.slice(0, name.indexOf('.') + 1);
    const known = knownFunctions.filter((other) => other.startsWith(namespace));
    throw compiler.refuse(node.callee, `${name} is not available. There are ${known.join(', ')}`);
  }
  return ofOne(args, (run, values) => {
    run.spend(1 + values.length);
    return call(run, values);
  });
}

/** `Number(…)` or `Math.max(…)`: the name, even of a missing function in an existing namespace. */
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
