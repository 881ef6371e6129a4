import { SubstrateError } from '../model/errors.ts';
import { REPLACED, RESTART } from '../model/replaced-files.ts';
import type { Predicate } from '../semantic/predicate/predicate.ts';

/** The parser is a sixth of the daemon's code, so it is loaded with the first expression. */
export async function compileExpression(expression: string): Promise<Predicate> {
  const { compilePredicate } = await import('../semantic/predicate/predicate.ts').catch((cause: unknown) => {
    throw new SubstrateError('internal', `${REPLACED} ${RESTART}`, { cause });
  });
  return compilePredicate(expression);
}
