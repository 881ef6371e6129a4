import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { visible } from './value-text.ts';

export interface FieldProps {
  readonly label: string;
  /** Help for filling it in. */
  readonly hint?: string | undefined;
  /** The problem of its content. */
  readonly problem?: string | null | undefined;
  /** Gets the ids that connect the control to its label and texts. */
  readonly children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ComponentChildren;
}

/** A control with its label, a hint and a problem. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const textId = `${id}-text`;
  return (
    <div class="ui-field">
      <label for={id}>{visible(label)}</label>
      {children({ id, 'aria-describedby': textId, 'aria-invalid': Boolean(problem) })}
      <p id={textId} class={problem ? 'ui-field-problem' : 'ui-field-hint'}>
        {visible(problem || hint || '')}
      </p>
    </div>
  );
}
