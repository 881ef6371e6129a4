/** The nodes of a function, with the names in scope at each place. */
import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Pattern } from 'acorn';

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

export interface Scope {
  readonly parent: Scope | null;
  readonly names: ReadonlySet<string>;
  /** `this` belongs to the analysed function, not to a nested one. */
  readonly ownThis: boolean;
}

export interface ScopedNode {
  readonly node: AnyNode;
  readonly scope: Scope;
}

/** All nodes below a function: parameters (with their defaults), body, nested functions. */
export function scopedNodes(fn: FunctionNode): ScopedNode[] {
  const nodes: ScopedNode[] = [];
  const pending: { value: unknown; scope: Scope }[] = functionParts(fn, null, true);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, scope } = next;
    if (Array.isArray(value)) for (const item of value) pending.push({ value: item, scope });
    else if (isNode(value)) {
      nodes.push({ node: value, scope });
      if (isFunction(value)) {
        const ownThis = scope.ownThis && value.type === 'ArrowFunctionExpression';
        pending.push(...functionParts(value, scope, ownThis));
        continue;
      }
      const inner = innerScope(value, scope);
      for (const child of Object.values(value)) pending.push({ value: child, scope: inner });
    }
  }
  return nodes;
}

/** The scope that declares a name; null if it comes from outside the function. */
export function scopeOf(name: string, scope: Scope): Scope | null {
  for (let at: Scope | null = scope; at; at = at.parent) if (at.names.has(name)) return at;
  return null;
}

export function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression'
  );
}

function innerScope(node: AnyNode, scope: Scope): Scope {
  const names = blockNames(node);
  return names.length === 0 ? scope : { parent: scope, names: new Set(names), ownThis: scope.ownThis };
}

/** The defaults of parameters do not see the variables of the body. */
function functionParts(fn: FunctionNode, parent: Scope | null, ownThis: boolean): { value: unknown; scope: Scope }[] {
  // Not its own name: that of a declaration belongs to the outer scope.
  const outer: Scope = { parent, names: new Set(fn.params.flatMap(patternNames)), ownThis };
  const inner: Scope = { parent: outer, names: new Set(varNames(fn.body)), ownThis };
  return [
    { value: fn.params, scope: outer },
    { value: fn.body, scope: inner },
  ];
}

/** `var` belongs to the whole function, wherever it is. */
function varNames(body: AnyNode): string[] {
  const names: string[] = [];
  const pending: unknown[] = [body];
  for (let at = 0; at < pending.length; at++) {
    const value = pending[at];
    if (Array.isArray(value)) for (const item of value) pending.push(item);
    else if (isNode(value) && !isFunction(value)) {
      if (value.type === 'VariableDeclaration' && value.kind === 'var') names.push(...declaredNames(value));
      for (const child of Object.values(value)) pending.push(child);
    }
  }
  return names;
}

function blockNames(node: AnyNode): string[] {
  if (node.type === 'BlockStatement') return node.body.flatMap(lexicalNames);
  if (node.type === 'SwitchStatement') return node.cases.flatMap(({ consequent }) => consequent.flatMap(lexicalNames));
  if (node.type === 'ForStatement') return node.init ? lexicalNames(node.init) : [];
  if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') return lexicalNames(node.left);
  if (node.type === 'CatchClause') return node.param ? patternNames(node.param) : [];
  return [];
}

/** Names that belong to the block, so no `var`. */
function lexicalNames(node: AnyNode): string[] {
  return node.type === 'VariableDeclaration' && node.kind === 'var' ? [] : declaredNames(node);
}

function declaredNames(node: AnyNode): string[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => patternNames(id));
  return (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id ? [node.id.name] : [];
}

export function patternNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? patternNames(element) : []));
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        patternNames(property.type === 'Property' ? property.value : property.argument),
      );
    default:
      return [];
  }
}
