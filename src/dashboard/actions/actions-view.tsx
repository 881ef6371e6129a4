/** The actions of an app: select one, fill it in, run it, see the proof. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type AppModel, useModel } from '../live/app-model.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionForm } from './action-form.tsx';
import { ActionList } from './action-list.tsx';
import { actionStoreOf, type Run } from './action-store.ts';
import { prepare } from './order.ts';
import { RunHistory } from './run-history.tsx';
import { RunResult } from './run-result.tsx';

export function ActionsView({ model }: { model: AppModel }) {
  const store = actionStoreOf(model);
  useModel(model);
  useModel(store);
  // On a narrow screen either the list or the selected action is shown.
  const [isOpen, setOpen] = useState(store.selected !== null);
  const detail = useRef<HTMLDivElement>(null);
  const [wantsFocus, setWantsFocus] = useState(false);
  useEffect(() => {
    if (!wantsFocus) return;
    setWantsFocus(false);
    detail.current?.querySelector<HTMLElement>('form input, form textarea, form select')?.focus();
  }, [wantsFocus]);

  const outcome = useRef<HTMLDivElement>(null);
  const [newest] = store.runs;
  // In one column the outcome is far below the form.
  useEffect(() => {
    if (newest && newest.id === store.shownRun) outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);

  if (!model.state)
    return <EmptyState title="No state yet">{model.problem !== null && <p>{model.problem}</p>}</EmptyState>;
  const { actions } = model.state;
  const names = Object.keys(actions);
  if (names.length === 0)
    return (
      <EmptyState title="No actions">
        <p>
          Nothing was found in this app that could be called.
          {model.values.size > 0 && ' Its state can be read all the same.'}
        </p>
      </EmptyState>
    );
  const selected = store.selected ?? names.sort()[0] ?? null;
  const schema = selected !== null && Object.hasOwn(actions, selected) ? actions[selected] : undefined;
  const run = store.runs.find(({ id }) => id === store.shownRun);

  const again = (past: Run) => {
    store.restore(past);
    const known = Object.hasOwn(actions, past.attempt.action) ? actions[past.attempt.action] : undefined;
    const order = known ? prepare(past.attempt, known).order : null;
    if (!known || !order) return;
    if (known.reversibility === 'irreversible_write') store.ask(true);
    else void store.run(past.attempt, order, model.values);
  };

  return (
    <div class="actions">
      <div class="actions-frame" data-open={isOpen}>
        <section class="actions-choose" aria-label="Choose an action">
          <ActionList
            actions={actions}
            search={store.search}
            selected={selected}
            onSearch={(text) => store.setSearch(text)}
            onSelect={(name) => store.select(name)}
            onOpen={(name) => {
              store.select(name);
              setOpen(true);
              setWantsFocus(true);
            }}
          />
        </section>
        <div class="actions-detail" ref={detail}>
          <Button class="actions-back" kind="quiet" onClick={() => setOpen(false)}>
            <Icon name="back" /> All actions
          </Button>
          {schema && selected !== null ? (
            <ActionForm key={selected} model={model} store={store} name={selected} schema={schema} />
          ) : (
            <EmptyState title="This action is gone">
              <p>The app has changed: choose another one.</p>
            </EmptyState>
          )}
        </div>
        <div class="actions-outcome" ref={outcome}>
          {run ? (
            <RunResult run={run} onCancel={() => store.cancel()} onAgain={() => again(run)} />
          ) : (
            <div class="actions-hint">
              <h3>No run yet</h3>
              <p>
                What comes of a run shows here: what was returned, whether Verify came true, and which keys changed.
              </p>
            </div>
          )}
          <RunHistory
            runs={store.runs}
            shown={store.shownRun}
            onShow={(past) => {
              store.show(past);
              setOpen(true);
            }}
          />
        </div>
      </div>
    </div>
  );
}
