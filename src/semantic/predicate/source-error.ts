import { SubstrateError } from '../../model/errors.ts';

const MAX_LINE_SHOWN = 100;

/** The error for an invalid predicate: the problem, its position, and the line with a caret under it. */
export function sourceError(source: string, at: number, problem: string): SubstrateError {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const lineStart = before.lastIndexOf('\n') + 1;
  const lineEnd = source.indexOf('\n', at);
  const text = source.slice(lineStart, lineEnd < 0 ? source.length : lineEnd);
  const column = at - lineStart;

  // The part of a long line around the position.
  const from = text.length <= MAX_LINE_SHOWN ? 0 : Math.max(0, column - MAX_LINE_SHOWN / 2);
  const shown = text.slice(from, from + MAX_LINE_SHOWN).replace(/[\t\r]/g, ' ');
  const caret = `${' '.repeat(Math.min(column - from, shown.length))}^`;
  const message = `${problem} (line ${line}, column ${column + 1})\n  ${shown}\n  ${caret}`;
  return new SubstrateError('invalid_request', message);
}
