import { type Expression, type Program, parse, type Token } from 'acorn';
import { sourceError } from './source-error.ts';

/** Larger than any limit on a request's expression; keeps later work in proportion. */
const MAX_SOURCE_LENGTH = 16_384;
/** Brackets inside brackets, or prefix operators in a row. The parser calls itself for each. */
const MAX_NESTING = 64;

const TOO_DEEP = 'The predicate is nested too deeply';
const OPENING = new Set(['(', '[', '{', '${']);
const CLOSING = new Set([')', ']', '}']);
const PREFIX = new Set(['!/~', '+/-', 'typeof', 'void', 'delete', '++/--', 'new']);

/** The one expression that `source` consists of. */
export function parsePredicate(source: string): Expression {
  if (source.trim() === '') throw sourceError(source, 0, 'The predicate is empty');
  if (source.length > MAX_SOURCE_LENGTH) {
    throw sourceError(source, MAX_SOURCE_LENGTH, `The predicate is longer than ${MAX_SOURCE_LENGTH} characters`);
  }
  const [first, second] = parseProgram(source).body;
  if (first === undefined) throw sourceError(source, 0, 'The predicate is empty');
  if (first.type !== 'ExpressionStatement') {
    throw sourceError(source, first.start, 'A predicate is one expression; statements are not allowed');
  }
  if (second !== undefined) {
    throw sourceError(source, second.start, 'A predicate is one expression; something follows its end');
  }
  return first.expression;
}

function parseProgram(source: string): Program {
  try {
    return parse(source, { ecmaVersion: 2022, onToken: nestingGuard(source) });
  } catch (error) {
    // Right-hand recursion that the guard does not count (`a ? b : a ? b : …`).
    if (error instanceof RangeError) throw sourceError(source, 0, TOO_DEEP);
    if (!(error instanceof SyntaxError)) throw error;
    const at = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    const problem = error.message.replace(/ \(\d+:\d+\)$/, '');
    throw sourceError(source, at, at >= source.trimEnd().length ? 'The predicate ends too early' : problem);
  }
}

function nestingGuard(source: string): (token: Token) => void {
  let open = 0;
  let prefixes = 0;
  return ({ type: { label, keyword }, start }) => {
    const kind = keyword ?? label;
    prefixes = PREFIX.has(kind) ? prefixes + 1 : 0;
    if (OPENING.has(kind)) open += 1;
    else if (CLOSING.has(kind)) open -= 1;
    if (open > MAX_NESTING || prefixes > MAX_NESTING) throw sourceError(source, start, TOO_DEEP);
  };
}
