/** A console for expressions over the state: check once, wait until true, or keep watching. */
import { useEffect, useId, useMemo } from 'preact/hooks';
import { clockTime } from '../changes/clock.ts';
import { type AppModel, useModel } from '../live/app-model.ts';
import { givenBy, linkToKey } from '../shell/route.ts';
import { Button } from '../ui/button.tsx';
import { Value } from '../ui/value.tsx';
import { wordFor } from './answer.ts';
import { AnswerCard } from './answer-card.tsx';
import { examples } from './examples.ts';
import { ExpressionField } from './expression-field.tsx';
import { Forms } from './forms.tsx';
import { mentionedKeys } from './mentioned-keys.ts';
import { type PredicateStore, predicateStoreOf } from './predicate-store.ts';
import { useLiveAnswer } from './use-live-answer.ts';
import { readWaitingTime, WAITING_TIME } from './waiting-time.ts';

export function PredicateView({ model }: { model: AppModel }) {
  const store = predicateStoreOf(model);
  useModel(model);
  useModel(store);
  usePrefill(store);
  const id = useId();
  const { text, askedAt, checks } = store;
  const live = useLiveAnswer(model, text, store.isLive);
  const suggested = useMemo(() => examples(model.values), [model, model.values.size]);
  const mentioned = mentionedKeys(text, model.values);
  const timeoutMs = readWaitingTime(store.timeoutText);
  const isReady = text.trim() !== '' && askedAt === null;
  const [latest] = checks;
  return (
    <div class="predicate">
      <div class="predicate-main">
        <div class="predicate-console">
          <div class="predicate-label">
            <label for={id}>Expression over the state</label>
            <LiveLight answer={live} isOn={store.isLive} />
          </div>
          <ExpressionField
            id={id}
            describedBy={`${id}-hint`}
            rows={2}
            value={text}
            placeholder={suggested[0] ?? 'cart.total > 5'}
            keys={() => model.values.keys()}
            onInput={(typed) => store.type(typed)}
            onSubmit={() => void store.check()}
            onHistory={(direction) => store.recall(direction)}
          />
          <p id={`${id}-hint`} class="predicate-hint">
            Enter checks, Shift+Enter makes a new line, ↑ and ↓ bring back earlier ones.
          </p>
          <div class="predicate-bar">
            <Button kind="main" disabled={!isReady} onClick={() => void store.check()}>
              Check now
            </Button>
            <span class="predicate-wait">
              <Button
                disabled={!isReady || timeoutMs === null}
                onClick={() => void store.check(timeoutMs ?? undefined)}
              >
                Wait until true
              </Button>
              <label for={`${id}-timeout`}>at most</label>
              <input
                id={`${id}-timeout`}
                class="ui-input predicate-timeout"
                type="text"
                inputMode="numeric"
                value={store.timeoutText}
                aria-invalid={timeoutMs === null}
                title={`It is ${WAITING_TIME}`}
                onInput={({ currentTarget }) => store.setTimeoutText(currentTarget.value)}
              />
              ms
            </span>
            <label class="predicate-live">
              <input
                type="checkbox"
                checked={store.isLive}
                onInput={({ currentTarget }) => store.setLive(currentTarget.checked)}
              />
              Live: check at each change
            </label>
          </div>
          {timeoutMs === null && (
            <p class="ui-field-problem" role="alert">
              The waiting time must be {WAITING_TIME}.
            </p>
          )}
        </div>
        {askedAt !== null && (
          <div class="predicate-progress" role="status">
            <progress aria-label="Waiting for the answer" />
            <span>Waiting …</span>
            <Button onClick={() => store.cancel()}>Cancel</Button>
          </div>
        )}
        {store.isLive && live ? (
          <AnswerCard expression={text} answer={live} />
        ) : (
          latest && <AnswerCard key={latest.id} expression={latest.expression} answer={latest.answer} />
        )}
        {!latest && !live && <Forms />}
      </div>
      <div class="predicate-side">
        {mentioned.length > 0 && (
          <section aria-label="Keys in the expression">
            <h3>Keys in the expression</h3>
            <dl class="predicate-keys">
              {mentioned.map((key) => (
                <div key={key}>
                  <dt>
                    <a href={linkToKey(model.pid, key)}>{key}</a>
                  </dt>
                  <dd>
                    <Value value={model.values.get(key)} limit={80} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        {suggested.length > 0 && (
          <section aria-label="Examples">
            <h3>Examples of this app</h3>
            <Expressions
              list={suggested.map((expression) => ({ id: expression, expression, note: null }))}
              store={store}
            />
          </section>
        )}
        {checks.length > 0 && (
          <section aria-label="Checks of this page">
            <h3>Checks of this page</h3>
            <Expressions
              list={checks.map(({ id: number, expression, answer, at }) => ({
                id: String(number),
                expression,
                note: `${wordFor(answer).word} · ${clockTime(at)}`,
              }))}
              store={store}
            />
          </section>
        )}
      </div>
    </div>
  );
}

function LiveLight({ answer, isOn }: { answer: ReturnType<typeof useLiveAnswer>; isOn: boolean }) {
  if (!isOn) return null;
  const { word, tone } = answer ? wordFor(answer) : { word: 'Waiting', tone: 'none' };
  return (
    <span class={`predicate-light predicate-tone-${tone}`}>
      <span class="predicate-dot" aria-hidden="true" />
      Live: {word}
    </span>
  );
}

interface Listed {
  readonly id: string;
  readonly expression: string;
  readonly note: string | null;
}

function Expressions({ list, store }: { list: readonly Listed[]; store: PredicateStore }) {
  return (
    <ul class="predicate-list">
      {list.map(({ id, expression, note }) => (
        <li key={id}>
          <button type="button" title="Put it into the field" onClick={() => store.type(expression)}>
            <code>{expression}</code>
            {note !== null && <span class="predicate-note">{note}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The link may bring an expression. */
function usePrefill(store: PredicateStore): void {
  useEffect(() => {
    const take = () => {
      const given = givenBy(location.hash, 'expression');
      if (given !== null) store.type(given);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, [store]);
}
