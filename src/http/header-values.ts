import type { IncomingMessage } from 'node:http';

const NONE: readonly string[] = [];

/** Each value as received: Node joins or drops some repeated headers. `name` is in lower case. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  let found: string[] | null = null;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? '';
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    found ??= [];
    found.push(rawHeaders[at + 1] ?? '');
  }
  return found ?? NONE;
}
