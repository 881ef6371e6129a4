/** The gates of an action: which are open, and how to open the others. */
import { Icon } from '../ui/icon.tsx';
import type { Gate } from './gates.ts';

export function Gates({ gates }: { gates: readonly Gate[] }) {
  return (
    <ul class="actions-gates" aria-label="Gates">
      {gates.map(({ name, isOpen, text, remedy }) => (
        <li key={name} class={isOpen ? 'actions-gate-open' : 'actions-gate-closed'}>
          <Icon name={isOpen ? 'active' : 'error'} />
          <span>
            <span class={isOpen ? 'ui-hidden' : ''}>{isOpen ? 'Open' : 'Closed'}: </span>
            {text}
            {remedy !== null && <span class="actions-remedy">. {remedy}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
