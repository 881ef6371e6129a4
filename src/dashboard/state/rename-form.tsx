/** Gives a key a better name, which the daemon keeps for this app. */
import { useState } from 'preact/hooks';
import type { Scalar } from '../../client/index.ts';
import type { LiveApp } from '../live/live-app.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { messageOf } from '../ui/message-of.ts';
import { toast } from '../ui/toast.tsx';

export interface RenameFormProps {
  readonly app: LiveApp;
  readonly path: string;
  readonly value: Scalar;
  /** The next state already has the new name. */
  readonly onRenamed: (label: string) => void;
}

export function RenameForm({ app, path, value, onRenamed }: RenameFormProps) {
  const [label, setLabel] = useState(path);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const wanted = label.trim();
    setSending(true);
    const answer = await teach(app, path, wanted, value);
    setSending(false);
    setProblem(answer.isGood ? null : answer.text);
    if (!answer.isGood) return;
    toast(answer.text);
    onRenamed(wanted);
  };
  return (
    <form class="state-rename" onSubmit={(event) => void submit(event)}>
      <Field label="Correct name" hint="Kept for this app, for all elements of a list alike." problem={problem}>
        {(ids) => (
          <input
            {...ids}
            class="ui-input ui-mono"
            spellcheck={false}
            autocomplete="off"
            value={label}
            onInput={(event) => {
              setLabel(event.currentTarget.value);
              setProblem(null);
            }}
          />
        )}
      </Field>
      <Button type="submit" disabled={isSending || label.trim() === '' || label.trim() === path}>
        {isSending ? 'Saving…' : 'Save the name'}
      </Button>
    </form>
  );
}

async function teach(
  app: LiveApp,
  path: string,
  label: string,
  value: Scalar,
): Promise<{ text: string; isGood: boolean }> {
  if (app.state === null) return { text: 'There is no state to correct.', isGood: false };
  try {
    const correction = {
      observed_key: path,
      correct_label: label,
      correct_type: value === null ? 'string' : typeof value,
    };
    const { accepted, message } = await app.substrate.learn(app.pid, app.state, [correction], {
      feedbackType: 'label_correction',
    });
    if (accepted > 0) await app.refresh();
    return { text: message, isGood: accepted > 0 };
  } catch (error) {
    return { text: messageOf(error), isGood: false };
  }
}
