/**
 * Finds parameters of a JavaScript function that must be functions. A client cannot pass a function: the code would
 * call `undefined`, often later and outside of the call, which ends the whole program.
 */
import type { AnyNode, BinaryExpression, CallExpression, NewExpression } from 'acorn';
import { type FunctionNode, isFunction, type Scope, type ScopedNode, scopedNodes, scopeOf } from './js-scopes.ts';

/** A page may send any source: deeper nesting guards nothing. */
const MAX_DEPTH = 50;

/** `optional`: the source calls it only if it was given, so that it can be left out. */
export type Callback = 'required' | 'optional';

const words = (text: string) => new Set(text.split(' '));

/** These call their arguments: the first, any, any but the first. */
const TAKE_FIRST = words(
  'setTimeout setInterval setImmediate queueMicrotask nextTick requestAnimationFrame requestIdleCallback ' +
    'every findIndex findLast findLastIndex flatMap forEach map reduce reduceRight some',
);
const TAKE_ANY = words('then catch finally');
const TAKE_LATER = words('on once addListener prependListener prependOnceListener addEventListener');
const CALLS_ITSELF = words('call apply bind');
/** A parameter with such a name is a function, wherever it is passed. */
const FUNCTION_NAME = /^_*(?:cb|fn|func|callback|listener|handler)$|(?:Cb|Fn|Callback|Listener|Handler)$/;
/** These may be data as well (`task.done`): they are functions if they are passed on, and nothing contradicts it. */
const LIKELY_NAME = /^_*(?:done|next|resolve|reject)$/;

/** By name, including those inside patterns. `isData`: the source shows that the parameter has another type. */
export function findCallbacks(fn: FunctionNode, isData: (name: string) => boolean): ReadonlyMap<string, Callback> {
  const parameters = new Parameters(scopedNodes(fn), isData);
  const callbacks = new Map<string, Callback>();
  for (const { name, guard } of parameters.uses()) {
    // `typeof value === 'function' ? value() : value`: any other value is fine, too.
    if (guard === 'function' && parameters.isValueToo(name)) continue;
    const isOptional = guard !== 'none' || parameters.defaulted.has(name);
    if (callbacks.get(name) !== 'required') callbacks.set(name, isOptional ? 'optional' : 'required');
  }
  return callbacks;
}

interface Use {
  readonly name: string;
  readonly guard: Guard;
}

/** The fact that the source has checked before: something was given, or a function. */
type Guard = 'none' | 'given' | 'function';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The parameters of one function, at all places of its source. */
class Parameters {
  /** Parameters whose default is a function. */
  readonly defaulted = new Set<string>();
  private readonly nodes: readonly ScopedNode[];
  private readonly isTyped: (name: string) => boolean;
  /**
   * Parameters whose properties are read, whose default is a plain value, or that are used when they are no function.
   */
  private readonly data = new Set<string>();
  /** Ranges of the source where a parameter is known to be given. */
  private readonly guarded = new Map<string, (Range & { readonly guard: Guard })[]>();

  constructor(nodes: readonly ScopedNode[], isTyped: (name: string) => boolean) {
    this.nodes = nodes;
    this.isTyped = isTyped;
    for (const { node, scope } of nodes) {
      this.noteGuards(node, scope);
      this.noteDefaults(node, scope);
      if (node.type === 'MemberExpression' && !CALLS_ITSELF.has(memberName(node)))
        this.data.add(this.nameOf(node.object, scope) ?? '');
      if (node.type === 'AssignmentPattern' && node.right.type === 'Literal' && node.right.value !== null)
        this.data.add(this.nameOf(node.left, scope) ?? '');
      if (node.type === 'ConditionalExpression') this.data.add(this.nameOf(node.alternate, scope) ?? '');
    }
  }

  *uses(): Generator<Use> {
    for (const { node, scope } of this.nodes) {
      if (node.type === 'AssignmentPattern' && isFunction(node.right)) yield* this.use(node.left, scope);
      for (const stored of storedBy(node)) if (this.isCalled(stored, scope)) yield* this.use(stored, scope);
      if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue;
      yield* this.calledBy(node, scope);
      if (nameOfCallee(node) === 'isFunction') continue;
      for (const [at, argument] of node.arguments.entries())
        if (this.isCalled(argument, scope, takes(node, at), true)) yield* this.use(argument, scope);
    }
  }

