/** Keys with their old and new values, as a list that can be extended. */

import { useState } from 'preact/hooks';
import type { Scalar } from '../../client/index.ts';
import { Button } from '../ui/button.tsx';
import { grouped } from '../ui/grouped.ts';
import { Value } from '../ui/value.tsx';
import { visible } from '../ui/value-text.ts';

export interface ChangeRow {
  readonly path: string;
  /** Undefined if it did not exist. */
  readonly before: Scalar | undefined;
  /** Undefined if it no longer exists. */
  readonly after: Scalar | undefined;
}

const AT_ONCE = 100;
const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

export function ChangeRows({ rows, label }: { rows: readonly ChangeRow[]; label: string }) {
  const [shown, setShown] = useState(AT_ONCE);
  const rest = rows.length - shown;
  return (
    <>
      <ul class="changes-rows" aria-label={label}>
        {rows.slice(0, shown).map((row) => (
          <Row key={row.path} {...row} />
        ))}
      </ul>
      {rest > 0 && (
        <Button onClick={() => setShown(shown + 5 * AT_ONCE)}>
          Show {Math.min(rest, 5 * AT_ONCE)} more of {grouped(rest)}
        </Button>
      )}
    </>
  );
}

function Row({ path, before, after }: ChangeRow) {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return (
    <li class={`changes-row changes-row-${kind}`}>
      <span class="changes-sign" title={kind}>
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <span class="ui-hidden">{kind}: </span>
      </span>
      <span class="changes-path">{visible(path)}</span>
      <span class="changes-values">
        {before !== undefined && (
          <del>
            <Value value={before} />
          </del>
        )}
        {kind === 'changed' && (
          <span class="changes-arrow" role="img" aria-label="became">
            →
          </span>
        )}
        {after !== undefined && (
          <ins>
            <Value value={after} />
          </ins>
        )}
      </span>
    </li>
  );
}
