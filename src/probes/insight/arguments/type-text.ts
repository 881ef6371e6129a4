/**
 * Types as agents write them: `java.util.Map<java.lang.String,com.example.Item[]>`, `System.Int32?`,
 * `T:java.lang.Object` (a type variable and its bound).
 */

/** The names that stand for an array and for a value that may be null. */
export const ARRAY = '[]';
export const NULLABLE = '?';
const MAX_DEPTH = 12;

export interface TypeUse {
  /** The full name, without type arguments. */
  readonly name: string;
  /** The type arguments; for an array its element type, for a nullable value the type of the value. */
  readonly of: readonly TypeUse[];
  readonly variable: string | null;
}

const parsed = new Map<string, TypeUse | null>();
const MAX_KEPT = 20_000;

/** Null if the text is not a type. */
export function parseType(text: string): TypeUse | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_KEPT) parsed.clear();
  const parser = new Parser(text);
  const use = parser.use(0);
  const whole = use !== null && parser.isAtEnd ? use : null;
  parsed.set(text, whole);
  return whole;
}

class Parser {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.tokens = text.match(/\[\]|[<>,?]|[^<>,?[\]]+|./gs) ?? [];
  }

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  use(depth: number): TypeUse | null {
    const word = this.tokens[this.at++] ?? '';
    if (depth > MAX_DEPTH || word === '' || /^[<>,?[\]]/.test(word)) return null;
    const colon = word.indexOf(':');
    const of: TypeUse[] = [];
    if (this.tokens[this.at] === '<') {
      do {
        this.at++;
        const argument = this.use(depth + 1);
        if (argument === null) return null;
        of.push(argument);
      } while (this.tokens[this.at] === ',');
      if (this.tokens[this.at++] !== '>') return null;
    }
    let use: TypeUse = { name: word.slice(colon + 1), of, variable: colon < 0 ? null : word.slice(0, colon) };
    for (let next = this.tokens[this.at]; next === ARRAY || next === NULLABLE; next = this.tokens[++this.at])
      use = { name: next, of: [use], variable: null };
    return use;
  }
}

/** Replaces the type variables. */
export function substitute(use: TypeUse, meanings: ReadonlyMap<string, TypeUse>): TypeUse {
  if (meanings.size === 0) return use;
  if (use.variable !== null) return meanings.get(use.variable) ?? use;
  return use.of.length === 0 ? use : { ...use, of: use.of.map((each) => substitute(each, meanings)) };
}
