import { configureStore, createSlice } from '@reduxjs/toolkit';

const SENDERS = ['ada@example.com', 'grace@example.com', 'linus@example.com', 'margaret@example.com'];

const makeEmail = (i) => ({
  id: i + 1,
  subject: i === 0 ? 'Quarterly report' : `Message ${i + 1}`,
  from: SENDERS[i % SENDERS.length],
  read: i % 3 === 2,
});

const inboxSlice = createSlice({
  name: 'inbox',
  initialState: { emails: [], selectedId: null, filter: 'all' },
  reducers: {
    markRead(state, { payload: id }) {
      const email = state.emails.find((candidate) => candidate.id === id);
      if (email) email.read = true;
    },
    emailSelected(state, { payload: id }) {
      state.selectedId = id;
    },
    filterChanged(state, { payload: filter }) {
      state.filter = filter;
    },
    subjectChanged(state, { payload: { id, subject } }) {
      const email = state.emails.find((candidate) => candidate.id === id);
      if (email) email.subject = subject;
    },
    emailSent(state, { payload: { recipient, subject, body } }) {
      state.emails.push({ id: state.emails.length + 1, subject, from: 'me', to: recipient, body, read: true });
    },
  },
});

const sessionSlice = createSlice({
  name: 'session',
  initialState: {
    user: { name: 'Ada Lovelace', email: 'ada@example.com' },
    authToken: 'tok_live_9f8e7d6c5b4a39281706',
  },
  reducers: {
    nameChanged(state, { payload: name }) {
      state.user.name = name;
    },
  },
});

export const { markRead, emailSelected, filterChanged, subjectChanged, emailSent } = inboxSlice.actions;

export function makeStore(count) {
  return configureStore({
    reducer: { inbox: inboxSlice.reducer, session: sessionSlice.reducer },
    preloadedState: {
      inbox: { emails: Array.from({ length: count }, (_, i) => makeEmail(i)), selectedId: null, filter: 'all' },
      session: sessionSlice.getInitialState(),
    },
    devTools: false,
  });
}
