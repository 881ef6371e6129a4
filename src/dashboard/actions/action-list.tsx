/** The actions of an app, to search and to choose from. */
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ActionSchema } from '../../client/index.ts';
import { matcherFor } from '../state/search.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { grouped } from '../ui/grouped.ts';
import { visible } from '../ui/value-text.ts';
import { kindOf } from './kind-words.ts';

const AT_ONCE = 100;

export interface ActionListProps {
  readonly actions: Readonly<Record<string, ActionSchema>>;
  readonly search: string;
  readonly selected: string | null;
  readonly onSearch: (text: string) => void;
  readonly onSelect: (name: string) => void;
  /** Called when an action is selected. */
  readonly onOpen: (name: string) => void;
}

export function ActionList({ actions, search, selected, onSearch, onSelect, onOpen }: ActionListProps) {
  const [shown, setShown] = useState(AT_ONCE);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => {
    const fits = matcherFor(search, false);
    const names = Object.keys(actions).sort();
    return fits ? names.filter((name) => fits(name, undefined)) : names;
  }, [actions, search]);
  const names = found.slice(0, shown);
  const at = selected === null ? -1 : names.indexOf(selected);

  const move = (to: number) => {
    const name = names[Math.max(0, Math.min(names.length - 1, to))];
    if (name === undefined) return;
    onSelect(name);
    list.current?.children[names.indexOf(name)]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown' || event.key === 'j') move(at + 1);
    else if (event.key === 'ArrowUp' || event.key === 'k') move(at - 1);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(names.length - 1);
    else if (event.key === 'Enter' && selected !== null) onOpen(selected);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div class="actions-search">
        <label class="ui-hidden" for={`${id}-search`}>
          Search the actions
        </label>
        <input
          id={`${id}-search`}
          class="ui-input"
          type="search"
          placeholder="Search the actions"
          value={search}
          onInput={({ currentTarget }) => {
            setShown(AT_ONCE);
            onSearch(currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            event.preventDefault();
            list.current?.focus();
            if (at < 0) move(0);
          }}
        />
        <span class="actions-count">
          {grouped(found.length)} {found.length === 1 ? 'action' : 'actions'}
        </span>
      </div>
      <div
        ref={list}
        class="actions-list"
        role="listbox"
        aria-label="Actions"
        tabIndex={0}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
      >
        {names.map((name, index) => (
          <Option
            key={name}
            id={`${id}-${index}`}
            name={name}
            schema={actions[name]}
            isSelected={index === at}
            onClick={() => onOpen(name)}
          />
        ))}
      </div>
      {found.length > shown && (
        <Button onClick={() => setShown(shown + 5 * AT_ONCE)}>Show more of {grouped(found.length - shown)}</Button>
      )}
      {found.length === 0 && <p class="actions-none">No action has such a name.</p>}
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly name: string;
  readonly schema: ActionSchema | undefined;
  readonly isSelected: boolean;
  readonly onClick: () => void;
}

function Option({ id, name, schema, isSelected, onClick }: OptionProps) {
  const kind = schema ? kindOf(schema) : null;
  return (
    // The list handles the keys for all of its options.
    <div
      id={id}
      class="actions-option"
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      onClick={onClick}
      onKeyDown={undefined}
    >
      <span class="actions-name">{visible(name)}</span>
      <span class="actions-about">
        {kind && <Badge tone={kind.tone}>{kind.word}</Badge>}
        {schema && <span class="actions-description">{visible(schema.description)}</span>}
      </span>
    </div>
  );
}
