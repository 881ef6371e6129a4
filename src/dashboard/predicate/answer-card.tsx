/** One answer: true or false and why, or the error in the expression and its position. */
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { Message } from '../ui/message.tsx';
import { type Answer, wordFor } from './answer.ts';

const ICONS = { good: 'active', bad: 'close', warn: 'error' } as const;

export function AnswerCard({ expression, answer }: { expression: string; answer: Answer }) {
  const { word, tone } = wordFor(answer);
  return (
    <section class={`predicate-answer predicate-tone-${tone}`} aria-label="Answer">
      <div class="predicate-verdict" role="status">
        <Icon name={ICONS[tone]} />
        <strong>{word}</strong>
        {answer.kind === 'answered' && <span class="predicate-took">{answer.response.latency_ms} ms</span>}
      </div>
      {answer.kind === 'answered' ? (
        <>
          <code class="predicate-code">{expression}</code>
          <p class="predicate-explanation">{answer.response.explanation}</p>
          <dl class="predicate-facts">
            <dt>Value</dt>
            <dd>
              <code>{JSON.stringify(answer.response.computed_value, null, 2)}</code>
            </dd>
            {'actual_value' in answer.response && (
              <>
                <dt>Key it is about</dt>
                <dd>
                  <code>{JSON.stringify(answer.response.actual_value)}</code>
                </dd>
              </>
            )}
            <dt>Looked</dt>
            <dd>
              {answer.response.poll_cycles} {answer.response.poll_cycles === 1 ? 'time' : 'times'}
            </dd>
          </dl>
        </>
      ) : (
        <>
          <Message text={answer.message} />
          <p class="predicate-explanation">
            {answer.code !== null && <Badge tone="warn">{answer.code}</Badge>} {answer.advice}
          </p>
        </>
      )}
    </section>
  );
}
