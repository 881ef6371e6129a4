import type {
  ArrayExpression,
  Expression,
  Identifier,
  MemberExpression,
  Node,
  SpreadElement,
  Super,
  TemplateLiteral,
} from 'acorn';
import type { SubstrateError } from '../../model/errors.ts';
import { copyElements } from './array-methods.ts';
import {
  type Code,
  type ExpressionCompiler,
  long,
  ofAll,
  ofOne,
  ofTwo,
  partValue,
  type Scope,
  SHORT_CIRCUIT,
  short,
} from './code.ts';
import { compileCall } from './compile-call.ts';
import { EvaluationError } from './evaluation-error.ts';
import { globalConstants } from './global-functions.ts';
import { cannotRead } from './member-error.ts';
import { binaryOperators, unaryOperators } from './operators.ts';
import type { Run } from './run.ts';
import { shortened } from './shortened.ts';
import { sourceError } from './source-error.ts';
import { compileStaticPath, staticPathOf } from './static-path.ts';
import type { Steps } from './steps.ts';
import { isArrayValue, readProperty, toText, type Value } from './value.ts';

/** The compiled expression is as deep as the source's tree; this depth is far from the end of the stack. */
const MAX_DEPTH = 500;
/** Each prefix of a path may be looked up, so a path costs the square of its length. */
const MAX_PATH_SEGMENTS = 100;

const NO_ASSIGNMENT = 'A predicate cannot change anything: assignment is not allowed (equality is ===)';
const ALLOWED =
  'Allowed are state keys, literals, comparisons, && || ?? ! ?:, arithmetic, typeof, in, template strings, ' +
  'array literals and calls of read-only methods';

export class Compiler implements ExpressionCompiler {
  readonly source: string;
  /** The paths in the source, with repetitions. */
  readonly paths: string[] = [];
  hasArrow = false;
  private depth = 0;
  private nodes = 0;
  private slots = 0;

  constructor(source: string) {
    this.source = source;
  }

  get nodeCount(): number {
    return this.nodes;
  }

  newSlot(): number {
    this.slots += 1;
    return this.slots - 1;
  }

  refuse(node: Node, problem: string): SubstrateError {
    return sourceError(this.source, node.start, problem);
  }

  text(node: Node): string {
    return shortened(this.source.slice(node.start, node.end).replace(/\s+/g, ' '));
  }

  /** The path if `node` is nothing else, or null. */
  pathOf(node: Expression): string | null {
    const inner = node.type === 'ChainExpression' ? node.expression : node;
    const path = staticPathOf(inner, (name) => globalConstants.has(name));
    return path === null ? null : compileStaticPath(path).text;
  }

  /** An allow list: other forms do not compile. */
  compile(node: Expression | Super, scope: Scope): Code {
    this.depth += 1;
    this.nodes += 1;
    if (this.depth > MAX_DEPTH) throw this.refuse(node, 'The predicate is nested too deeply');
    const code = this.compileNode(node, scope);
    this.depth -= 1;
    return code;
  }

  private compileNode(node: Expression | Super, scope: Scope): Code {
    switch (node.type) {
      case 'Literal': {
        const { value } = node;
        if (value === undefined || typeof value === 'bigint' || (typeof value === 'object' && value !== null)) {
          throw this.refuse(node, node.regex ? 'Regular expressions are not allowed' : 'BigInt is not allowed');
        }
        return short(() => value);
      }
      case 'Identifier':
        return this.compileName(node, scope);
      case 'MemberExpression':
        return this.compileMember(node, scope);
      case 'ChainExpression': {
        const chain = this.compile(node.expression, scope);
        return ofOne(chain, (_run, value) => (value === SHORT_CIRCUIT ? undefined : value));
      }
      case 'CallExpression':
        return compileCall(this, node, scope);
      case 'TemplateLiteral':
        return this.compileTemplate(node, scope);
      case 'ArrayExpression':
        return this.compileArray(node, scope);
      case 'UnaryExpression': {
        const operator = unaryOperators.get(node.operator);
        if (operator === undefined) throw this.refuse(node, `The operator ${node.operator} is not allowed`);
        return ofOne(this.compile(node.argument, scope), operator);
      }
      case 'BinaryExpression': {
        const operator = binaryOperators.get(node.operator);
        if (operator === undefined || node.left.type === 'PrivateIdentifier') {
          throw this.refuse(node, `The operator ${node.operator} is not allowed`);
        }
        return ofTwo(this.compile(node.left, scope), this.compile(node.right, scope), operator);
      }
      case 'LogicalExpression': {
        return logical(node.operator, this.compile(node.left, scope), this.compile(node.right, scope));
      }
      case 'ConditionalExpression': {
        const test = this.compile(node.test, scope);
        const consequent = this.compile(node.consequent, scope);
        const alternate = this.compile(node.alternate, scope);
        return conditional(test, consequent, alternate);
      }
      case 'AssignmentExpression':
        throw sourceError(this.source, this.source.indexOf(node.operator, node.left.end), NO_ASSIGNMENT);
      case 'UpdateExpression':
        throw this.refuse(node, NO_ASSIGNMENT);
      case 'ArrowFunctionExpression':
        throw this.refuse(node, 'An arrow function is allowed only as the first argument of an array method');
      default:
        throw this.refuse(node, `${formName(node.type)} is not allowed. ${ALLOWED}`);
    }
  }

  private compileName(node: Identifier, scope: Scope): Code {
    const slot = scope.get(node.name);
    if (slot !== undefined) return short((run) => run.locals[slot]);
    const constant = globalConstants.get(node.name);
    return this.compilePath(node, scope) ?? short(() => constant);
  }

