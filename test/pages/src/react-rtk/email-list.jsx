import { memo } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { emailSelected, filterChanged, markRead } from './store.js';

const FILTERS = {
  all: () => true,
  unread: (email) => !email.read,
  read: (email) => email.read,
};

const EmailRow = memo(function EmailRow({ email, selected }) {
  const dispatch = useDispatch();
  return (
    <li className={selected ? 'selected' : undefined} data-id={email.id}>
      <button type="button" onClick={() => dispatch(emailSelected(email.id))}>
        {email.read ? email.subject : <strong>{email.subject}</strong>}
      </button>
      <span className="from">{email.from}</span>
      {email.read ? null : (
        <button
          type="button"
          aria-label={`Mark "${email.subject}" as read`}
          onClick={() => dispatch(markRead(email.id))}
        >
          Mark as read
        </button>
      )}
    </li>
  );
});

export function EmailList({ rows }) {
  const dispatch = useDispatch();
  const { emails, selectedId, filter } = useSelector((state) => state.inbox);
  const shown = emails.filter(FILTERS[filter]);
  const unread = emails.filter(FILTERS.unread).length;
  return (
    <section aria-label="Emails">
      <p>
        Unread: <span id="unread">{unread}</span>
      </p>
      <label>
        Show{' '}
        <select id="filter" value={filter} onChange={(event) => dispatch(filterChanged(event.target.value))}>
          {Object.keys(FILTERS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <ul id="emails">
        {shown.slice(0, rows).map((email) => (
          <EmailRow key={email.id} email={email} selected={email.id === selectedId} />
        ))}
      </ul>
    </section>
  );
}
