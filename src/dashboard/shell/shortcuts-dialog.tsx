import type { RefObject } from 'preact';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { SHORTCUTS } from './keyboard.ts';

export function ShortcutsDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} class="shell-dialog" aria-labelledby="shortcuts-title">
      <header>
        <h2 id="shortcuts-title">Keys</h2>
        <Button kind="quiet" label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </Button>
      </header>
      <dl class="shell-shortcuts">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