  private compilePath(node: Expression | Super, scope: Scope): Code | null {
    const path = staticPathOf(node, (name) => scope.has(name) || globalConstants.has(name));
    if (path === null) return null;
    if (path.segments.length > MAX_PATH_SEGMENTS) throw this.refuse(node, 'The path has too many segments');
    const { read, text } = compileStaticPath(path);
    this.paths.push(text);
    return short(read);
  }

  private compileMember(node: MemberExpression, scope: Scope): Code {
    const constant = this.constantName(node, scope);
    if (constant !== null) {
      const value = globalConstants.get(constant);
      return short(() => value);
    }
    const path = this.compilePath(node, scope);
    if (path !== null) return path;

    const object = this.compile(node.object, scope);
    const name = this.compilePropertyName(node, scope);
    const objectText = this.text(node.object);
    const optional = node.optional === true;
    const read = (run: Run, value: Value, property: string): Value => {
      if (value === undefined || value === null) throw cannotRead(value, property, objectText);
      return readProperty(run, value, property);
    };
    const isOver = (value: Value) => value === SHORT_CIRCUIT || (optional && (value === undefined || value === null));
    if (object.isLong || name.isLong) {
      return long(function* (run) {
        const value = yield* partValue(object, run);
        return isOver(value) ? SHORT_CIRCUIT : read(run, value, yield* partValue(name, run));
      });
    }
    const [valueIn, nameIn] = [object.run, name.run];
    return short((run) => {
      const value = valueIn(run);
      return isOver(value) ? SHORT_CIRCUIT : read(run, value, nameIn(run));
    });
  }

  private constantName(node: MemberExpression, scope: Scope): string | null {
    if (node.object.type !== 'Identifier' || scope.has(node.object.name)) return null;
    if (node.computed || node.property.type !== 'Identifier') return null;
    const name = `${node.object.name}.${node.property.name}`;
    return globalConstants.has(name) ? name : null;
  }

  private compilePropertyName(node: MemberExpression, scope: Scope): Code<string> {
    const { property } = node;
    if (property.type === 'PrivateIdentifier') throw this.refuse(property, 'Private names are not allowed');
    if (!node.computed && property.type === 'Identifier') return short(() => property.name);
    return ofOne(this.compile(property, scope), toText);
  }

  private compileTemplate(node: TemplateLiteral, scope: Scope): Code {
    const texts = node.quasis.map((quasi) => quasi.value.cooked ?? '');
    const values = ofAll(node.expressions.map((expression) => this.compile(expression, scope)));
    return ofOne(values, (run, parts) => {
      let result = texts[0] ?? '';
      parts.forEach((part, index) => {
        result += toText(run, part) + (texts[index + 1] ?? '');
        run.produceText(result.length);
      });
      return result;
    });
  }

  private compileArray(node: ArrayExpression, scope: Scope): Code {
    return ofOne(this.compileList(node.elements, scope), (run, values) => {
      run.produceElements(values.length);
      return values;
    });
  }

  /** Arguments or elements, with `...` expanded. */
  compileList(nodes: readonly (Expression | SpreadElement | null)[], scope: Scope): Code<readonly Value[]> {
    if (nodes.some((node) => node?.type === 'SpreadElement')) {
      return ofOne(ofAll(nodes.map((node) => this.compileSpread(node, scope))), (_run, parts) => flattened(parts));
    }
    return ofAll(
      nodes.map((node) =>
        node === null || node.type === 'SpreadElement' ? short(() => undefined) : this.compile(node, scope),
      ),
    );
  }

  private compileSpread(node: Expression | SpreadElement | null, scope: Scope): Code<readonly Value[]> {
    if (node === null) return short(() => [undefined]);
    if (node.type !== 'SpreadElement') return ofOne(this.compile(node, scope), (_run, value) => [value]);
    const code = this.compile(node.argument, scope);
    const text = this.text(node.argument);
    return long(function* (run) {
      return yield* spread(run, yield* partValue(code, run), text);
    });
  }
}

/** `flat()` takes many times as long. */
function flattened(parts: readonly (readonly Value[])[]): Value[] {
  const values: Value[] = [];
  for (const part of parts) for (const value of part) values.push(value);
  return values;
}

function logical(operator: '&&' | '||' | '??', left: Code, right: Code): Code {
  const isEnough =
    operator === '&&'
      ? (value: Value) => !value
      : operator === '||'
        ? (value: Value) => Boolean(value)
        : (value: Value) => value !== undefined && value !== null;
  if (left.isLong || right.isLong) {
    return long(function* (run) {
      const value = yield* partValue(left, run);
      return isEnough(value) ? value : yield* partValue(right, run);
    });
  }
  const [leftValue, rightValue] = [left.run, right.run];
  return short((run) => {
    const value = leftValue(run);
    return isEnough(value) ? value : rightValue(run);
  });
}

function conditional(test: Code, consequent: Code, alternate: Code): Code {
  if (test.isLong || consequent.isLong || alternate.isLong) {
    return long(function* (run) {
      return yield* partValue((yield* partValue(test, run)) ? consequent : alternate, run);
    });
  }
  const [isTrue, then, otherwise] = [test.run, consequent.run, alternate.run];
  return short((run) => (isTrue(run) ? then(run) : otherwise(run)));
}

function* spread(run: Run, value: Value, text: string): Steps<readonly Value[]> {
  if (isArrayValue(run, value)) return yield* copyElements(run, value);
  if (typeof value !== 'string') throw new EvaluationError(`TypeError: ${text} cannot be spread: it is not an array`);
  run.produceAtOnce(value.length);
  return Array.from(value);
}

/** `ObjectExpression` -> `Object expression`. */
function formName(type: string): string {
  return type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
