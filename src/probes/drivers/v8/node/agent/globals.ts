/** Global variables of scripts, and their top-level declarations. */
import type { Reflecting } from './reflecting.ts';

/** Enumerable on the global object of Node or Deno, but no state. */
const RUNTIME_GLOBALS = new Set([
  '__dirname',
  '__filename',
  'global',
  'globalThis',
  'process',
  'console',
  'Buffer',
  'performance',
  'navigator',
  'crypto',
  'Deno',
  'caches',
  'self',
  'window',
  'name',
  'onerror',
  'onload',
  'onunload',
  'onbeforeunload',
  'onunhandledrejection',
]);

const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;

/** Returns the name, value and kind of each variable. */
export function readGlobals(reflector: Pick<Reflecting, 'globalLexicals'>): [string, unknown, string][] {
  const globals: [string, unknown, string][] = [];
  for (const name of getOwnPropertyNames(globalThis)) {
    const descriptor = getOwnPropertyDescriptor(globalThis, name);
    if (!descriptor?.enumerable || !('value' in descriptor) || RUNTIME_GLOBALS.has(name)) continue;
    globals.push([name, descriptor.value, 'global']);
  }
  for (const [name, value] of Object.entries(reflector.globalLexicals())) globals.push([name, value, 'script scope']);
  return globals;
}
