/** Reading a source takes its time, and the same ones come again whenever anything around them changes. */
import { type FunctionFacts, readFunction } from './js-source.ts';

const known = new Map<string, FunctionFacts>();
const MAX_KNOWN = 2000;

export function factsOf(source: string): FunctionFacts {
  let facts = known.get(source);
  if (!facts) {
    facts = readFunction(source);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(source, facts);
  }
  return facts;
}
