import { createRoot } from 'react-dom/client';
import { RecoilRoot, useRecoilState, useRecoilValue, useSetRecoilState } from 'recoil';
import { foundNotes, notesState, searchState } from './state.js';

const toggled = (notes, id) => notes.map((note) => (note.id === id ? { ...note, pinned: !note.pinned } : note));

function Notes() {
  const [search, setSearch] = useRecoilState(searchState);
  const setNotes = useSetRecoilState(notesState);
  const found = useRecoilValue(foundNotes);
  return (
    <>
      <label>
        Search <input name="search" value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      <ul id="notes">
        {found.map((note) => (
          <li key={note.id}>
            {note.text}
            <button
              type="button"
              aria-pressed={note.pinned}
              aria-label={`Pin ${note.text}`}
              onClick={() => setNotes((notes) => toggled(notes, note.id))}
            >
              Pin
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <RecoilRoot>
    <h1>Notes</h1>
    <Notes />
  </RecoilRoot>,
);
