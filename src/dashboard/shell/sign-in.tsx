import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Logo } from './logo.tsx';

export interface SignInProps {
  /** Why the last key was refused. */
  readonly reason: string | null;
  readonly onKey: (key: string) => void;
}

export function SignIn({ reason, onKey }: SignInProps) {
  const [key, setKey] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (key.trim() !== '') onKey(key.trim());
  };
  return (
    <main class="shell-sign-in">
      <form class="shell-card" onSubmit={submit}>
        <h1>
          <Logo /> substrate
        </h1>
        <p>
          This page shows the state of the apps on this computer, so it needs an API key. <code>substrate up</code>{' '}
          prints a link that gives it one; <code>substrate keygen</code> makes one to paste here.
        </p>
        {reason !== null && (
          <p class="shell-refused" role="alert">
            {reason}
          </p>
        )}
        <Field label="API key" hint="It is not kept: the page gets one of its own for it.">
          {(ids) => (
            <input
              {...ids}
              class="ui-input"
              type="password"
              autocomplete="off"
              spellcheck={false}
              placeholder="sk_…"
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="main" disabled={key.trim() === ''}>
          Open
        </Button>
      </form>
    </main>
  );
}
