import { createRoot } from 'react-dom/client';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { ComposeForm } from './compose-form.jsx';
import { EmailList } from './email-list.jsx';
import { makeStore, subjectChanged } from './store.js';

const query = new URLSearchParams(location.search);
const count = Number(query.get('n') ?? 5);
const rows = query.get('rows') === 'all' ? Infinity : Number(query.get('rows') ?? 200);

function Header() {
  const dispatch = useDispatch();
  const user = useSelector((state) => state.session.user);
  const version = useSelector((state) => state.inbox.emails[0]?.subject);
  // Changes one leaf of the store, however many there are.
  const touch = () => dispatch(subjectChanged({ id: 1, subject: `${version} (edited)` }));
  return (
    <header>
      <h1>Inbox of {user.name}</h1>
      <button type="button" id="touch" onClick={touch}>
        Edit first subject
      </button>
    </header>
  );
}

createRoot(document.getElementById('root')).render(
  <Provider store={makeStore(count)}>
    <Header />
    <EmailList rows={rows} />
    <ComposeForm />
  </Provider>,
);
