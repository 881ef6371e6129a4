import type { Expression, Super } from 'acorn';
import { formatPath, joinPath, type Segment } from '../../model/path.ts';
import { SHORT_CIRCUIT } from './code.ts';
import { cannotRead } from './member-error.ts';
import type { Run } from './run.ts';
import { contextObject, isContextField, stateRoot } from './state-objects.ts';
import { readProperty, type Value } from './value.ts';

/** `cart.items[0].name`: a chain that starts at a name of the state, with known steps only. */
export interface StaticPath {
  readonly segments: readonly Segment[];
  /** True if the step to the segment is written `?.`. */
  readonly optional: readonly boolean[];
  /** `state["exact key"]`: the first step is in quotes. */
  readonly exactKey: boolean;
}

/** The static path of `node`, or null. */
export function staticPathOf(node: Expression | Super, isLocal: (name: string) => boolean): StaticPath | null {
  const segments: Segment[] = [];
  const optional: boolean[] = [];
  let exactKey = false;
  let current = node;
  while (current.type === 'MemberExpression') {
    const { property } = current;
    let segment: Segment;
    if (!current.computed && property.type === 'Identifier') segment = property.name;
    else if (current.computed && property.type === 'Literal') {
      if (typeof property.value === 'string') segment = property.value;
      else if (typeof property.value === 'number') segment = indexSegment(property.value);
      else return null;
    } else return null;
    exactKey = current.computed && typeof segment === 'string';
    segments.unshift(segment);
    optional.unshift(current.optional === true);
    current = current.object;
  }
  if (current.type !== 'Identifier' || isLocal(current.name)) return null;
  segments.unshift(current.name);
  optional.unshift(false);
  return { segments, optional, exactKey };
}

function indexSegment(value: number): Segment {
  return Number.isSafeInteger(value) && value >= 0 ? value : String(value);
}

type Read = (run: Run) => Value;

/** Looks up the whole path as a key, which is enough if it is one; otherwise goes step by step. */
export function compileStaticPath(path: StaticPath): { read: Read; text: string } {
  const [root] = path.segments;
  if (root === 'context') return compileContextPath(path);
  if (root === 'state' && path.segments.length > 1) return compileStateRootPath(path);
  const text = formatPath(path.segments);
  const prefixes = prefixesOf(path.segments);
  const read: Read = (run) => {
    const value = run.view.get(text);
    if (value === undefined) return walkFromKey(run, path, prefixes, text);
    run.noteRead(text, value);
    return value;
  };
  return { read, text };
}

/** `a`, `a.b`, `a.b[0]`. */
export function prefixesOf(segments: readonly Segment[]): string[] {
  let prefix = '';
  return segments.map((segment) => {
    prefix = joinPath(prefix, segment);
    return prefix;
  });
}

/** Part of the path may be a key that holds a string; otherwise the tree of the keys decides. */
function walkFromKey(run: Run, path: StaticPath, prefixes: readonly string[], text: string): Value {
  for (let index = prefixes.length - 2; index >= 0; index -= 1) {
    const prefix = prefixes[index] ?? '';
    const value = run.view.get(prefix);
    if (value === undefined) continue;
    run.noteRead(prefix, value);
    return walk(run, value, path, index + 1, prefixes, text);
  }
  // It is read from the state in any case.
  run.noteKey(text);
  if (text === 'state') return stateRoot;
  const root = String(path.segments[0]);
  const branch = run.index.root.child(root);
  if (branch === undefined) run.noteMissing(prefixes[0] ?? '', text);
  return walk(run, branch?.value(run), path, 1, prefixes, text);
}

function walk(
  run: Run,
  start: Value,
  path: StaticPath,
  from: number,
  prefixes: readonly string[],
  wanted: string,
): Value {
  let value = start;
  for (let index = from; index < path.segments.length; index += 1) {
    const name = String(path.segments[index]);
    if (value === undefined || value === null) {
      if (path.optional[index] === true) return SHORT_CIRCUIT;
      const read = prefixes[index - 1] ?? '';
      if (value === undefined) run.noteMissing(read, wanted);
      throw cannotRead(value, name, read);
    }
    value = readProperty(run, value, name);
  }
  if (value === undefined) run.noteMissing(wanted);
  return value;
}

function compileContextPath(path: StaticPath): { read: Read; text: string } {
  const text = formatPath(path.segments);
  const [, field] = path.segments;
  if (path.segments.length === 2 && typeof field === 'string' && isContextField(field)) {
    const read: Read = (run) => {
      const value = run.view.context[field];
      run.noteRead(text, value);
      return value;
    };
    return { read, text };
  }
  const prefixes = prefixesOf(path.segments);
  return { read: (run) => walk(run, contextObject, path, 1, prefixes, text), text };
}

/** `state.cart.total` and `state["cart.total"]` are `cart.total`, unless the app has a key `state.cart.total`. */
function compileStateRootPath(path: StaticPath): { read: Read; text: string } {
  const literal = formatPath(path.segments);
  const [, first = '', ...rest] = path.segments;
  const start = path.exactKey ? String(first) : joinPath('', first);
  const text = rest.reduce<string>(joinPath, start);
  const [preferred, other] = path.exactKey ? [text, literal] : [literal, text];
  const prefixes = path.segments.map((_, index) =>
    index === 0 ? 'state' : rest.slice(0, index - 1).reduce<string>(joinPath, start),
  );
  const read: Read = (run) => {
    for (const key of [preferred, other]) {
      const value = run.view.get(key);
      if (value === undefined) continue;
      run.noteRead(key, value);
      return value;
    }
    return walk(run, stateRoot, path, 1, prefixes, text);
  };
  return { read, text };
}
