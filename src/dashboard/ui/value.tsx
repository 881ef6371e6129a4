import type { Scalar } from '../../client/index.ts';
import { kindOf, REDACTED, valueText } from './value-text.ts';

const USUAL_LENGTH = 200;

/** A value of an app as plain text: coloured by its type, cut if it is long. */
export function Value({ value, limit = USUAL_LENGTH }: { value: Scalar | undefined; limit?: number }) {
  if (value === undefined) return <span class="ui-value ui-value-none">absent</span>;
  if (value === REDACTED)
    return (
      <span class="ui-value ui-value-redacted" title="Looks like a secret: the daemon does not give it out">
        redacted
      </span>
    );
  return <span class={`ui-value ui-value-${kindOf(value)}`}>{valueText(value, limit)}</span>;
}