  isValueToo(name: string): boolean {
    return this.data.has(name) || !(FUNCTION_NAME.test(name) || LIKELY_NAME.test(name));
  }

  /** True if the value passed on there will be called. */
  private isCalled(node: AnyNode, scope: Scope, isTaken = false, isArgument = false): boolean {
    const name = this.nameOf(node, scope);
    if (name === null || this.isTyped(name)) return false;
    if (FUNCTION_NAME.test(name)) return true;
    return !this.data.has(name) && (isTaken || (isArgument && LIKELY_NAME.test(name)));
  }

  /** `cb()`, `cb?.()`, `new Cb()`, `cb.call(…)`. */
  private *calledBy({ callee, ...call }: CallExpression | NewExpression, scope: Scope): Generator<Use> {
    if (callee.type !== 'MemberExpression') yield* this.use(callee, scope, 'optional' in call && call.optional);
    else if (CALLS_ITSELF.has(memberName(callee))) yield* this.use(callee.object, scope, callee.optional);
  }

  private *use(node: AnyNode, scope: Scope, isOptional = false): Generator<Use> {
    const name = this.nameOf(node, scope);
    if (name === null) return;
    const around = (this.guarded.get(name) ?? []).filter(({ start, end }) => start <= node.start && node.end <= end);
    const isFunction = around.some(({ guard }) => guard === 'function');
    yield { name, guard: isFunction ? 'function' : isOptional || around.length > 0 ? 'given' : 'none' };
  }

  /** Null if it is no parameter of the function itself. */
  private nameOf(node: AnyNode, scope: Scope): string | null {
    if (node.type !== 'Identifier') return null;
    const home = scopeOf(node.name, scope);
    // A `var` of the same name is the parameter itself.
    const isOwn = home?.parent === null || (home?.parent?.parent === null && home.parent.names.has(node.name));
    return isOwn ? node.name : null;
  }

  private noteGuards(node: AnyNode, scope: Scope): void {
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      this.guard(node.test, true, scope, node.consequent);
      if (node.alternate) this.guard(node.test, false, scope, node.alternate);
    } else if (node.type === 'LogicalExpression' && node.operator !== '??') {
      this.guard(node.left, node.operator === '&&', scope, node.right);
    } else if (node.type === 'BlockStatement') {
      // Code after `if (!cb) return` has it.
      for (const statement of node.body)
        if (statement.type === 'IfStatement' && leaves(statement.consequent))
          this.guard(statement.test, false, scope, { start: statement.end, end: node.end });
    }
  }

  private guard(test: AnyNode, outcome: boolean, scope: Scope, { start, end }: Range): void {
    for (const [name, guard] of this.present(test, outcome, scope)) {
      const ranges = this.guarded.get(name) ?? [];
      this.guarded.set(name, ranges);
      ranges.push({ start, end, guard });
    }
  }

  /** The parameters that were certainly given if the test had this outcome. */
  private present(test: AnyNode, outcome: boolean, scope: Scope, found = new Map<string, Guard>(), depth = 0) {
    if (depth > MAX_DEPTH) return found;
    if (test.type === 'UnaryExpression' && test.operator === '!')
      this.present(test.argument, !outcome, scope, found, depth + 1);
    else if (test.type === 'LogicalExpression') {
      if (test.operator !== (outcome ? '&&' : '||')) return found;
      this.present(test.left, outcome, scope, found, depth + 1);
      this.present(test.right, outcome, scope, found, depth + 1);
    } else {
      const [tested, guard] = testedIn(test, outcome) ?? [];
      const name = tested ? this.nameOf(tested, scope) : null;
      if (name !== null && guard && found.get(name) !== 'function') found.set(name, guard);
    }
    return found;
  }

  private noteDefaults(node: AnyNode, scope: Scope): void {
    if (node.type === 'AssignmentPattern') this.noteDefault(node.left, node.right, scope);
    else if (node.type === 'VariableDeclarator' && node.init) this.noteDefault(node.id, fallback(node.init), scope);
    else if (node.type === 'AssignmentExpression') {
      const isFallback = node.operator === '||=' || node.operator === '??=';
      this.noteDefault(node.left, isFallback ? node.right : node.operator === '=' && fallback(node.right), scope);
    } else if (node.type === 'IfStatement') {
      const absent = this.present(node.test, false, scope);
      for (const statement of node.consequent.type === 'BlockStatement' ? node.consequent.body : [node.consequent]) {
        const set = statement.type === 'ExpressionStatement' ? statement.expression : null;
        if (set?.type !== 'AssignmentExpression' || !absent.has(this.nameOf(set.left, scope) ?? '')) continue;
        this.noteDefault(set.left, set.right, scope);
      }
    }
  }

  private noteDefault(target: AnyNode, value: AnyNode | false | null, scope: Scope): void {
    const name = this.nameOf(target, scope);
    if (name !== null && value && this.isCallable(value, scope)) this.defaulted.add(name);
  }

  /** A function, or the name of one that the caller does not pass: `noop`, `this.ignore`. */
  private isCallable(value: AnyNode, scope: Scope): boolean {
    let at = value;
    while (at.type === 'MemberExpression') at = at.object;
    if (at.type === 'Identifier') return at.name !== 'undefined' && this.nameOf(at, scope) === null;
    return isFunction(at) || at.type === 'ThisExpression';
  }
}

