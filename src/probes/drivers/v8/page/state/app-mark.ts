/** Several apps can share one site: the address of its first script distinguishes them, whatever the route. */
import { toIdentifier } from './naming.ts';
import { attempt } from './safe.ts';

const MAX_MARK = 40;

export function appMark(): string {
  const path = attempt(() => firstScript());
  // Hashes of a build change with each version.
  return path ? `_${toIdentifier(path.replace(/[.-][0-9a-zA-Z_]{8,}(?=\.)/g, ''))}`.slice(0, MAX_MARK) : '';
}

function firstScript(): string | null {
  for (const { src } of document.scripts) {
    if (src !== '' && new URL(src).origin === location.origin) return new URL(src).pathname;
  }
  return null;
}
