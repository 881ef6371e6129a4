/** A field for an expression over the state, with completion of keys. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Completion, completions } from './completions.ts';

export interface ExpressionFieldProps {
  readonly id: string;
  readonly describedBy?: string;
  readonly isInvalid?: boolean;
  readonly value: string;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly keys: () => Iterable<string>;
  readonly onInput: (text: string) => void;
  /** Enter; Shift+Enter inserts a new line. */
  readonly onSubmit?: () => void;
  /** Up on the first line, down on the last. */
  readonly onHistory?: (direction: -1 | 1) => void;
}

export function ExpressionField(props: ExpressionFieldProps) {
  const { id, value, onInput, onSubmit, onHistory } = props;
  const listId = `${useId()}-keys`;
  const field = useRef<HTMLTextAreaElement>(null);
  const [offered, setOffered] = useState<readonly Completion[]>([]);
  const [active, setActive] = useState(-1);
  const caret = useRef<number | null>(null);
  const close = () => {
    setOffered([]);
    setActive(-1);
  };
  const accept = (completion: Completion) => {
    caret.current = completion.caret;
    onInput(completion.text);
    close();
    field.current?.focus();
  };
  // The caret can be placed only after the new text is in the field.
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);

  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    const { currentTarget: target } = event;
    const chosen = offered[active];
    const isHandled = (): boolean => {
      switch (event.key) {
        case 'Escape':
          if (offered.length === 0) return false;
          close();
          return true;
        case 'ArrowDown':
        case 'ArrowUp': {
          const step = event.key === 'ArrowDown' ? 1 : -1;
          if (offered.length > 0) {
            setActive(Math.max(-1, Math.min(offered.length - 1, active + step)));
            return true;
          }
          const beside =
            step < 0 ? value.slice(0, target.selectionStart ?? 0) : value.slice(target.selectionEnd ?? value.length);
          if (!onHistory || beside.includes('\n')) return false;
          onHistory(step);
          return true;
        }
        case 'Tab':
          if (chosen) accept(chosen);
          else close();
          return chosen !== undefined;
        case 'Enter':
          if (chosen) accept(chosen);
          else if (event.shiftKey || !onSubmit) return false;
          else {
            close();
            if (!event.repeat) onSubmit();
          }
          return true;
        default:
          return false;
      }
    };
    if (!isHandled()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="predicate-expression">
      <textarea
        ref={field}
        id={id}
        class="ui-input predicate-input"
        rows={props.rows ?? 1}
        value={value}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-describedby={props.describedBy}
        aria-invalid={props.isInvalid}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? listId : undefined}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        onInput={({ currentTarget }) => {
          onInput(currentTarget.value);
          setOffered(completions(currentTarget.value, currentTarget.selectionStart ?? 0, props.keys()));
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {offered.length > 0 && (
        <div class="predicate-offers" id={listId} role="listbox" aria-label="Keys of the state">
          {offered.map((completion, at) => (
            <div
              key={completion.key}
              id={`${listId}-${at}`}
              class="predicate-offer"
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              // Before the field loses the focus, which would close the list.
              onPointerDown={(event) => {
                event.preventDefault();
                accept(completion);
              }}
            >
              {completion.key}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