/** The value that was given if the test has this outcome: `cb`, `cb !== undefined`, `typeof cb === 'function'`. */
function testedIn(test: AnyNode, outcome: boolean): [AnyNode, Guard] | null {
  if (test.type === 'Identifier') return outcome ? [test, 'given'] : null;
  if (test.type === 'CallExpression') {
    const [argument] = test.arguments;
    return outcome && argument && nameOfCallee(test) === 'isFunction' ? [argument, 'function'] : null;
  }
  if (test.type !== 'BinaryExpression') return null;
  if (test.operator === 'instanceof')
    return outcome && test.right.type === 'Identifier' && test.right.name === 'Function'
      ? [test.left, 'function']
      : null;
  return comparedIn(test, test.left, test.right, outcome) ?? comparedIn(test, test.right, test.left, outcome);
}

function comparedIn(
  { operator }: BinaryExpression,
  own: AnyNode,
  other: AnyNode,
  outcome: boolean,
): [AnyNode, Guard] | null {
  if (!/^[!=]==?$/.test(operator)) return null;
  const isEqual = operator.startsWith('=') === outcome;
  if (own.type === 'UnaryExpression' && own.operator === 'typeof') {
    const type = other.type === 'Literal' ? other.value : null;
    if (isEqual) return type === 'function' ? [own.argument, 'function'] : null;
    return type === 'undefined' ? [own.argument, 'given'] : null;
  }
  const isUndefined =
    (other.type === 'Identifier' && other.name === 'undefined') ||
    (other.type === 'UnaryExpression' && other.operator === 'void') ||
    // An omitted one is undefined, and not strictly null.
    (other.type === 'Literal' && other.value === null && operator.length === 2);
  return isUndefined && !isEqual ? [own, 'given'] : null;
}

/** `cb || noop`, `cb ? cb : noop`: the fallback if there is none. */
function fallback(value: AnyNode): AnyNode | null {
  if (value.type === 'LogicalExpression') return value.operator === '&&' ? null : value.right;
  const isGiven = value.type === 'ConditionalExpression' && value.consequent.type === 'Identifier';
  return isGiven ? value.alternate : null;
}

function leaves(statement: AnyNode): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return /^(?:Return|Throw|Continue|Break)Statement$/.test(last?.type ?? '');
}

function takes(call: CallExpression | NewExpression, at: number): boolean {
  const name = nameOfCallee(call);
  return TAKE_ANY.has(name) || (at === 0 ? TAKE_FIRST : TAKE_LATER).has(name);
}

/** A stored function will be called later. */
function storedBy(node: AnyNode): AnyNode[] {
  if (node.type === 'AssignmentExpression') return [node.right];
  if (node.type === 'VariableDeclarator') return node.init ? [node.init] : [];
  if (node.type === 'ObjectExpression')
    return node.properties.flatMap((property) => (property.type === 'Property' ? [property.value] : []));
  return node.type === 'ArrayExpression' ? node.elements.filter((element) => element !== null) : [];
}

function nameOfCallee({ callee }: CallExpression | NewExpression): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? memberName(callee) : '';
}

function memberName({ computed, property }: { computed: boolean; property: AnyNode }): string {
  return !computed && property.type === 'Identifier' ? property.name : '';
}
