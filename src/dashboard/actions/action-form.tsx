/** The form of an action: its parameters, its gates, and the button that runs it. */

import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ActionSchema } from '../../client/index.ts';
import type { AppModel } from '../live/app-model.ts';
import { exampleFor } from '../predicate/examples.ts';
import { ExpressionField } from '../predicate/expression-field.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { visible } from '../ui/value-text.ts';
import type { ActionStore } from './action-store.ts';
import { ArgumentField } from './argument-field.tsx';
import { Gates } from './gate-list.tsx';
import { kindOf } from './kind-words.ts';
import { prepare } from './order.ts';

export interface ActionFormProps {
  readonly model: AppModel;
  readonly store: ActionStore;
  readonly name: string;
  readonly schema: ActionSchema;
}

export function ActionForm({ model, store, name, schema }: ActionFormProps) {
  const attempt = store.attemptOf(name);
  const { gates, problems, timeoutProblem, order } = prepare(attempt, schema);
  const isFinal = schema.reversibility === 'irreversible_write';
  const kind = kindOf(schema);
  const suggested = useMemo(() => exampleFor(name, model.values), [model, name, model.values.size]);
  const press = () => {
    if (!order || store.running) return;
    if (isFinal && !store.isAsking) store.ask(true);
    else void store.run(attempt, order, model.values);
  };
  return (
    <form
      class="actions-form"
      aria-label={visible(name)}
      onSubmit={(event) => {
        event.preventDefault();
        press();
      }}
      noValidate
    >
      <header class="actions-head">
        <h2>{visible(name)}</h2>
        <Badge tone={kind.tone}>{kind.word}</Badge>
        <Badge title="How sure the daemon is of what it says about this action">
          confidence {schema.confidence.toFixed(2)}
        </Badge>
        <code class="actions-signature">{visible(schema.signature)}</code>
        <p class="actions-description">{visible(schema.description)}</p>
      </header>
      {schema.parameters.map((parameter) => (
        <ArgumentField
          key={parameter.name}
          parameter={parameter}
          draft={Object.hasOwn(attempt.drafts, parameter.name) ? attempt.drafts[parameter.name] : undefined}
          problem={Object.hasOwn(attempt.drafts, parameter.name) ? problems[parameter.name] : undefined}
          onEdit={(draft) => store.editDraft(name, parameter.name, draft)}
        />
      ))}
      {schema.parameters.length === 0 && <p class="actions-none">It takes no parameters.</p>}
      <Field
        label={`Verify (expression, ${isFinal ? 'required' : 'optional'})`}
        hint="What must be true of the state afterwards."
      >
        {(ids) => (
          <ExpressionField
            id={ids.id}
            describedBy={ids['aria-describedby']}
            value={attempt.verify}
            placeholder={suggested === undefined ? '' : `such as ${suggested}`}
            keys={() => model.values.keys()}
            onInput={(verify) => store.edit(name, { verify })}
            onSubmit={press}
          />
        )}
      </Field>
      <div class="actions-options">
        <Field label="Wait for it at most (ms)" problem={timeoutProblem}>
          {(ids) => (
            <input
              {...ids}
              class="ui-input"
              type="text"
              inputMode="numeric"
              value={attempt.timeoutText}
              onInput={({ currentTarget }) => store.edit(name, { timeoutText: currentTarget.value })}
            />
          )}
        </Field>
        <label class="actions-check" title="The state is read anew before the app is touched">
          <input
            type="checkbox"
            checked={attempt.looksBefore}
            onInput={({ currentTarget }) => store.edit(name, { looksBefore: currentTarget.checked })}
          />
          Look again before it runs
        </label>
      </div>
      <Gates gates={gates} />
      {store.isAsking && order ? (
        <Confirm name={name} onConfirm={press} onCancel={() => store.ask(false)} />
      ) : (
        <div class="actions-press">
          <Button type="submit" kind={isFinal ? 'danger' : 'main'} disabled={!order || store.running !== null}>
            {isFinal ? 'Run…' : 'Run'}
          </Button>
          {!order && <span class="actions-none">{missing(problems, timeoutProblem)}</span>}
        </div>
      )}
    </form>
  );
}

function missing(problems: Readonly<Record<string, string>>, timeoutProblem: string | null): string {
  const names = [...Object.keys(problems), ...(timeoutProblem === null ? [] : ['the waiting time'])];
  return names.length > 0 ? `Still to be put right: ${names.join(', ')}.` : 'See above what is needed.';
}

function Confirm({ name, onConfirm, onCancel }: { name: string; onConfirm: () => void; onCancel: () => void }) {
  const region = useRef<HTMLFieldSetElement>(null);
  useEffect(() => region.current?.querySelector('button')?.focus(), []);
  return (
    <fieldset
      ref={region}
      class="actions-confirm"
      onKeyDown={(event) => {
        // The repeat of a held key is no second press.
        if (event.repeat) event.preventDefault();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <legend>{visible(name)} cannot be undone</legend>
      <Button kind="danger" onClick={onConfirm}>
        Yes, run it
      </Button>
      <Button onClick={onCancel}>Do not run it</Button>
    </fieldset>
  );
}
