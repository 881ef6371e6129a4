/**
 * Recognises arrow functions that use the `this` of the surrounding code. It works on the source without a parser,
 * which would be many times as large as the agent: a wrong yes costs watching one call, a wrong no costs an object.
 */
const ARROW = /^(?:\(|(?:async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>|async\s*\((?=[\s\S]*=>))/u;
const COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`;
const TEXT = String.raw`'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"`;
const TEMPLATE = '`(?:\\\\[\\s\\S]|[^`\\\\])*`';
const PATTERN = String.raw`(?<=[(,=:[!&|?{};+*%~^<>\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/`;
const WORD = String.raw`(?<![\w$.#])(?:this|super|function|class)(?![\w$])(?!\s*:)`;
const TOKEN = new RegExp(`${COMMENT}|${TEXT}|${TEMPLATE}|${PATTERN}|${WORD}|[(){}]`, 'gu');
const IN_TEMPLATE = /\$\{[^}]*\b(?:this|super)\b/;
/** Longer ones are bundles; no listener is that long. */
const MAX_LENGTH = 32 * 1024;

export function usesOuterThis(source: string): boolean {
  if (source.length > MAX_LENGTH || !ARROW.test(source)) return false;
  let depth = 0;
  /** The depth at which a function or class with its own `this` began, or -1. */
  let inner = -1;
  let isInBody = false;
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '(' || token === '{') {
      if (token === '{' && depth === inner) isInBody = true;
      depth++;
    } else if (token === ')' || token === '}') {
      depth--;
      if (token === '}' && isInBody && depth === inner) {
        inner = -1;
        isInBody = false;
      }
    } else if (inner >= 0) {
      // Not the outer `this`.
    } else if (token === 'this' || token === 'super') return true;
    else if (token === 'function' || token === 'class') inner = depth;
    else if (token.startsWith('`') && IN_TEMPLATE.test(token)) return true;
  }
  return false;
}
