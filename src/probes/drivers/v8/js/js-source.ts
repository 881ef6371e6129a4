/** Reads facts about a function from its JavaScript source: its parameters, and its effect. */
import { type AnyNode, type Pattern, parse } from 'acorn';
import type { Effect, RawParameter } from '../../../../model/raw-action.ts';
import type { TypeName } from '../../../../model/scalar.ts';
import type { Accessor } from '../tree/accessors.ts';
import { type Callback, findCallbacks } from './js-callbacks.ts';
import { type AccessorEffects, judgeEffect } from './js-effects.ts';
import { type FunctionNode, isFunction, isNode, patternNames } from './js-scopes.ts';
import { SOURCE_LIMIT } from './source-limit.ts';

export interface FunctionFacts {
  /** Without optional callbacks at the end. */
  readonly parameters: readonly RawParameter[];
  /** The position of the last parameter that must be a function, which a client cannot pass, or -1. */
  readonly callbackAt: number;
  readonly effect: Effect;
  readonly returns: TypeName | 'void' | 'unknown';
}

const UNREADABLE: FunctionFacts = { parameters: [], callbackAt: -1, effect: 'unknown', returns: 'unknown' };
/** Its parameters are unknown, and may include a function. */
const UNREADABLE_WITH_PARAMETERS: FunctionFacts = { ...UNREADABLE, callbackAt: Number.POSITIVE_INFINITY };
const NO_PARAMETERS = /^[^(=]*\(\s*\)/;

export function readFunction(source: string, accessors: readonly Accessor[] = []): FunctionFacts {
  // The agent cuts long sources, and a cut source can still be a valid program (`x => this.a + …`) with a wrong end.
  const node = source.length < SOURCE_LIMIT ? parseFunction(source) : null;
  if (!node) return NO_PARAMETERS.test(source) ? UNREADABLE : UNREADABLE_WITH_PARAMETERS;
  const body = collect(node.body, false);
  const callbacks = findCallbacks(node, (name) => typeFromUse(name, body) !== null);
  const kinds = node.params.map((parameter) => kindOf(parameter, callbacks));
  // An optional one must stay if others follow.
  const count = 1 + kinds.findLastIndex((kind) => kind !== 'optional');
  return {
    parameters: node.params.slice(0, count).map((parameter, at) => describeParameter(parameter, at, body, callbacks)),
    callbackAt: kinds.findLastIndex((kind, at) => kind !== null && at < count),
    effect: judgeEffect(node, judgeAccessors(accessors)),
    returns: node.async || node.generator ? 'unknown' : returnType(node),
  };
}

/** An accessor may use another one: this many levels are resolved. */
const ACCESSOR_ROUNDS = 3;

/** The effects of reading and writing each of them, as far as their own sources show. */
function judgeAccessors(accessors: readonly Accessor[]): AccessorEffects {
  let known: AccessorEffects = new Map(accessors.map(({ name }) => [name, { get: 'unknown', set: 'unknown' }]));
  for (let round = 0; round < ACCESSOR_ROUNDS && accessors.length > 0; round++) {
    const before = known;
    known = new Map(
      accessors.map(({ name, get, set }) => [name, { get: effectOf(get, before), set: effectOf(set, before) }]),
    );
  }
  return known;
}

/** MobX makes an accessor of every observed field; it keeps the value, and notifies observers. */
const OBSERVED_FIELD = /\b(?:get|set)ObservablePropValue_\b/;

function effectOf(source: string | null, others: AccessorEffects): Effect {
  if (source === null) return 'none';
  if (OBSERVED_FIELD.test(source)) return source.includes('set') ? 'setter' : 'none';
  const node = parseFunction(source);
  return node ? judgeEffect(node, others) : 'unknown';
}

/** The text of a method is no program by itself; one of these frames makes it one. */
function parseFunction(source: string): FunctionNode | null {
  // A private name must be declared; newlines end a possible comment.
  const own = /^(?:(?:static|async|get|set)\s+)*\*?\s*(#[\w$]+)/.exec(source)?.[1];
  const privates = [...new Set(source.match(/#[A-Za-z_$][\w$]*/g) ?? [])].filter((name) => name !== own).join(';');
  for (const text of [`(${source}\n)`, `({${source}\n})`, `(class{${source}\n;${privates}})`]) {
    try {
      const isClassFrame = text.startsWith('(class{');
      const statement = parse(text, { ecmaVersion: 'latest' }).body[0];
      if (statement?.type !== 'ExpressionStatement') continue;
      const { expression } = statement;
      if (expression.type === 'FunctionExpression' || expression.type === 'ArrowFunctionExpression') return expression;
      if (expression.type === 'ObjectExpression') {
        const property = expression.properties[0];
        if (property?.type === 'Property' && property.value.type === 'FunctionExpression') return property.value;
      }
      // In the other frames a class is a class.
      if (expression.type === 'ClassExpression' && isClassFrame && !source.startsWith('class')) {
        const member = expression.body.body[0];
        if (member?.type === 'MethodDefinition') return member.value;
      }
    } catch {
      // It does not parse in this frame.
    }
  }
  return null;
}

/** Every node of a body, in order. */
function collect(root: AnyNode, withoutNested: boolean): AnyNode[] {
  const nodes: AnyNode[] = [];
  const pending: unknown[] = [root];
  for (let at = 0; at < pending.length; at++) {
    const value = pending[at];
    if (Array.isArray(value)) pending.push(...value);
    else if (isNode(value) && !(withoutNested && isFunction(value))) {
      nodes.push(value);
      pending.push(...Object.values(value));
    }
  }
  return nodes;
}

type Callbacks = ReadonlyMap<string, Callback>;

function kindOf(parameter: Pattern, callbacks: Callbacks): Callback | null {
  if (parameter.type === 'AssignmentPattern') return kindOf(parameter.left, callbacks);
  if (parameter.type === 'Identifier') return callbacks.get(parameter.name) ?? null;
  return patternNames(parameter).some((name) => callbacks.get(name) === 'required') ? 'required' : null;
}

function describeParameter(
  parameter: Pattern,
  index: number,
  body: readonly AnyNode[],
  callbacks: Callbacks,
): RawParameter {
  if (parameter.type === 'Identifier')
    return { name: parameter.name, type: typeFromUse(parameter.name, body), required: true };
  if (parameter.type === 'AssignmentPattern') {
    const inner = describeParameter(parameter.left, index, body, callbacks);
    return { ...inner, type: literalType(parameter.right) ?? inner.type, required: false };
  }
  if (parameter.type === 'RestElement') {
    const inner = describeParameter(parameter.argument, index, body, callbacks);
    return { ...inner, type: 'array', required: false, description: 'further arguments' };
  }
  if (parameter.type === 'ObjectPattern') {
    const fields = parameter.properties.flatMap((property) =>
      property.type === 'Property' && property.key.type === 'Identifier' && kindOf(property.value, callbacks) === null
        ? [property.key.name]
        : [],
    );
    return {
      name: index === 0 ? 'options' : `options${index + 1}`,
      type: 'object',
      required: true,
      description: `with ${fields.join(', ')}`,
    };
  }
  return { name: `argument${index + 1}`, type: parameter.type === 'ArrayPattern' ? 'array' : null, required: true };
}

function literalType(node: AnyNode): TypeName | null {
  if (node.type === 'ArrayExpression') return 'array';
  if (node.type === 'ObjectExpression') return 'object';
  if (node.type === 'TemplateLiteral') return 'string';
  if (node.type === 'UnaryExpression' && node.operator === '-') return 'number';
  if (node.type !== 'Literal') return null;
  const type = typeof node.value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : null;
}

const STRING_METHODS = new Set([
  'toLowerCase',
  'toUpperCase',
  'trim',
  'startsWith',
  'endsWith',
  'charAt',
  'split',
  'padStart',
  'replace',
]);
const ARRAY_METHODS = new Set(['push', 'pop', 'map', 'filter', 'forEach', 'reduce', 'some', 'every', 'join']);
const NUMBER_METHODS = new Set(['toFixed', 'toPrecision']);
const ORDER = new Set(['<', '>', '<=', '>=']);
const ARITHMETIC = new Set(['-', '*', '/', '%', '**', '-=', '*=', '/=', '%=']);

/** Infers the type of a parameter from its use in the body, or null. */
function typeFromUse(name: string, body: readonly AnyNode[]): TypeName | null {
  const isIt = (node: AnyNode) => node.type === 'Identifier' && node.name === name;
  for (const node of body) {
    if (
      node.type === 'MemberExpression' &&
      isIt(node.object) &&
      node.property.type === 'Identifier' &&
      !node.computed
    ) {
      const member = node.property.name;
      if (STRING_METHODS.has(member)) return 'string';
      if (ARRAY_METHODS.has(member)) return 'array';
      if (NUMBER_METHODS.has(member)) return 'number';
    }
    if (node.type === 'BinaryExpression' && ARITHMETIC.has(node.operator) && (isIt(node.left) || isIt(node.right)))
      return 'number';
    if (node.type === 'BinaryExpression' && ORDER.has(node.operator)) {
      const other = isIt(node.left) ? node.right : isIt(node.right) ? node.left : null;
      if (other && literalType(other) === 'number') return 'number';
    }
    if (node.type === 'AssignmentExpression' && ARITHMETIC.has(node.operator) && isIt(node.right)) return 'number';
    if ((node.type === 'ForOfStatement' && isIt(node.right)) || (node.type === 'SpreadElement' && isIt(node.argument)))
      return null;
    if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator)) {
      const type = typeFromComparison(node.left, node.right, isIt) ?? typeFromComparison(node.right, node.left, isIt);
      if (type) return type;
    }
  }
  return null;
}

/** `name === 'x'`, `typeof name === 'string'` */
function typeFromComparison(own: AnyNode, other: AnyNode, isIt: (node: AnyNode) => boolean): TypeName | null {
  if (isIt(own)) return literalType(other);
  const isTypeof = own.type === 'UnaryExpression' && own.operator === 'typeof' && isIt(own.argument);
  return isTypeof && other.type === 'Literal' ? typeNamed(other.value) : null;
}

function typeNamed(value: unknown): TypeName | null {
  return value === 'string' || value === 'number' || value === 'boolean' || value === 'object' ? value : null;
}

function returnType(node: FunctionNode): TypeName | 'void' | 'unknown' {
  if (node.type === 'ArrowFunctionExpression' && node.expression) return literalType(node.body) ?? 'unknown';
  // The result of a callback in the body is not the result of the function.
  const returned = collect(node.body, true).flatMap((at): (TypeName | 'unknown')[] =>
    at.type === 'ReturnStatement' && at.argument ? [literalType(at.argument) ?? 'unknown'] : [],
  );
  const [first] = returned;
  if (first === undefined) return 'void';
  return returned.every((type) => type === first) ? first : 'unknown';
}
