import { EvaluationError } from './evaluation-error.ts';
import { shortened } from './shortened.ts';

/** The TypeError of JavaScript for `undefined.name`, with the advice that usually helps. */
export function cannotRead(object: undefined | null, name: string, text: string): EvaluationError {
  return new EvaluationError(
    `TypeError: cannot read ${JSON.stringify(shortened(name))} of ${text}, which is ${object} (write ?. if it may be absent)`,
  );
}
