/** The keys of the state that an expression mentions. */
import type { Scalar } from '../../client/index.ts';

const ENOUGH = 8;
const QUOTED_KEY = /\bstate\[("(?:[^"\\]|\\.)*")\]/g;
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const PATH = /[\p{L}_$][\p{L}\p{N}_$]*(?:\??\.[\p{L}_$][\p{L}\p{N}_$]*|(?:\?\.)?\[\d+\])*/gu;

export function mentionedKeys(expression: string, values: ReadonlyMap<string, Scalar>): string[] {
  const found = new Set<string>();
  for (const [, quoted = ''] of expression.matchAll(QUOTED_KEY)) {
    const key = parsed(quoted);
    if (key !== null && values.has(key)) found.add(key);
  }
  for (const [path] of expression.replace(TEXT, '""').matchAll(PATH)) {
    const key = longestKey(path.replaceAll('?.[', '[').replaceAll('?.', '.'), values);
    if (key !== null) found.add(key);
  }
  return [...found].slice(0, ENOUGH);
}

/** `user.name.length` mentions `user.name` if the state has no such key itself. */
function longestKey(path: string, values: ReadonlyMap<string, Scalar>): string | null {
  for (let key = path; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('.'))))
    if (values.has(key)) return key;
  return null;
}

function parsed(quoted: string): string | null {
  try {
    const key: unknown = JSON.parse(quoted);
    return typeof key === 'string' ? key : null;
  } catch {
    // Not a complete string yet: somebody is typing.
    return null;
  }
}
