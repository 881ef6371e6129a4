/** One key: its complete value, its earlier values, and its actions. */
import { clockTime } from '../changes/clock.ts';
import { pinsOf } from '../charts/pins.ts';
import { togglePin } from '../charts/toggle-pin.ts';
import { useModel } from '../live/app-model.ts';
import { linkToPredicate } from '../shell/route.ts';
import { ageOf } from '../ui/age.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { grouped } from '../ui/grouped.ts';
import { Icon } from '../ui/icon.tsx';
import { Value } from '../ui/value.tsx';
import { lengthOf, valueText, visible } from '../ui/value-text.ts';
import { RenameForm } from './rename-form.tsx';
import type { StateBrowser } from './state-browser.ts';

/** A longer value can be copied, but is not shown in full. */
const MAX_SHOWN = 20_000;

export function KeyDetails({ browser, path }: { browser: StateBrowser; path: string }) {
  const { app } = browser;
  const pins = pinsOf(app);
  useModel(pins);
  const value = app.values.get(path);
  const change = app.changes.get(path);
  const length = typeof value === 'string' ? value.length : 0;
  const close = () => {
    browser.select(null);
    // The focused element is gone, so the focus returns to the tree.
    document.querySelector<HTMLElement>('.state-tree')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    close();
  };
  return (
    <section class="state-details" aria-label="Details of the key" onKeyDown={onKeyDown}>
      <header>
        <h2>{visible(path)}</h2>
        <Button kind="quiet" label="Close the details" onClick={close}>
          <Icon name="close" />
        </Button>
      </header>
      <pre class="state-whole">
        <Value value={value} limit={MAX_SHOWN} />
      </pre>
      <p class="state-facts">
        {value === undefined ? 'gone' : typeOf(value)}
        {typeof value === 'string' && value !== '' && `, ${lengthOf(value)}`}
        {length > MAX_SHOWN && ` (the first ${grouped(MAX_SHOWN)} are shown)`}
      </p>
      <p class="state-buttons">
        <Button onClick={() => void copyText(path, 'Key')}>
          <Icon name="copy" /> Copy key
        </Button>
        <Button disabled={value === undefined} onClick={() => void copyText(plain(value), 'Value')}>
          <Icon name="copy" /> Copy value
        </Button>
        <Button pressed={pins.has(path)} onClick={() => togglePin(pins, path)}>
          <Icon name="pin" /> {pins.has(path) ? 'Pinned' : 'Pin to charts'}
        </Button>
        {value !== undefined && (
          <a class="ui-button ui-button-plain" href={linkToPredicate(app.pid, `${path} === ${literal(value)}`)}>
            Use in predicate
          </a>
        )}
      </p>
      <h3>Last change</h3>
      {change ? (
        <div class="state-change">
          <p class="state-facts">
            {clockTime(change.atMs)} ({ageOf(change.atMs)})
          </p>
          <p>
            <span>before</span> <Value value={change.before} />
          </p>
          <p>
            <span>after</span> <Value value={change.after} />
          </p>
        </div>
      ) : (
        <p class="state-facts">None since this page was opened.</p>
      )}
      {value !== undefined && (
        <RenameForm
          app={app}
          path={path}
          value={value}
          onRenamed={(label) => app.values.has(label) && browser.reveal(label)}
        />
      )}
    </section>
  );
}

function typeOf(value: string | number | boolean | null): string {
  return value === null ? 'null' : typeof value;
}

/** The value in the syntax of predicates. A long text would not fit into one. */
function literal(value: string | number | boolean | null): string {
  return valueText(typeof value === 'string' ? value.slice(0, 200) : value);
}

function plain(value: string | number | boolean | null | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
