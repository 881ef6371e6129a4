/** The last runs of this page, newest first. */
import { clockTime } from '../changes/clock.ts';
import { Icon } from '../ui/icon.tsx';
import { visible } from '../ui/value-text.ts';
import type { Run } from './action-store.ts';
import { VERDICTS } from './run-result.tsx';

export interface RunHistoryProps {
  readonly runs: readonly Run[];
  readonly shown: number | null;
  readonly onShow: (run: Run) => void;
}

export function RunHistory({ runs, shown, onShow }: RunHistoryProps) {
  if (runs.length === 0) return null;
  return (
    <section class="actions-history" aria-label="Runs of this page">
      <h3>Runs of this page</h3>
      <ul>
        {runs.map((run) => {
          const verdict = run.ended ? VERDICTS[run.ended.outcome.verdict] : null;
          return (
            <li key={run.id}>
              <button
                type="button"
                class="actions-past"
                aria-current={run.id === shown ? 'true' : undefined}
                onClick={() => onShow(run)}
              >
                <span class={`actions-past-verdict actions-tone-${verdict?.tone ?? 'neutral'}`}>
                  <Icon name={verdict?.icon ?? 'wait'} />
                </span>
                <span class="actions-past-text">
                  <span class="actions-name">{visible(run.attempt.action)}</span>
                  <span class="actions-none">
                    {verdict?.words ?? 'runs'} · {clockTime(run.startedAt)}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
