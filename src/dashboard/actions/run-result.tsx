/** The outcome of one run, with the proof. */
import { useEffect, useReducer } from 'preact/hooks';
import { type ChangeRow, ChangeRows } from '../changes/change-rows.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Message } from '../ui/message.tsx';
import { visible } from '../ui/value-text.ts';
import type { Run } from './action-store.ts';
import type { ReportedResponse, Verdict } from './outcome.ts';

export const VERDICTS: Readonly<
  Record<Verdict, { readonly words: string; readonly tone: Tone; readonly icon: IconName }>
> = {
  success: { words: 'Success', tone: 'good', icon: 'active' },
  unverified: { words: 'Ran, but not verified', tone: 'warn', icon: 'error' },
  failed: { words: 'Failed in the app', tone: 'bad', icon: 'error' },
  refused: { words: 'Refused: nothing was done', tone: 'bad', icon: 'close' },
  unknown: { words: 'Not known whether it ran', tone: 'warn', icon: 'wait' },
};

export interface RunResultProps {
  readonly run: Run;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}

export function RunResult({ run, onCancel, onAgain }: RunResultProps) {
  const { attempt, ended, startedAt } = run;
  if (!ended)
    return (
      <section class="actions-result" aria-label="Result">
        <div class="actions-progress" role="status">
          <progress aria-label={`${visible(attempt.action)} runs`} />
          <span>
            {visible(attempt.action)} runs … <Elapsed since={startedAt} />
          </span>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </section>
    );
  const { verdict, message, code, advice, response } = ended.outcome;
  const { words, tone, icon } = VERDICTS[verdict];
  return (
    <section class={`actions-result actions-result-${tone}`} aria-label="Result">
      <div class="actions-verdict" role="status">
        <Icon name={icon} />
        <h3>{words}</h3>
        <span class="actions-took">{response ? response.total_latency_ms : ended.afterMs} ms</span>
      </div>
      {code !== null && <Badge tone="bad">{code}</Badge>}
      <Message text={message} />
      {advice !== null && <p class="actions-advice">{advice}</p>}
      {response && <Proof response={response} />}
      <Button onClick={onAgain}>Run again</Button>
    </section>
  );
}

function Proof({
  response: { verification, raw_return, changes, invocation_context },
}: {
  response: ReportedResponse;
}) {
  return (
    <>
      {verification && (
        <div class="actions-part">
          <h4>
            Verification{' '}
            <Badge tone={verification.passed ? 'good' : 'bad'}>{verification.passed ? 'passed' : 'failed'}</Badge>
          </h4>
          <code class="actions-code">{verification.expression}</code>
          <p class="actions-explanation">{verification.explanation}</p>
          <p class="actions-none">
            {verification.latency_ms} ms, looked {verification.poll_cycles}{' '}
            {verification.poll_cycles === 1 ? 'time' : 'times'}
          </p>
        </div>
      )}
      {raw_return !== null && <Json title="Returned" value={raw_return} />}
      {invocation_context !== null && <Json title="What ran" value={invocation_context} />}
      {changes && (
        <div class="actions-part">
          <h4>What changed</h4>
          <Delta rows={changes} />
        </div>
      )}
    </>
  );
}

function Delta({ rows }: { rows: readonly ChangeRow[] }) {
  return rows.length === 0 ? (
    <p class="actions-none">No key of the state.</p>
  ) : (
    <ChangeRows rows={rows} label="What the action changed" />
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <div class="actions-part">
      <h4>{title}</h4>
      <pre class="actions-code">{JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}

function Elapsed({ since }: { since: number }) {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => tick(undefined), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="actions-elapsed">{((Date.now() - since) / 1000).toFixed(1)} s</span>;
}
