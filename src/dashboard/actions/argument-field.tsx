/** One parameter of an action, as a control for its type. */
import type { ActionParameter } from '../../client/index.ts';
import { Field } from '../ui/field.tsx';
import { visible } from '../ui/value-text.ts';
import { type Draft, type DraftKind, EMPTY_DRAFT, kindsOf } from './argument-drafts.ts';

const KIND_NAMES: Readonly<Record<DraftKind, string>> = {
  value: 'as typed',
  json: 'as JSON',
  empty: 'empty text',
  null: 'null',
};

export interface ArgumentFieldProps {
  readonly parameter: ActionParameter;
  readonly draft: Draft | undefined;
  readonly problem: string | undefined;
  readonly onEdit: (draft: Draft) => void;
}

export function ArgumentField({ parameter, draft = EMPTY_DRAFT, problem, onEdit }: ArgumentFieldProps) {
  const { name, type_name: type, required, description } = parameter;
  const kinds = kindsOf(parameter);
  const isJson = draft.kind === 'json' || (draft.kind === 'value' && (type === 'array' || type === 'object'));
  const isFixed = draft.kind === 'null' || draft.kind === 'empty';
  const placeholder = isFixed ? KIND_NAMES[draft.kind] : required ? '' : 'left out';
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) =>
    onEdit({ ...draft, text: currentTarget.value });
  return (
    <Field label={`${name} (${type}, ${required ? 'required' : 'optional'})`} hint={description} problem={problem}>
      {(ids) => (
        <div class="actions-control">
          {type === 'boolean' && draft.kind === 'value' ? (
            <select {...ids} class="ui-input" value={draft.text} onInput={onInput}>
              <option value="">{required ? 'choose' : 'left out'}</option>
              <option value="true">true</option>
              <option value="false">false</option>
            </select>
          ) : isJson ? (
            <textarea
              {...ids}
              class="ui-input actions-json"
              rows={3}
              spellcheck={false}
              placeholder={placeholder}
              value={draft.text}
              onInput={onInput}
            />
          ) : (
            <input
              {...ids}
              class="ui-input"
              type="text"
              autocomplete="off"
              spellcheck={false}
              inputMode={type === 'number' ? 'decimal' : 'text'}
              required={required && type !== 'string'}
              disabled={isFixed}
              placeholder={placeholder}
              value={isFixed ? '' : draft.text}
              onInput={onInput}
            />
          )}
          {kinds.length > 1 && (
            <select
              class="ui-input actions-kind"
              aria-label={`How ${visible(name)} is given`}
              value={draft.kind}
              onInput={({ currentTarget }) =>
                onEdit({ ...draft, kind: kinds.find((kind) => kind === currentTarget.value) ?? 'value' })
              }
            >
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {KIND_NAMES[kind]}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
    </Field>
  );
}
