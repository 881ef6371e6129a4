/**
 * Paths of state keys: `cart.items[0].name`, `rates["odd key"].double`. A segment is a name (string) or an array index
 * (number). `parsePath` reads back exactly what `formatPath` writes, and also reads names that are quoted without need.
 */
export type Segment = string | number;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function joinPath(path: string, segment: Segment): string {
  if (typeof segment === 'number') return `${path}[${segment}]`;
  if (!IDENTIFIER.test(segment)) return `${path}[${JSON.stringify(segment)}]`;
  return path === '' ? segment : `${path}.${segment}`;
}

export function formatPath(segments: readonly Segment[]): string {
  return segments.reduce<string>(joinPath, '');
}

const TOKEN = /(?:^|(?!^)\.)([A-Za-z_$][\w$]*)|\[(0|[1-9]\d{0,14})\]|\[("(?:[^"\\]|\\.)*")\]/y;

/** Null if it is no path. */
export function parsePath(path: string): Segment[] | null {
  const segments: Segment[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < path.length) {
    const match = TOKEN.exec(path);
    if (match === null) return null;
    if (match[1] !== undefined) segments.push(match[1]);
    else if (match[2] !== undefined) segments.push(Number(match[2]));
    else {
      const name = parseQuoted(match[3] ?? '');
      if (name === null) return null;
      segments.push(name);
    }
  }
  return segments.length === 0 ? null : segments;
}

const NEEDS_JSON = /[\\\p{Cc}]/u;

function parseQuoted(text: string): string | null {
  // A fast path: most names have no escapes, and a state may have very many names.
  if (!NEEDS_JSON.test(text)) return text.slice(1, -1);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    // Not a quoted name: the caller treats it as plain text.
    return null;
  }
}

/** The path with each index written `[*]`, which all elements of an array have in common. */
export function pathPattern(path: string): string {
  if (!/\[\d/.test(path)) return path;
  if (!path.includes('"')) return path.replace(/\[\d+\]/g, '[*]');
  // The pattern lets an unclosed quote reach to the end, so that it is searched once, not again from each later quote.
  return path.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\[\d+\]/g, (token) => (token[0] === '"' ? token : '[*]'));
}
