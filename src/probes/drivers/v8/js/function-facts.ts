/** Parsing a source is slow, and the same sources come again whenever anything around them changes. */
import type { Accessor } from '../tree/accessors.ts';
import { type FunctionFacts, readFunction } from './js-source.ts';

const known = new Map<string, FunctionFacts>();
const MAX_KNOWN = 2000;

export function factsOf(source: string, accessors: readonly Accessor[]): FunctionFacts {
  const key = accessors.length === 0 ? source : JSON.stringify([source, accessors]);
  let facts = known.get(key);
  if (!facts) {
    facts = readFunction(source, accessors);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, facts);
  }
  return facts;
}
