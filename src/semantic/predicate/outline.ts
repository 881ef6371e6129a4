import type { Expression } from 'acorn';
import type { Code } from './code.ts';
import type { Compiler } from './compile-expression.ts';
import { type BinaryOperator, comparisons } from './operators.ts';
import type { KeyRead, Run } from './run.ts';
import type { Steps } from './steps.ts';
import type { Value } from './value.ts';

/** The upper part of a predicate, down to its comparisons: the subject of an explanation. */
export type Outline =
  | { readonly kind: 'logical'; readonly operator: '&&' | '||'; readonly parts: readonly Outline[] }
  | { readonly kind: 'not'; readonly operand: Outline; readonly text: string }
  | {
      readonly kind: 'comparison';
      readonly operator: string;
      readonly compare: BinaryOperator;
      readonly left: Operand;
      readonly right: Operand;
      readonly text: string;
    }
  | { readonly kind: 'value'; readonly operand: Operand };

interface Operand {
  readonly code: Code;
  readonly text: string;
  readonly constant: boolean;
  /** Set if the operand is only a path of the state: listing the keys it read would repeat it. */
  readonly path: string | null;
}

/** The results of an outline, kept for the explanation. */
export type Finding = { readonly value: Value } & (
  | { readonly kind: 'logical'; readonly outline: Outline & { kind: 'logical' }; readonly parts: readonly Finding[] }
  | { readonly kind: 'not'; readonly outline: Outline & { kind: 'not' }; readonly operand: Finding }
  | {
      readonly kind: 'comparison';
      readonly outline: Outline & { kind: 'comparison' };
      readonly left: OperandFinding;
      readonly right: OperandFinding;
    }
  | { readonly kind: 'value'; readonly operand: OperandFinding }
);

export interface OperandFinding {
  readonly operand: Operand;
  readonly value: Value;
  readonly reads: readonly KeyRead[];
}

const NO_SCOPE = new Map<string, number>();
const NO_READS: readonly KeyRead[] = [];

/** Top levels that are outlined. Deeper parts are plain values. */
const MAX_OUTLINE_DEPTH = 20;

export function compileOutline(compiler: Compiler, node: Expression, depth = 0): Outline {
  if (depth < MAX_OUTLINE_DEPTH) {
    if (node.type === 'LogicalExpression' && node.operator !== '??') {
      const { operator } = node;
      const parts = chainParts(node, operator).map((part) => compileOutline(compiler, part, depth + 1));
      return { kind: 'logical', operator, parts };
    }
    if (node.type === 'UnaryExpression' && node.operator === '!') {
      return { kind: 'not', operand: compileOutline(compiler, node.argument, depth + 1), text: compiler.text(node) };
    }
    if (node.type === 'BinaryExpression' && node.left.type !== 'PrivateIdentifier') {
      const compare = comparisons.get(node.operator);
      if (compare !== undefined) {
        const left = compileOperand(compiler, node.left);
        const right = compileOperand(compiler, node.right);
        return { kind: 'comparison', operator: node.operator, compare, left, right, text: compiler.text(node) };
      }
    }
  }
  return { kind: 'value', operand: compileOperand(compiler, node) };
}

/** The operands of `a && b && c`, which the parser nests to the left. */
function chainParts(node: Expression, operator: '&&' | '||'): Expression[] {
  const parts: Expression[] = [];
  let rest = node;
  while (rest.type === 'LogicalExpression' && rest.operator === operator) {
    parts.unshift(rest.right);
    rest = rest.left;
  }
  return [rest, ...parts];
}

function compileOperand(compiler: Compiler, node: Expression): Operand {
  const pathsBefore = compiler.paths.length;
  const code = compiler.compile(node, NO_SCOPE);
  const constant = compiler.paths.length === pathsBefore;
  return { code, text: compiler.text(node), constant, path: compiler.pathOf(node) };
}

export function* evaluateOutline(outline: Outline, run: Run): Steps<Finding> {
  switch (outline.kind) {
    case 'logical':
      return yield* evaluateLogical(outline, run);
    case 'not': {
      const operand = yield* evaluateOutline(outline.operand, run);
      return { kind: 'not', outline, operand, value: !operand.value };
    }
    case 'comparison': {
      const left = yield* evaluateOperand(outline.left, run);
      const right = yield* evaluateOperand(outline.right, run);
      return { kind: 'comparison', outline, left, right, value: outline.compare(run, left.value, right.value) };
    }
    case 'value': {
      const operand = yield* evaluateOperand(outline.operand, run);
      return { kind: 'value', operand, value: operand.value };
    }
  }
}

function* evaluateLogical(outline: Outline & { kind: 'logical' }, run: Run): Steps<Finding> {
  const stopAt = outline.operator === '||';
  const parts: Finding[] = [];
  let value: Value;
  for (const part of outline.parts) {
    const finding = yield* evaluateOutline(part, run);
    parts.push(finding);
    value = finding.value;
    if (Boolean(value) === stopAt) break;
  }
  return { kind: 'logical', outline, parts, value };
}

function* evaluateOperand(operand: Operand, run: Run): Steps<OperandFinding> {
  const { code } = operand;
  const isNamed = operand.constant || operand.path !== null;
  const readsBefore = isNamed ? 0 : run.startOperand();
  const value = code.isLong ? yield* code.run(run) : code.run(run);
  return { operand, value, reads: isNamed ? NO_READS : run.reads.slice(readsBefore) };
}
