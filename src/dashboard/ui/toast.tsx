/** Short messages at the edge of the page that need no answer. */
import { useEffect, useState } from 'preact/hooks';
import { visible } from './value-text.ts';

export interface ToastMessage {
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

/** Long enough to read it. */
const SHOWN_MS = 3000;
const MS_PER_LETTER = 50;
let show: (message: ToastMessage) => void = () => {};

export function toast(text: string, tone: ToastMessage['tone'] = 'good'): void {
  show({ text, tone });
}

/** Rendered once in the page. */
export function Toasts() {
  const [message, setMessage] = useState<ToastMessage | null>(null);
  useEffect(() => {
    show = setMessage;
    return () => {
      show = () => {};
    };
  }, []);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setMessage(null), SHOWN_MS + MS_PER_LETTER * message.text.length);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div class="ui-toasts" role="status">
      {message && <p class={`ui-toast ui-toast-${message.tone}`}>{visible(message.text)}</p>}
    </div>
  );
}
