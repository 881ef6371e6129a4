import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { emailSent } from './store.js';

const EMPTY = { recipient: '', subject: '', body: '' };

export function ComposeForm() {
  const dispatch = useDispatch();
  const [draft, setDraft] = useState(EMPTY);
  const change = ({ target }) => setDraft({ ...draft, [target.name]: target.value });
  const send = (event) => {
    event.preventDefault();
    dispatch(emailSent(draft));
    setDraft(EMPTY);
  };
  return (
    <form id="compose" aria-label="Compose" onSubmit={send}>
      <label>
        Recipient <input name="recipient" type="email" required value={draft.recipient} onChange={change} />
      </label>
      <label>
        Subject <input name="subject" value={draft.subject} onChange={change} />
      </label>
      <label>
        Body <textarea name="body" value={draft.body} onChange={change} />
      </label>
      <button type="submit">Send</button>
    </form>
  );
}
